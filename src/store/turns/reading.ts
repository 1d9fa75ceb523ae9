/** What is read of turns: one, those of a lane, and how many there are. */
import type { TurnStore } from "../../core/turns/store.ts";
import type { StoreDatabase } from "../schema.ts";
import { columns, type ReadRow } from "./row.ts";

type Reading = Pick<TurnStore, "find" | "newestOf" | "waitingIn" | "openIn" | "depth">;

export function createReading(db: StoreDatabase, read: ReadRow): Reading {
  return {
    async find(key) {
      const row = await db
        .selectFrom("turns")
        .select(columns)
        .where("key", "=", key)
        .where("body", "is not", null)
        .executeTakeFirst();
      return row === undefined ? undefined : read(row);
    },

    async newestOf(lane) {
      const row = await db
        .selectFrom("turns")
        .select(columns)
        .where("lane", "=", lane)
        .where("kind", "in", ["message", "action"])
        .orderBy("lane")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row === undefined || row.body === null ? undefined : read(row);
    },

    async waitingIn(lane, limit) {
      const rows = await db
        .selectFrom("turns")
        .select(columns)
        .where("lane", "=", lane)
        .where("closed_at", "is", null)
        .where("owner", "is", null)
        .orderBy("lane")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(read);
    },

    async openIn(lane, limit) {
      const rows = await db
        .selectFrom("turns")
        .select("key")
        .where("lane", "=", lane)
        .where("closed_at", "is", null)
        .orderBy("lane")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map((row) => row.key);
    },

    async depth(now) {
      const open = db.selectFrom("turns").where("closed_at", "is", null);
      const waiting = await open
        .where("owner", "is", null)
        .select((expression) => [expression.fn.countAll<number>().as("count"), expression.fn.min("created_at").as("oldest")])
        .executeTakeFirstOrThrow();
      const running = await open
        .where("owner", "is not", null)
        .select((expression) => expression.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return {
        waiting: waiting.count,
        running: running.count,
        oldestWaitingMs: waiting.oldest === null ? 0 : Math.max(0, now - waiting.oldest),
      };
    },
  };
}
