/** Turns what was said into what is sent: words, attachments, the place's choices. */
import { Readable } from "node:stream";
import type { FollowUpBody, StartBody } from "../../contract/bodies.ts";
import { Fault, reasonOf, WorkspaceFault, WriteFault } from "../../errors.ts";
import type { WorkspaceLists } from "../directory.ts";
import { failedDocument } from "../document.ts";
import type { InboundFile, InboundMessage } from "../inbound.ts";
import type { Creations } from "../media/creations.ts";
import { placeKey } from "../place.ts";
import { refusal, type Refusal } from "../refusal.ts";
import { followUpFields, startFields, type Settings } from "../settings.ts";
import { digestOf, contextText, wordsOf } from "../words.ts";
import type { Workspace } from "../workspace.ts";
import type { TurnRun } from "./run.ts";
import { hear, isHeard, type Hearing } from "./transcripts.ts";

export interface Prepared {
  readonly start: StartBody;
  readonly followUp: FollowUpBody;
}

export interface Preparing {
  readonly workspace: Workspace;
  readonly lists: WorkspaceLists;
  readonly settings: Settings;
  readonly message: InboundMessage;
  /** The account that it is sent with. */
  readonly account: string;
  /** Pictures that go along with the next message of their place. */
  readonly carried: Creations["carried"];
  /** How recordings are written down. */
  readonly hearing: Hearing;
  readonly signal: AbortSignal;
  readonly onUpload: (name: string) => void;
}

type Attachment = NonNullable<FollowUpBody["attachments"]>[number];

/** Largest file that is taken along, in bytes: 100 MiB, what fits in a chat's patience. */
const fileLimit = 100 * 1024 * 1024;

/** The bodies of the send. Files are uploaded once, also when the turn is tried again. */
export async function prepare(run: TurnRun, preparing: Preparing): Promise<Prepared | { readonly refusal: Refusal }> {
  const { lists, settings, message, signal } = preparing;
  const large = message.files.find((file) => (file.bytes ?? 0) > fileLimit);
  if (large !== undefined)
    return refusal("too_large", `“${large.name}” is larger than 100 MiB, the most that Parley takes along.`);

  const agents = await lists.agents({ signal });
  const words = wordsOf(message.runs, new Set(agents.map((agent) => agent.tag)));
  if (words === "" && message.files.length === 0) {
    return refusal("bad_option", "There is nothing in that message to answer. Write your question behind the mention.");
  }
  const { attached, skipped } = await uploadFiles(run, preparing);
  if (skipped.length > 0 && attached.length === 0 && words === "") return refusal("not_found", skipped.join("\n"));
  if (skipped.length > 0) await tellSkipped(run, message, skipped);
  const attachments = [...(await carriedAlong(run, preparing)), ...attached, ...(await uploadContext(run, preparing))];
  const followUp: FollowUpBody = {
    message: words === "" ? wordless(run, message) : words,
    ...(attachments.length === 0 ? {} : { attachments }),
    ...followUpFields(settings),
  };
  // Agents that are not invited at the start can never be mentioned in that conversation.
  const invited = settings.agent === undefined && agents.length > 0 ? { invited_agent_ids: agents.map((agent) => agent.ID) } : {};
  return { followUp, start: { ...followUp, ...startFields(settings), ...invited } };
}

/** What is sent where nothing was written beside the files. */
const wordless = (run: TurnRun, { files }: InboundMessage): string =>
  files.every((file) => isHeard(run, file))
    ? "Please answer what is said in the attached recording."
    : "Please look at the attached files.";

/** Files that could not be had are left out, and the asker is told, as far as they can be. */
async function tellSkipped(run: TurnRun, { place, author }: InboundMessage, skipped: readonly string[]): Promise<void> {
  try {
    const notice = skipped.join("\n");
    await run.platform.whisper(place, author, failedDocument(notice), run.lease.permit());
  } catch (thrown) {
    if (!(thrown instanceof WriteFault)) throw thrown;
    run.log.warn({ err: thrown, turn: run.turn.key }, "an asker could not be told of files that were left out");
  }
}

async function uploadFiles(
  run: TurnRun,
  { workspace, message, settings, hearing, signal, onUpload }: Preparing,
): Promise<{ readonly attached: Attachment[]; readonly skipped: string[] }> {
  const attached: Attachment[] = [];
  const skipped: string[] = [];
  for (const file of message.files) {
    const id = await uploaded(run, file, { workspace, signal, onUpload });
    if (typeof id !== "number") {
      skipped.push(`“${file.name}” was left out: ${id.skipped}.`);
      continue;
    }
    const transcription = await hear(run, message, file, id, settings, hearing);
    if (transcription !== null) attached.push({ id: transcription, type: "transcription" });
    // There may be more to a film than what is said in it.
    if (transcription === null || !file.mediaType.startsWith("audio/")) attached.push({ id, type: "file" });
  }
  return { attached, skipped };
}

/** Its name among the uploads of a turn, which are digests otherwise. */
const carriedName = "carried";

/** The picture that somebody wanted to go along with this place's next message: once. */
async function carriedAlong(run: TurnRun, { message, account, carried }: Preparing): Promise<Attachment[]> {
  const { uploads, origin } = run.progress();
  let id = uploads?.[carriedName];
  // With words that are tried again, it was taken from the place by the first try.
  if (id !== undefined && origin !== undefined) return [{ id, type: "file" }];
  const picture = await carried.get(placeKey(message.place));
  if (id === undefined) {
    // Another account's file means nothing to this one.
    if (picture?.account !== account) return [];
    ({ id } = picture);
    await run.save({ uploads: { ...uploads, [carriedName]: id } });
  }
  // A former owner of the turn may have noted it, and not come to take it.
  if (picture?.id === id) await carried.delete(placeKey(message.place));
  return [{ id, type: "file" }];
}

/** The workspace's id of a file that came in, uploaded once; or why it cannot be had. */
export async function uploaded(
  run: TurnRun,
  file: InboundFile,
  { workspace, signal, onUpload }: Pick<Preparing, "workspace" | "signal" | "onUpload">,
): Promise<number | { readonly skipped: string }> {
  // A platform's id of a file may be its address, with its name and a right to read it.
  const known = digestOf(file.id);
  const before = run.progress().uploads?.[known];
  if (before !== undefined) return before;
  onUpload(file.name);
  // An owner that is paused in the middle may leave a second copy of the file in the workspace, which nothing refers to.
  const content = await open(run, file, signal);
  if ("skipped" in content) return content;
  const { ID } = await workspace.files.upload(file.name, file.mediaType, content, { signal });
  await run.save({ uploads: { ...run.progress().uploads, [known]: ID } });
  return ID;
}

async function open(
  run: TurnRun,
  file: InboundFile,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | { readonly skipped: string }> {
  try {
    return await run.platform.open(file, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof Fault && thrown.code === "file_skipped") return { skipped: thrown.message };
    throw new WorkspaceFault(
      "rejected",
      `the file “${file.name}” could not be read from ${run.platform.name}: ${reasonOf(thrown)}`,
      { cause: thrown },
    );
  }
}

/** Earlier messages of the thread go along as a file for this turn only: as text they could address agents, and would be kept. */
async function uploadContext(run: TurnRun, { workspace, message, signal }: Preparing): Promise<Attachment[]> {
  if (message.context === undefined || message.context.length === 0) return [];
  let id = run.progress().contextFile;
  if (id === undefined) {
    const content = Readable.from([Buffer.from(contextText(message.context))]);
    id = (await workspace.files.upload("earlier-messages.md", "text/markdown", content, { signal })).ID;
    await run.save({ contextFile: id });
  }
  return [{ id, type: "file", temp: true }];
}
