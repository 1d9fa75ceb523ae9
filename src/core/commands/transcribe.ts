/** `/transcribe`: what is said in a recording, as text; or an answer to a question about it. */
import type { InboundFile } from "../inbound.ts";
import { planToolCall } from "../media/tool-maker.ts";
import { refusal, type Refusal } from "../refusal.ts";
import { attachedFile, newestFile } from "./attached.ts";
import type { Command, CommandContext } from "./table.ts";

interface Found {
  readonly recording: InboundFile;
  /** Nobody said which one: it is the newest here. */
  readonly newest: boolean;
}

async function findRecording(context: CommandContext): Promise<Found | { readonly refusal: Refusal }> {
  const { command, limits } = context;
  const attached = attachedFile(context, "recording");
  if (attached !== undefined) return "refusal" in attached ? attached : { recording: attached, newest: false };
  if (command.chosen === true)
    return refusal("not_found", "There is no recording in that message: no audio or video file, and no voice message.");
  const newest = await newestFile(context, "recording");
  return newest === undefined
    ? refusal("not_found", `There is no recording here: post one, or ${limits?.howToAttach("transcribe") ?? "attach one"}.`)
    : { recording: newest, newest: true };
}

export const transcribe: Command = {
  name: "transcribe",
  help: "Write down a recording that you attach, or the newest one here",
  options: [
    { name: "question", help: "What to ask about it; without it you get what is said in it", type: "text", required: false },
    { name: "recording", help: "What is to be written down; without it the newest one here", type: "file", required: false },
  ],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "transcribe",
  menu: { label: "Transcribe", help: "Write down the recording of this message", takes: "recording" },
  async run({ question = "" }, context) {
    const { workspace, may, signal } = context;
    const found = await findRecording(context);
    if ("refusal" in found) return found;
    const { recording, newest } = found;
    const plan = planToolCall(await workspace.tools.list({ signal }), "transcription", { file: true }, await may("admin"));
    if ("refusal" in plan) return plan;
    if (question.trim() !== "") return { ask: question.trim(), recordings: [recording] };
    const what = newest ? "a transcript of the newest recording here" : "a transcript";
    const sources = plan.fileField === null ? {} : { [plan.fileField]: { upload: recording } };
    return { make: { recipe: plan.recipe, what, prompt: recording.name, model: null, details: [], price: null, sources } };
  },
};
