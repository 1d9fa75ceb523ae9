/** `/forget`: what Parley holds of the asker is deleted. */
import type { Command } from "./table.ts";

export const forget: Command = {
  name: "forget",
  help: "Delete what Parley holds of you",
  options: [],
  order: "now",
  deed: null,
  run: () => Promise.resolve({ forget: true }),
};
