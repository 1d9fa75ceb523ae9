/** Turns what was said into what is sent: words, attachments, the place's choices. */
import { Readable } from "node:stream";
import type { FollowUpBody, StartBody } from "../../contract/bodies.ts";
import { Fault, reasonOf, WorkspaceFault } from "../../errors.ts";
import type { WorkspaceLists } from "../directory.ts";
import { emptyDocument } from "../document.ts";
import type { InboundFile, InboundMessage } from "../inbound.ts";
import { refusal, type Refusal } from "../refusal.ts";
import { followUpFields, startFields, type Settings } from "../settings.ts";
import { contextText, wordsOf } from "../words.ts";
import type { Workspace } from "../workspace.ts";
import type { TurnRun } from "./run.ts";

export interface Prepared {
  readonly start: StartBody;
  readonly followUp: FollowUpBody;
}

export interface Preparing {
  readonly workspace: Workspace;
  readonly lists: WorkspaceLists;
  readonly settings: Settings;
  readonly message: InboundMessage;
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
  const attachments = [...attached, ...(await uploadContext(run, preparing))];
  const followUp: FollowUpBody = {
    message: words === "" ? "Please look at the attached files." : words,
    ...(attachments.length === 0 ? {} : { attachments }),
    ...followUpFields(settings),
  };
  // Agents that are not invited at the start can never be mentioned in that conversation.
  const invited = settings.agent === undefined && agents.length > 0 ? { invited_agent_ids: agents.map((agent) => agent.ID) } : {};
  return { followUp, start: { ...followUp, ...startFields(settings), ...invited } };
}

/** Files that could not be had are left out, and the asker is told. */
const tellSkipped = (run: TurnRun, { place, author }: InboundMessage, skipped: readonly string[]): Promise<void> =>
  run.platform.whisper(place, author, { ...emptyDocument, state: "failed", notice: skipped.join("\n") }, run.lease.permit());

async function uploadFiles(
  run: TurnRun,
  { workspace, message, signal, onUpload }: Preparing,
): Promise<{ readonly attached: Attachment[]; readonly skipped: string[] }> {
  const attached: Attachment[] = [];
  const skipped: string[] = [];
  for (const file of message.files) {
    let id = run.progress().uploads?.[file.id];
    if (id === undefined) {
      onUpload(file.name);
      const content = await open(run, file, signal);
      if ("skipped" in content) {
        skipped.push(`“${file.name}” was left out: ${content.skipped}.`);
        continue;
      }
      id = (await workspace.files.upload(file.name, file.mediaType, content, { signal })).ID;
      await run.save({ uploads: { ...run.progress().uploads, [file.id]: id } });
    }
    attached.push({ id, type: "file" });
  }
  return { attached, skipped };
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
