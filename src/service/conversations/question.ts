/** Puts together what a model is asked: prompts, the conversation so far, and the files that belong to it. */
import { readFile } from "node:fs/promises";
import { extensionOf } from "../../contract/file-types.ts";
import { defaultStyle } from "../../contract/records.ts";
import { agentFiles } from "../agents/store.ts";
import type { AgentRow } from "../agents/schema.ts";
import type { ServiceContext } from "../context.ts";
import type { FileRow } from "../files/schema.ts";
import { objectPath, ownFiles, projectFiles } from "../files/store.ts";
import { ownTranscripts, transcriptDocument } from "../media/transcripts.ts";
import type { StoredModel } from "../models.ts";
import { visibleProject } from "../projects/store.ts";
import { filesOfPrompt } from "../prompts/store.ts";
import type { ModelRequest, RequestDocument, RequestImage, RequestTurn, UnreadFile } from "../providers/port.ts";
import type { Reader } from "../reading/reader.ts";
import type { ConversationRow, MessageRow } from "../schema.ts";
import { attachmentsOf } from "./record.ts";
import { idsOf, messageById, messagesBefore, turnOf } from "./store.ts";

/** Messages of the conversation that go along at most. */
const historyMessages = 200;
/** Messages read from the database at once: each may hold a megabyte, and the budget ends the reading early. */
const historyBatch = 10;
/** Characters of messages and files together: about 150,000 tokens, which the common models can take. Older ones are left out first. */
const characterBudget = 600_000;
/** Pictures of one request; the limit that the common model services share is 20 or more. */
const imageBudget = 20;

export interface QuestionContext extends ServiceContext {
  readonly reader: Reader;
}

interface Files {
  readonly documents: RequestDocument[];
  readonly images: RequestImage[];
  readonly unread: UnreadFile[];
}

/** What is still free of the request's bounds; the newest turn takes first. */
interface Budget {
  characters: number;
  images: number;
}

async function readOne(
  ctx: QuestionContext,
  file: FileRow,
  model: StoredModel,
  into: Files,
  budget: Budget,
  signal: AbortSignal,
) {
  const { name } = file;
  const accepted = model.entry.supported_file_extensions;
  const unread = (reason: string): void => void into.unread.push({ name, reason });
  if (accepted.length > 0 && !accepted.includes(extensionOf(name).toLowerCase())) {
    return unread("the selected model does not take files of this kind");
  }
  const reading = await ctx.reader.read({ path: objectPath(ctx, file), name }, signal);
  if (reading.kind === "unread") return unread(reading.reason);
  if (reading.kind === "image") {
    if (budget.images <= 0) return unread("there are too many pictures in this conversation");
    budget.images -= 1;
    into.images.push({ name, mediaType: reading.mediaType, bytes: await readFile(reading.path) });
    return;
  }
  if (reading.text.length > budget.characters) return unread("there is too much text in this conversation already");
  budget.characters -= reading.text.length;
  const { text, note, places } = reading;
  const whole = note === undefined ? text : `${text}\n\n${note}`;
  into.documents.push({ fileId: file.id, name, text: whole, ...(places === undefined ? {} : { places }) });
}

async function readAll(
  ctx: QuestionContext,
  files: readonly FileRow[],
  model: StoredModel,
  budget: Budget,
  signal: AbortSignal,
): Promise<Files> {
  const into: Files = { documents: [], images: [], unread: [] };
  for (const file of files) await readOne(ctx, file, model, into, budget, signal);
  return into;
}

/** Puts what the user's transcriptions heard among the documents. */
async function addTranscripts(ctx: QuestionContext, userId: number, ids: readonly number[], into: Files, budget: Budget) {
  for (const row of (await ownTranscripts(ctx, userId, ids)).values()) {
    const document = await transcriptDocument(ctx, row);
    if (document.text.length > budget.characters) {
      into.unread.push({ name: document.name, reason: "there is too much text in this conversation already" });
      continue;
    }
    budget.characters -= document.text.length;
    into.documents.push(document);
  }
}

/** The instructions that stand before the conversation; null when there are none. */
function systemOf(
  agent: AgentRow | null,
  project: { name: string; instructions: string } | undefined,
  style: string,
): string | null {
  const parts = [
    agent?.system_prompt ?? "",
    project === undefined || project.instructions.trim() === ""
      ? ""
      : `Instructions of the project "${project.name}":\n${project.instructions}`,
    style === defaultStyle ? "" : `Write in this style: ${style}.`,
  ].filter((part) => part.trim() !== "");
  return parts.length === 0 ? null : parts.join("\n\n");
}

/** The question, then what was said before it, newest first. */
async function* said(ctx: QuestionContext, question: MessageRow): AsyncGenerator<MessageRow> {
  yield question;
  let cursor = question.id;
  for (let count = 0; count < historyMessages; count += historyBatch) {
    const batch = await messagesBefore(ctx, question.conversation_id, cursor, historyBatch);
    yield* batch;
    cursor = batch.at(-1)?.id ?? 0;
    if (batch.length < historyBatch) return;
  }
}

/** What a model made goes on with the turn after it: models take files from the asker only. */
const withFiles = (turns: readonly RequestTurn[], { documents, images, unread }: Files): RequestTurn[] =>
  turns.map((turn) => ({
    ...turn,
    documents: [...documents, ...(turn.documents ?? [])],
    images: [...images, ...(turn.images ?? [])],
    unread: [...unread, ...(turn.unread ?? [])],
  }));

/** The request that answers the AI message `row`: everything said before it, and nothing said later. */
export async function questionFor(
  ctx: QuestionContext,
  turn: { row: MessageRow; conversation: ConversationRow; model: StoredModel; agent: AgentRow | null },
  signal: AbortSignal,
): Promise<ModelRequest> {
  const { row, conversation, model, agent } = turn;
  const owner = conversation.user_id;
  const project = conversation.project_id === null ? undefined : await visibleProject(ctx, owner, conversation.project_id);
  const budget: Budget = { characters: characterBudget, images: imageBudget };
  const question = row.reply_to === null ? undefined : await messageById(ctx, row.reply_to);
  if (question === undefined) throw new RangeError(`expected message ${row.id} to answer a message of its conversation`);

  const turns: RequestTurn[] = [];
  const { temporary } = turnOf(row);
  for await (const message of said(ctx, question)) {
    // A failed answer is no part of what was said.
    if (message.error_text !== null || message.status !== "finished") continue;
    if (message !== question && message.text.length > budget.characters) break;
    budget.characters -= message.text.length;
    const attachments = [...attachmentsOf(message), ...(message === question ? temporary : [])];
    const attached = await ownFiles(ctx, owner, idsOf(attachments, "file"));
    if (message.prompt_id !== null) attached.push(...(await filesOfPrompt(ctx, owner, message.prompt_id)));
    const files = await readAll(ctx, attached, model, budget, signal);
    await addTranscripts(ctx, owner, idsOf(attachments, "transcription"), files, budget);
    if (message.is_user === 1) turns.unshift({ role: "user", text: message.text, ...files });
    else turns.splice(0, 1, { role: "assistant", text: message.text }, ...withFiles(turns.slice(0, 1), files));
  }
  const standing = [
    ...(agent === null ? [] : await agentFiles(ctx, agent.id)),
    ...(project === undefined ? [] : await projectFiles(ctx, project.id)),
  ];
  const standingFiles = await readAll(ctx, standing, model, budget, signal);
  // What was cut off the beginning may have been a question; its answer alone makes no sense.
  while (turns[0]?.role === "assistant") turns.shift();
  const last = turns.pop() ?? { role: "user", text: question.text };
  turns.push(...withFiles([last], standingFiles));
  return {
    modelKey: model.entry.key,
    system: systemOf(agent, project, row.ai_style),
    turns,
    reasoningEffort: row.reasoning_effort,
    flash: turnOf(row).flash,
    setting: { agent: agent?.name ?? null, project: project?.name ?? null, style: row.ai_style },
  };
}
