/** `/speech`: words, spoken. */
import { planToolCall } from "../media/tool-maker.ts";
import type { Command } from "./table.ts";

export const speech: Command = {
  name: "speech",
  help: "Have a text spoken",
  options: [
    { name: "text", help: "What is to be spoken", type: "text", required: true },
    { name: "voice", help: "A voice of the workspace, by its name", type: "text", required: false },
  ],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "generate_speech",
  async run({ text = "", voice }, { workspace, may, signal }) {
    const wish = { text, ...(voice === undefined ? {} : { voice }) };
    const plan = planToolCall(await workspace.tools.list({ signal }), "speech", wish, await may("admin"));
    if ("refusal" in plan) return plan;
    const details = voice === undefined ? [] : [voice];
    return { make: { recipe: plan.recipe, what: "speech", prompt: text, model: null, details, price: null, sources: {} } };
  },
};
