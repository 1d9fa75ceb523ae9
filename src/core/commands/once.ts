/** `/once`: the free-text run, of which nothing is kept. */
import { footerOf } from "../turns/show.ts";
import { chooseModel } from "./choose.ts";
import type { Command } from "./table.ts";

export const once: Command = {
  name: "once",
  help: "One answer, without a thread; the workspace keeps nothing of it",
  options: [
    { name: "question", help: "Your question", type: "text", required: true },
    { name: "model", help: "Model to ask; without it the one chosen here", type: "text", required: false, source: "models" },
  ],
  forEverybody: true,
  order: "now",
  deed: "send",
  slow: true,
  async run({ question = "", model }, { command, workspace, lists, settings, clock, signal }) {
    const chosen = model === undefined ? await fallback() : await chooseModel(lists, model, signal);
    if ("refusal" in chosen) return chosen;
    const started = clock.now();
    const answer = await workspace.run(question, { signal, modelId: chosen.id });
    if (answer.error_text !== null) return { refusal: { code: "workspace", text: `The answer failed: ${answer.error_text}` } };
    const footer = footerOf({ ai_model: { name: chosen.name }, response_duration_ms: clock.now() - started });
    return { answer: answer.text, footer };

    // A run has no automatic choice of its own: the place's model, else the first that may be chosen.
    async function fallback() {
      const { model: here } = await settings.effective(command.place);
      return here ?? chooseModel(lists, "", signal);
    }
  },
};
