/** Starts conversations, follows them up and retries failed replies. */
import type { z } from "zod";
import { startBody } from "../../contract/bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { randomSlug } from "../../contract/identifiers.ts";
import { defaultStyle } from "../../contract/records.ts";
import { ownAgents } from "../agents/store.ts";
import { timestamp, type Caller } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { visibleProject } from "../projects/store.ts";
import { checkQuota } from "../quota.ts";
import { guardText } from "../rules.ts";
import type { ConversationRow, MessageRow } from "../schema.ts";
import { answer, type AnswerContext } from "./answer.ts";
import { checkSend, toolsOf, type Sent } from "./checks.ts";
import { choose } from "./choice.ts";
import { wholeMessage } from "./record.ts";
import type { Running } from "./running.ts";
import { insertConversation, messageById, type Turn } from "./store.ts";

export interface SendContext extends AnswerContext {
  readonly running: Running;
}

/** A reply that is being made. */
export interface Reply {
  readonly conversationId: number;
  readonly messageId: number;
  /** Settles when the message is finished; rejects only when the database fails. */
  readonly done: Promise<void>;
}

function begin(ctx: SendContext, conversationId: number, messageId: number): Reply {
  const done = ctx.running.enqueue(conversationId, (signal) => answer(ctx, messageId, signal));
  // Whoever does not wait for the reply still wants to know that the database failed.
  done.catch((error: unknown) => ctx.log.error({ error, messageId }, "a reply could not be stored"));
  return { conversationId, messageId, done };
}

const publish = async (ctx: SendContext, ...rows: readonly MessageRow[]): Promise<void> => {
  for (const row of rows) ctx.hub.publish(row.conversation_id, await wholeMessage(ctx, row));
};

/** What may call on an agent: a person's words, but not those of a saved prompt, which runs with its own model. */
const routing = (text: string, promptId: number | null): string => (promptId === null ? text : "");

/** Stores the question and the empty answer, and begins to fill it. */
async function send(ctx: SendContext, conversation: ConversationRow, body: Sent, promptId: number | null = null): Promise<Reply> {
  const { model, agent, isAuto, style, effort } = await choose(ctx, conversation, routing(body.message, promptId));
  const now = timestamp(ctx);
  const attachments = body.attachments ?? [];
  const recorded = attachments.filter(({ temp }) => temp !== true).map(({ id, type }) => ({ id, type }));
  const turn: Turn = { temporary: attachments.filter(({ temp }) => temp === true), flash: body.flash_mode ?? false };
  const shared = {
    conversation_id: conversation.id,
    ai_model_id: model.id,
    is_auto_model: Number(isAuto),
    agent_id: agent?.id ?? null,
    reasoning_effort: effort,
    ai_style: style,
    tools: JSON.stringify(toolsOf(body)),
    knowledge_base_ids: "[]",
    world_knowledge: Number(body.world_knowledge ?? false),
    citations: "[]",
    created_at: now,
    updated_at: now,
  };
  const [asked, reply] = await ctx.db.transaction().execute(async (db) => {
    // It may have been deleted since it was found: then nothing may be written into it.
    const live = await db
      .updateTable("conversations")
      .set({ updated_at: now })
      .where("id", "=", conversation.id)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (live.numUpdatedRows === 0n) throw new HttpError(404, errorTexts.conversationNotFound);
    const asking = { is_user: 1, status: "finished" as const, text: body.message, attachments: JSON.stringify(recorded) };
    const question = await db
      .insertInto("messages")
      .values({ ...shared, ...asking, prompt_id: promptId })
      .returningAll()
      .executeTakeFirstOrThrow();
    const empty = { is_user: 0, status: "thinking" as const, text: "", attachments: "[]", turn: JSON.stringify(turn) };
    const message = await db
      .insertInto("messages")
      .values({ ...shared, ...empty, reply_to: question.id })
      .returningAll()
      .executeTakeFirstOrThrow();
    return [question, message];
  });
  await publish(ctx, asked, reply);
  return begin(ctx, conversation.id, reply.id);
}

type Start = z.output<typeof startBody>;

/** The agents that the start names and that are the caller's; throws for an agent chat with any other. */
async function agentsFor(ctx: SendContext, caller: Caller, body: Start): Promise<{ chat: number | null; invited: number[] }> {
  const own = new Set((await ownAgents(ctx, caller.userId)).map(({ id }) => id));
  if (body.agent_id === undefined) return { chat: null, invited: (body.invited_agent_ids ?? []).filter((id) => own.has(id)) };
  if (!own.has(body.agent_id)) throw new HttpError(503, errorTexts.conversationNotCreated);
  return { chat: body.agent_id, invited: [] };
}

/**
 * Creates a conversation and sends its first message.
 * @param projectId of the header `X-Project-ID`
 */
export async function start(ctx: SendContext, caller: Caller, body: Start, projectId: number | null): Promise<Reply> {
  await checkSend(ctx, caller.userId, body);
  const { chat, invited } = await agentsFor(ctx, caller, body);
  const project = projectId === null ? undefined : await visibleProject(ctx, caller.userId, projectId);
  // No team can be made yet, so every team is unknown.
  if (body.team_id !== undefined || (projectId !== null && project === undefined)) {
    throw new HttpError(503, errorTexts.conversationNotCreated);
  }
  const conversation = await insertConversation(ctx, {
    slug: randomSlug(8, ctx.random),
    user_id: caller.userId,
    project_id: project?.id ?? null,
    agent_id: chat,
    ai_model_id: body.auto_model_type === undefined ? (body.ai_model_id ?? null) : null,
    auto_model_type: body.auto_model_type ?? null,
    ai_style: body.ai_style ?? defaultStyle,
    reasoning_effort: body.reasoning_effort ?? null,
    invited_agent_ids: JSON.stringify(invited),
  });
  return send(ctx, conversation, body);
}

/**
 * Creates a conversation with the filled-in text of a saved prompt as its first message. Whoever calls has checked the quota,
 * the text, the model and the attachments.
 */
export async function startPrompt(
  ctx: SendContext,
  userId: number,
  prompt: { readonly id: number; readonly modelId: number; readonly style: string },
  body: Sent,
): Promise<{ readonly reply: Reply; readonly slug: string }> {
  const slug = randomSlug(8, ctx.random);
  const conversation = await insertConversation(ctx, {
    slug,
    user_id: userId,
    project_id: null,
    agent_id: null,
    ai_model_id: prompt.modelId,
    auto_model_type: null,
    ai_style: prompt.style,
    reasoning_effort: null,
    invited_agent_ids: "[]",
  });
  return { reply: await send(ctx, conversation, body, prompt.id), slug };
}

/** Sends a further message to a conversation of the caller's. */
export async function followUp(ctx: SendContext, conversation: ConversationRow, body: Sent): Promise<Reply> {
  await checkSend(ctx, conversation.user_id, body);
  return send(ctx, conversation, body);
}

/** The failed AI message that a retry is for. */
async function failedMessage(
  ctx: SendContext,
  conversation: ConversationRow,
  messageId: number | undefined,
): Promise<MessageRow> {
  const all = ctx.db.selectFrom("messages").selectAll().where("conversation_id", "=", conversation.id).where("is_user", "=", 0);
  const found =
    messageId === undefined
      ? await all.where("error_text", "is not", null).orderBy("id", "desc").executeTakeFirst()
      : await all.where("id", "=", messageId).executeTakeFirst();
  if (found === undefined) throw new HttpError(404, "Message not found");
  if (found.error_text === null) throw new HttpError(400, "only a failed message can be retried");
  return found;
}

/** Makes a failed AI message again, in its place, with the model that the conversation has now. */
export async function retry(ctx: SendContext, conversation: ConversationRow, messageId: number | undefined): Promise<Reply> {
  await checkQuota(ctx, conversation.user_id);
  const failed = await failedMessage(ctx, conversation, messageId);
  const question = failed.reply_to === null ? undefined : await messageById(ctx, failed.reply_to);
  if (question === undefined) throw new HttpError(404, "Message not found");
  await guardText(ctx, question.text, "error_code");
  const { model, agent, isAuto, style, effort } = await choose(ctx, conversation, routing(question.text, question.prompt_id));
  const reset = await ctx.db
    .updateTable("messages")
    .set({
      status: "thinking",
      text: "",
      thinking: null,
      citations: "[]",
      attachments: "[]",
      error_text: null,
      error_id: null,
      error_code: null,
    })
    .set({ ai_model_id: model.id, is_auto_model: Number(isAuto), agent_id: agent?.id ?? null })
    .set({ ai_style: style, reasoning_effort: effort, credits_used: null, response_duration_ms: null })
    .set({ updated_at: timestamp(ctx) })
    .where("id", "=", failed.id)
    // Of two retries at once only one finds it failed.
    .where("error_text", "is not", null)
    .returningAll()
    .executeTakeFirst();
  if (reset === undefined) throw new HttpError(400, "only a failed message can be retried");
  await publish(ctx, reset);
  return begin(ctx, conversation.id, reset.id);
}
