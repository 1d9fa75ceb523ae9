/** The console's messages in the database: written first, shown after. */
import { sql, type Kysely } from "kysely";
import type { Clock } from "../../src/clock.ts";
import type { Document } from "../../src/core/document.ts";
import type { ChannelRow, ConsoleSchema, MessageRow } from "./schema.ts";

/** A person's message as it is first written. */
export interface Draft {
  readonly id: string;
  readonly channel: string;
  readonly thread: string | null;
  readonly authorName: string;
  readonly kind: "text" | "command";
  readonly text: string;
  readonly document: Document | null;
  readonly addressed: boolean;
}

export interface Page {
  /** Oldest first. */
  readonly rows: readonly MessageRow[];
  /** There are older ones. */
  readonly more: boolean;
}

/** Thread messages that are given to a page at most: the newest. */
const repliesLimit = 500;

export type MessageLog = ReturnType<typeof createMessageLog>;

export function createMessageLog(db: Kysely<ConsoleSchema>, clock: Clock) {
  const messages = () => db.selectFrom("console_messages").selectAll().where("pending", "=", 0);

  async function change(id: string, set: Partial<MessageRow>): Promise<MessageRow | undefined> {
    return db
      .updateTable("console_messages")
      .set((row) => ({ ...set, rev: row("rev", "+", 1) }))
      .where("id", "=", id)
      .where("removed", "=", 0)
      .returningAll()
      .executeTakeFirst();
  }

  return {
    /** Any message by its id, removed and pending ones too. */
    one: (id: string): Promise<MessageRow | undefined> =>
      db.selectFrom("console_messages").selectAll().where("id", "=", id).executeTakeFirst(),

    /** Not shown until it is settled. */
    insert: (draft: Draft): Promise<MessageRow> =>
      db
        .insertInto("console_messages")
        .values({
          id: draft.id,
          key: null,
          channel: draft.channel,
          thread: draft.thread,
          author: "you",
          author_name: draft.authorName,
          kind: draft.kind,
          text: draft.text,
          document: draft.document === null ? null : JSON.stringify(draft.document),
          addressed: draft.addressed ? 1 : 0,
          pending: 1,
          removed: 0,
          rev: 1,
          at: clock.now(),
          edited_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** The inbox has it: it is shown from now on. */
    settle: (id: string): Promise<MessageRow | undefined> => change(id, { pending: 0 }),

    async discard(id: string): Promise<void> {
      await db.deleteFrom("console_messages").where("id", "=", id).where("pending", "=", 1).execute();
    },

    /** Stored by a process that ended before the inbox had them. */
    pending: (): Promise<MessageRow[]> =>
      db.selectFrom("console_messages").selectAll().where("pending", "=", 1).orderBy("seq").execute(),

    /** One of Parley's messages; a key that was posted before gives that message, unchanged, and `isNew: false`. */
    async post(
      id: string,
      key: string,
      at: { channel: string; thread: string | null },
      kind: "document" | "files",
      document: Document | null,
    ): Promise<{ row: MessageRow; isNew: boolean }> {
      const inserted = await db
        .insertInto("console_messages")
        .values({
          id,
          key,
          channel: at.channel,
          thread: at.thread,
          author: "parley",
          author_name: "Parley",
          kind,
          text: null,
          document: document === null ? null : JSON.stringify(document),
          addressed: 0,
          pending: 0,
          removed: 0,
          rev: 1,
          at: clock.now(),
          edited_at: null,
        })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .returningAll()
        .executeTakeFirst();
      if (inserted !== undefined) return { row: inserted, isNew: true };
      const row = await messages().where("key", "=", key).executeTakeFirstOrThrow();
      return { row, isNew: false };
    },

    byKey: (key: string): Promise<MessageRow | undefined> => messages().where("key", "=", key).executeTakeFirst(),

    setDocument: (id: string, document: Document): Promise<MessageRow | undefined> =>
      change(id, { document: JSON.stringify(document) }),

    setText: (id: string, text: string, document: Document): Promise<MessageRow | undefined> =>
      change(id, { text, document: JSON.stringify(document), edited_at: clock.now() }),

    /** Something about it changed that is kept elsewhere: its thread. */
    touch: (id: string): Promise<MessageRow | undefined> => change(id, {}),

    /** Leaves a mark, so that its thread keeps its place and its id is never used again. */
    remove: (id: string): Promise<MessageRow | undefined> => change(id, { removed: 1, key: null, text: null, document: null }),

    /** Messages of a channel outside of threads. A removed one is among them only while its thread has messages. */
    async roots(channel: string, before: number | null, limit: number): Promise<Page> {
      const rows = await messages()
        .where("channel", "=", channel)
        .where("thread", "is", null)
        .$if(before !== null, (query) => query.where("seq", "<", before ?? 0))
        .where((row) =>
          row.or([
            row("removed", "=", 0),
            row.exists(
              row
                .selectFrom("console_messages as reply")
                .select("reply.seq")
                .whereRef("reply.thread", "=", "console_messages.id")
                .where("reply.removed", "=", 0),
            ),
          ]),
        )
        .orderBy("seq", "desc")
        .limit(limit + 1)
        .execute();
      return { rows: rows.slice(0, limit).toReversed(), more: rows.length > limit };
    },

    /** Oldest first. */
    async replies(thread: string, before?: number, limit: number = repliesLimit): Promise<MessageRow[]> {
      const rows = await messages()
        .where("thread", "=", thread)
        .where("removed", "=", 0)
        .$if(before !== undefined, (query) => query.where("seq", "<", before ?? 0))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.toReversed();
    },

    /** How many messages hang from each of `ids`, and when the newest was said. */
    async threads(ids: readonly string[]): Promise<Map<string, { count: number; lastAt: number }>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom("console_messages")
        .select(["thread", sql<number>`count(*)`.as("count"), sql<number>`max(at)`.as("lastAt")])
        .where("thread", "in", ids)
        .where("pending", "=", 0)
        .where("removed", "=", 0)
        .groupBy("thread")
        .execute();
      return new Map(rows.map((row) => [row.thread ?? "", { count: row.count, lastAt: row.lastAt }]));
    },

    /** Parley began this thread, was asked in it, or spoke in it. */
    async takesPart(thread: string): Promise<boolean> {
      const found = await db
        .selectFrom("console_messages")
        .select("seq")
        .where((row) => row.or([row("id", "=", thread), row("thread", "=", thread)]))
        .where((row) =>
          row.or([
            row("author", "=", "parley"),
            // A command that was typed in a channel is answered there, not in a thread.
            row.and([row("addressed", "=", 1), row.or([row("kind", "=", "text"), row("thread", "is not", null)])]),
          ]),
        )
        .where("pending", "=", 0)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    channels: (): Promise<ChannelRow[]> => db.selectFrom("console_channels").selectAll().orderBy("at").orderBy("name").execute(),

    channel: (id: string): Promise<ChannelRow | undefined> =>
      db.selectFrom("console_channels").selectAll().where("id", "=", id).executeTakeFirst(),

    /** A channel's name is its id. Undefined when there is one already. */
    addChannel: (name: string): Promise<ChannelRow | undefined> =>
      db
        .insertInto("console_channels")
        .values({ id: name, name, kind: "channel", at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst(),

    /** The name that the person at this console goes by. */
    async personName(): Promise<string> {
      const row = await db.selectFrom("console_settings").select("value").where("name", "=", "person").executeTakeFirst();
      return row?.value ?? "You";
    },

    async setPersonName(value: string): Promise<void> {
      await db
        .insertInto("console_settings")
        .values({ name: "person", value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    },
  };
}
