/** Reading, waiting for and deleting conversations: what the routes and the tools answer alike. */
import { errorTexts } from "../../contract/errors.ts";
import { isNumericId } from "../../contract/identifiers.ts";
import type { Conversation, Message } from "../../contract/records.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { Span } from "../responses.ts";
import type { ConversationRow } from "../schema.ts";
import { choose } from "./choice.ts";
import { conversationRecord, messageRecord, relatedTo } from "./record.ts";
import type { Reply, SendContext } from "./send.ts";
import { conversationOf, conversationsOf, deleteConversation, messageById, messagesOf } from "./store.ts";

/** The caller's conversation, by its ID or slug. Throws HttpError 404. */
export async function ownConversation(
  ctx: Pick<ServiceContext, "db">,
  caller: Caller,
  idOrSlug: string,
): Promise<ConversationRow> {
  const found = await conversationOf(ctx, caller.userId, idOrSlug);
  if (found === undefined) throw new HttpError(404, errorTexts.conversationNotFound);
  return found;
}

/** The model that would answer now; 0 when none could. */
export async function nextModel(ctx: ServiceContext, conversation: ConversationRow): Promise<number> {
  try {
    return (await choose(ctx, conversation, "")).model.id;
  } catch (thrown) {
    if (thrown instanceof HttpError) return 0;
    throw thrown;
  }
}

/** Some of the caller's conversations, newest first, and how many there are. */
export async function listConversations(
  ctx: ServiceContext,
  caller: Caller,
  span: Span,
): Promise<{ conversations: Conversation[]; total: number }> {
  const { rows, total } = await conversationsOf(ctx, caller.userId, span);
  // Most conversations of a page choose alike, and each choice asks the database.
  const known = new Map<string, number>();
  const conversations = [];
  for (const row of rows) {
    const alike = JSON.stringify([row.agent_id, row.auto_model_type, row.ai_model_id, row.project_id]);
    const next = known.get(alike) ?? (await nextModel(ctx, row));
    known.set(alike, next);
    conversations.push(conversationRecord(row, next));
  }
  return { conversations, total };
}

/** Some of a conversation's messages, newest first, and how many there are. */
export async function readMessages(
  ctx: ServiceContext,
  conversation: ConversationRow,
  span: Span,
): Promise<{ messages: Message[]; total: number }> {
  const { rows, total } = await messagesOf(ctx, conversation.id, span);
  const related = await relatedTo(ctx, rows);
  return { messages: rows.map((row) => messageRecord(row, related(row))), total };
}

/** Waits for the reply: the finished message without `raw_text`. Throws HttpError 503 with the reason when it failed. */
export async function wholeReply(ctx: ServiceContext, { messageId, done }: Reply): Promise<Omit<Message, "raw_text">> {
  await done;
  const row = await messageById(ctx, messageId);
  if (row === undefined) throw new HttpError(404, errorTexts.conversationNotFound);
  if (row.error_text !== null) {
    throw new HttpError(503, { error: row.error_text, ...(row.error_code === null ? {} : { error_code: row.error_code }) });
  }
  const { raw_text: _raw, ...message } = messageRecord(row, (await relatedTo(ctx, [row]))(row));
  return message;
}

/** Deletes the caller's conversation; its slug will not do. Throws HttpError 400 or 404. */
export async function deleteOwn(ctx: SendContext, caller: Caller, numericId: string): Promise<void> {
  if (!isNumericId(numericId)) throw new HttpError(400, "expected the numeric ID of a conversation");
  const { id } = await ownConversation(ctx, caller, numericId);
  await deleteConversation(ctx, id);
  await ctx.running.end(id, "deleted");
  ctx.hub.end(id);
}
