/** `/transcribe`: what is said in a recording, as text. */
import { planToolCall } from "../media/tool-maker.ts";
import { refusal } from "../refusal.ts";
import { attachedRecording } from "./attached.ts";
import type { Command } from "./table.ts";

export const transcribe: Command = {
  name: "transcribe",
  help: "Write down a recording that you attach",
  options: [{ name: "recording", help: "What is to be written down", type: "file", required: false }],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "transcribe",
  async run(_options, { command, workspace, limits, may, signal }) {
    const recording = attachedRecording(command);
    if (recording === undefined)
      return refusal("not_found", `There is no recording to write down: ${limits?.howToAttach("transcribe") ?? "attach one"}.`);
    if ("refusal" in recording) return recording;
    const plan = planToolCall(await workspace.tools.list({ signal }), "transcription", { file: true }, await may("admin"));
    if ("refusal" in plan) return plan;
    const sources = plan.fileField === null ? {} : { [plan.fileField]: { upload: recording } };
    const around = { what: "a transcript", prompt: recording.name, model: null, details: [], price: null };
    return { make: { recipe: plan.recipe, ...around, sources } };
  },
};
