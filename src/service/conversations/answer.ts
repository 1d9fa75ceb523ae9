/** Makes one AI message from the model's stream: grows it, shows it, and finishes it whatever happens. */
import type { AttachmentRef, Citation, DecimalString } from "../../contract/records.ts";
import { ownAgent } from "../agents/store.ts";
import type { Catalogue } from "../catalogue.ts";
import { storeGenerated } from "../files/generated.ts";
import { HttpError } from "../http-error.ts";
import type { Hub } from "../live/hub.ts";
import { modelById, type StoredModel } from "../models.ts";
import { tokensIn } from "../providers/estimate.ts";
import type { ModelEvent, ModelRequest } from "../providers/port.ts";
import { charge, costOf, type Usage } from "../quota.ts";
import type { ConversationRow, MessageRow } from "../schema.ts";
import type { DraftFields, Drafts } from "./drafts.ts";
import { failureOf, interruption, type Failure } from "./failure.ts";
import { createPulse } from "./pulse.ts";
import { questionFor, type QuestionContext } from "./question.ts";
import { messageRecord, relatedTo, wholeMessage } from "./record.ts";
import { Ended } from "./running.ts";
import { addCost, conversationById, messageById, updateConversation, updateMessage } from "./store.ts";
import { titleOf } from "./title.ts";

export interface AnswerContext extends QuestionContext {
  readonly catalogue: Pick<Catalogue, "providerOf">;
  readonly hub: Hub;
  readonly drafts: Drafts;
}

/** The live channel shows a message at most this often, in ms: 25 times a second, as films do. */
const showEveryMs = 40;

/** An answer as far as it has come. */
interface Draft {
  status: MessageRow["status"];
  text: string;
  thinking: string;
  readonly citations: Citation[];
  /** The files that the model made, in their order. */
  readonly files: AttachmentRef[];
  usage: Usage | undefined;
}

/** Adds a piece to the draft; a file is stored as its asker's own. */
async function take(ctx: AnswerContext, userId: number, draft: Draft, event: ModelEvent): Promise<void> {
  switch (event.type) {
    case "text":
      draft.text += event.text;
      draft.status = "generating";
      return;
    case "thinking":
      draft.thinking += event.text;
      return;
    case "citation":
      draft.citations.push(event.citation);
      return;
    case "file": {
      const { id } = await storeGenerated(ctx, userId, event.name, event.bytes);
      draft.files.push({ id, type: "file" });
      draft.status = "generating";
      return;
    }
    case "usage":
      draft.usage = event;
      return;
  }
}

const fieldsOf = (draft: Draft): DraftFields => ({
  status: draft.status,
  text: draft.text,
  thinking: draft.thinking === "" ? null : draft.thinking,
  citations: JSON.stringify(draft.citations),
  attachments: JSON.stringify(draft.files),
});

/** What was used, counted by the provider or, where it did not say, estimated by length. */
const usageOf = (draft: Draft, request: ModelRequest | undefined): Usage => {
  if (draft.usage !== undefined) return draft.usage;
  const asked = request?.turns.flatMap((turn) => [turn.text, ...(turn.documents ?? []).map(({ text }) => text)]) ?? [];
  return {
    inputTokens: [request?.system ?? "", ...asked].reduce((sum, text) => sum + tokensIn(text), 0),
    outputTokens: tokensIn(draft.text) + tokensIn(draft.thinking),
  };
};

/** Streams the model's answer into `draft`. Returns the request, for its cost. */
async function stream(
  ctx: AnswerContext,
  turn: { row: MessageRow; conversation: ConversationRow; model: StoredModel },
  draft: Draft,
  onRequest: (request: ModelRequest) => void,
  signal: AbortSignal,
): Promise<void> {
  const { row, conversation, model } = turn;
  const provider = ctx.catalogue.providerOf(model.entry.key);
  if (provider === undefined) throw new HttpError(503, "the provider of this model is no longer connected");
  const agent = row.agent_id === null ? null : ((await ownAgent(ctx, conversation.user_id, row.agent_id)) ?? null);
  const request = await questionFor(ctx, { row, conversation, model, agent }, signal);
  signal.throwIfAborted();
  onRequest(request);
  let related = (await relatedTo(ctx, [row]))(row);

  const show = createPulse(ctx.clock, showEveryMs, () => {
    if (ctx.hub.isFollowed(conversation.id))
      ctx.hub.publish(conversation.id, messageRecord({ ...row, ...fieldsOf(draft) }, related));
  });
  try {
    for await (const event of provider.run(request, signal)) {
      await take(ctx, conversation.user_id, draft, event);
      if (event.type === "file") {
        const grown = { ...row, ...fieldsOf(draft) };
        related = (await relatedTo(ctx, [grown]))(grown);
      }
      show.touch();
      ctx.drafts.grown(row.id, () => fieldsOf(draft));
    }
  } finally {
    // The last state is written by whoever finishes the message: nothing older may be written after it.
    await Promise.all([show.end(), ctx.drafts.end(row.id)]);
  }
  if (draft.text === "" && draft.files.length === 0) throw new HttpError(503, "the model gave an empty answer");
}

/** Null when the reply ended as it should, or because somebody stopped it. */
function failureFor(ctx: AnswerContext, thrown: unknown, signal: AbortSignal, row: MessageRow): Failure | null {
  const ended: unknown = signal.aborted ? signal.reason : undefined;
  if (!(ended instanceof Ended)) return failureOf(ctx, thrown, row.id);
  return ended.reason === "closing" ? interruption(ctx) : null;
}

/**
 * Makes the AI message `messageId`, which is `thinking`, and leaves it `finished`: with the answer, with what had come
 * before somebody stopped it, or with an error. Charges what was used in each case. Rejects only when the database fails.
 */
export async function answer(ctx: AnswerContext, messageId: number, signal: AbortSignal): Promise<void> {
  const row = await messageById(ctx, messageId);
  const conversation = row === undefined ? undefined : await conversationById(ctx, row.conversation_id);
  // Deleted while it waited for its turn.
  if (row === undefined || conversation === undefined) return;
  const startedAt = ctx.clock.now();
  const draft: Draft = { status: "thinking", text: "", thinking: "", citations: [], files: [], usage: undefined };
  let request: ModelRequest | undefined;
  let failed: Failure | null = null;
  const model = await modelById(ctx, row.ai_model_id);
  try {
    signal.throwIfAborted();
    if (model === undefined) throw new HttpError(503, "AI model not found");
    await stream(ctx, { row, conversation, model }, draft, (made) => (request = made), signal);
  } catch (thrown) {
    failed = failureFor(ctx, thrown, signal, row);
  }
  // A provider that refused before its first word has cost nothing.
  const worked =
    request !== undefined && (failed === null || draft.text !== "" || draft.thinking !== "" || draft.files.length > 0);
  const cost = model === undefined || !worked ? "0" : costOf(model.entry, usageOf(draft, request));
  const finished = await finish(ctx, conversation, row.id, {
    ...fieldsOf({ ...draft, status: "finished" }),
    ...failed,
    credits_used: cost,
    response_duration_ms: Math.round(ctx.clock.now() - startedAt),
  });
  // Undefined: the conversation was deleted meanwhile, and there is nobody to show it to.
  if (finished !== undefined) ctx.hub.publish(conversation.id, await wholeMessage(ctx, finished));
}

/** Stores the finished message, its cost and, after the first exchange, the conversation's name: all or nothing. */
const finish = (
  ctx: AnswerContext,
  conversation: ConversationRow,
  messageId: number,
  fields: DraftFields & Partial<Failure> & { readonly credits_used: DecimalString; readonly response_duration_ms: number },
): Promise<MessageRow | undefined> =>
  ctx.db.transaction().execute(async (db) => {
    const inside = { db, clock: ctx.clock };
    // First a write: a transaction that begins by reading could not write once the command line has written.
    const finished = await updateMessage(inside, messageId, fields);
    await charge(inside, conversation.user_id, fields.credits_used);
    if (finished === undefined) return undefined;
    await addCost(inside, conversation.id, fields.credits_used);
    if (conversation.name === null && finished.error_text === null && finished.reply_to !== null) {
      const question = await messageById(inside, finished.reply_to);
      if (question !== undefined) await updateConversation(inside, conversation.id, { name: titleOf(question.text) });
    }
    return finished;
  });
