/** `/ask`: a conversation, begun with a question. */
import type { Command } from "./table.ts";

export const ask: Command = {
  name: "ask",
  help: "Ask the workspace; the answer forms in a thread that you can go on in",
  options: [{ name: "question", help: "Your question", type: "text", required: true }],
  forEverybody: true,
  order: "now",
  deed: "send",
  run: ({ question = "" }) => Promise.resolve({ ask: question }),
};
