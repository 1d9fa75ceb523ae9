/** `/transcribe`: what is said in a recording, as text. */
import { planToolCall } from "../media/tool-maker.ts";
import { refusal } from "../refusal.ts";
import type { Command } from "./table.ts";

export const transcribe: Command = {
  name: "transcribe",
  help: "Write down a recording that you attach",
  options: [],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "transcribe",
  async run(_options, { command, workspace, may, signal }) {
    const recording = command.files.find(({ mediaType }) => /^(audio|video)\//.test(mediaType));
    if (recording === undefined)
      return refusal("not_found", "There is no recording to write down: attach an audio or video file to the command.");
    const plan = planToolCall(await workspace.tools.list({ signal }), "transcription", { file: true }, await may("admin"));
    if ("refusal" in plan) return plan;
    const sources = plan.fileField === null ? {} : { [plan.fileField]: { upload: recording } };
    const around = { what: "a transcript", prompt: recording.name, model: null, details: [], price: null };
    return { make: { recipe: plan.recipe, ...around, sources } };
  },
};
