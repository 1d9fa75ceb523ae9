/** The order of a changed picture. */
import type { MediaOrder, Source } from "./order.ts";

export const editOrder = (prompt: string, source: Source): MediaOrder => ({
  recipe: { by: "edit" },
  what: "a changed picture",
  prompt,
  model: null,
  details: [],
  price: null,
  sources: { file_id: source },
});
