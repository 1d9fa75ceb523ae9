/** Reads and changes conversations and their messages. */
import type { Insertable, Updateable } from "kysely";
import { isNumericId } from "../../contract/identifiers.ts";
import { formatMoney, money } from "../../contract/money.ts";
import type { AttachmentRef, DecimalString } from "../../contract/records.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import type { Span } from "../responses.ts";
import type { ConversationRow, MessageRow, ServiceSchema } from "../schema.ts";

type Store = Pick<ServiceContext, "db" | "clock">;
type Db = Pick<ServiceContext, "db">;

/** What an AI message's turn asks for beyond what its record shows. */
export interface Turn {
  readonly temporary: readonly AttachmentRef[];
  readonly flash: boolean;
}

export const turnOf = (row: MessageRow): Turn =>
  row.turn === null ? { temporary: [], flash: false } : (JSON.parse(row.turn) as Turn);

/** The IDs of the attachments of one kind: those of files and of transcriptions count apart. */
export const idsOf = (attachments: readonly AttachmentRef[], type: AttachmentRef["type"]): number[] =>
  attachments.filter((one) => one.type === type).map(({ id }) => id);

const live = ({ db }: Db, userId: number) =>
  db.selectFrom("conversations").where("user_id", "=", userId).where("deleted_at", "is", null);

/** The user's conversation by its numeric ID or its slug. */
export const conversationOf = (ctx: Db, userId: number, idOrSlug: string): Promise<ConversationRow | undefined> =>
  (isNumericId(idOrSlug) ? live(ctx, userId).where("id", "=", Number(idOrSlug)) : live(ctx, userId).where("slug", "=", idOrSlug))
    .selectAll()
    .executeTakeFirst();

/** The conversation by its numeric ID, whoever's, unless it was deleted. */
export const conversationById = ({ db }: Db, id: number): Promise<ConversationRow | undefined> =>
  db.selectFrom("conversations").selectAll().where("id", "=", id).where("deleted_at", "is", null).executeTakeFirst();

/** A part of the user's conversations, newest first, and how many there are. */
export async function conversationsOf(ctx: Db, userId: number, span: Span): Promise<{ rows: ConversationRow[]; total: number }> {
  const { total } = await live(ctx, userId)
    .select((query) => query.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await live(ctx, userId).selectAll().orderBy("id", "desc").limit(span.size).offset(span.offset).execute();
  return { rows, total };
}

export const insertConversation = (
  ctx: Store,
  row: Omit<Insertable<ServiceSchema["conversations"]>, "credits_used" | "created_at" | "updated_at">,
): Promise<ConversationRow> => {
  const now = timestamp(ctx);
  return ctx.db
    .insertInto("conversations")
    .values({ ...row, credits_used: "0", created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Changes a conversation and gives it as it is then. */
export const updateConversation = (
  ctx: Store,
  id: number,
  change: Updateable<ServiceSchema["conversations"]>,
): Promise<ConversationRow> =>
  ctx.db
    .updateTable("conversations")
    .set({ ...change, updated_at: timestamp(ctx) })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Adds `cost` to what the conversation has used. Its replies are made one at a time, so nobody else writes the sum. */
export async function addCost(ctx: Store, id: number, cost: DecimalString): Promise<void> {
  const { credits_used: before } = await ctx.db
    .selectFrom("conversations")
    .select("credits_used")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await updateConversation(ctx, id, { credits_used: formatMoney(money(before).plus(cost)) });
}

/** Deletes a conversation: it is no longer found, and what was written in it is gone from the database. */
export const deleteConversation = (ctx: Store, id: number): Promise<void> =>
  ctx.db.transaction().execute(async (db) => {
    await db.deleteFrom("messages").where("conversation_id", "=", id).execute();
    await db
      .updateTable("conversations")
      .set({ deleted_at: timestamp(ctx), name: null })
      .where("id", "=", id)
      .execute();
  });

/** A part of a conversation's messages, newest first, and how many there are. */
export async function messagesOf({ db }: Db, conversationId: number, span: Span): Promise<{ rows: MessageRow[]; total: number }> {
  const all = db.selectFrom("messages").where("conversation_id", "=", conversationId);
  const { total } = await all.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await all.selectAll().orderBy("id", "desc").limit(span.size).offset(span.offset).execute();
  return { rows, total };
}

/** Messages of a conversation before `messageId`, newest first, `limit` at most. */
export const messagesBefore = ({ db }: Db, conversationId: number, messageId: number, limit: number): Promise<MessageRow[]> =>
  db
    .selectFrom("messages")
    .selectAll()
    .where("conversation_id", "=", conversationId)
    .where("id", "<", messageId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** The messages of a conversation that are being made or wait for it, oldest first. */
export const unfinishedMessages = ({ db }: Db, conversationId: number): Promise<MessageRow[]> =>
  db
    .selectFrom("messages")
    .selectAll()
    .where("conversation_id", "=", conversationId)
    .where("status", "<>", "finished")
    .orderBy("id")
    .execute();

/** The message with this id; undefined once its conversation is deleted. */
export const messageById = ({ db }: Db, id: number): Promise<MessageRow | undefined> =>
  db.selectFrom("messages").selectAll().where("id", "=", id).executeTakeFirst();

/** Changes a message and gives it as it is then; undefined once its conversation is deleted. */
export const updateMessage = (
  ctx: Store,
  id: number,
  change: Updateable<ServiceSchema["messages"]>,
): Promise<MessageRow | undefined> =>
  ctx.db
    .updateTable("messages")
    .set({ ...change, updated_at: timestamp(ctx) })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
