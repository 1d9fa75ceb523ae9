/** The durable table of turns, in SQL that SQLite and PostgreSQL share. */
import type { Selectable } from "kysely";
import type { Inbound } from "../core/inbound.ts";
import { placeKey } from "../core/place.ts";
import { noProgress, type Progress } from "../core/turns/progress.ts";
import type { Claim, Leaves, Outcome, StoredTurn, TurnStore } from "../core/turns/store.ts";
import { isPostgres } from "../database/dialect.ts";
import type { Cipher } from "./cipher.ts";
import type { StoreDatabase, TurnsTable } from "./schema.ts";

const columns = [
  "id",
  "key",
  "lane",
  "fence",
  "body",
  "progress",
  "created_at",
  "closed_at",
  "outcome",
  "stop_at",
  "removal",
] as const;
type Row = Pick<Selectable<TurnsTable>, (typeof columns)[number]>;

/** A lane that another claim took at the same time: the unique index on running lanes refuses the second. */
const lostRace = (thrown: unknown): boolean =>
  typeof thrown === "object" &&
  thrown !== null &&
  (("code" in thrown && thrown.code === "23505") || ("errcode" in thrown && thrown.errcode === 2067));

export function createTurnStore(db: StoreDatabase, cipher: Cipher): TurnStore {
  const postgres = isPostgres(db);
  const read = (row: Row): StoredTurn => ({
    id: row.id,
    key: row.key,
    lane: row.lane,
    fence: row.fence,
    inbound: JSON.parse(cipher.open(row.body ?? "", row.key)) as Inbound,
    progress: JSON.parse(row.progress) as Progress,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    outcome: row.outcome as Outcome | null,
    stopRequested: row.stop_at !== null,
    removal: row.removal as Leaves | null,
  });

  /** The rows that a fenced write may touch: this turn, as it was claimed, still open. */
  const mine = (turn: StoredTurn) =>
    db
      .updateTable("turns")
      .where("id", "=", turn.id)
      .where("fence", "=", turn.fence)
      .where("owner", "is not", null)
      .where("closed_at", "is", null);

  return {
    async put(inbound, lane, now) {
      const row = await db
        .insertInto("turns")
        .values({
          key: inbound.key,
          lane,
          kind: inbound.kind,
          platform: inbound.place.platform,
          place: placeKey(inbound.place),
          asker: inbound.author.id,
          body: cipher.seal(JSON.stringify(inbound), inbound.key),
          progress: JSON.stringify(noProgress),
          due_at: now,
          created_at: now,
        })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row === undefined ? "known" : "new";
    },

    async claim({ owner, now, leaseUntil, lane }: Claim) {
      try {
        const row = await db
          .updateTable("turns")
          .set((expression) => ({ owner, lease_until: leaseUntil, fence: expression("fence", "+", 1) }))
          .where("id", "=", (expression) =>
            expression
              .selectFrom("turns as t")
              .select("t.id")
              .where("t.closed_at", "is", null)
              .where("t.owner", "is", null)
              .where("t.due_at", "<=", now)
              .$if(lane !== undefined, (query) => query.where("t.lane", "=", lane as string))
              // The first open turn of its lane. A scalar subquery: PostgreSQL plans NOT EXISTS badly on stale statistics.
              .where("t.id", "=", (first) =>
                first
                  .selectFrom("turns as o")
                  .select("o.id")
                  .where("o.closed_at", "is", null)
                  .whereRef("o.lane", "=", "t.lane")
                  .orderBy("o.lane")
                  .orderBy("o.id")
                  .limit(1),
              )
              // Nor one whose later neighbour runs: that came in by another process at the same moment, and was stored first.
              .where(
                (running) =>
                  running
                    .selectFrom("turns as r")
                    .select("r.id")
                    .whereRef("r.lane", "=", "t.lane")
                    .where("r.owner", "is not", null)
                    .limit(1),
                "is",
                null,
              )
              .orderBy("t.due_at")
              .orderBy("t.id")
              .limit(1)
              // Claims of several processes at once each take another turn, instead of waiting for one.
              .$if(postgres, (query) => query.forUpdate("t").skipLocked()),
          )
          .where("owner", "is", null)
          .where("closed_at", "is", null)
          .returning(columns)
          .executeTakeFirst();
        return row === undefined ? undefined : read(row);
      } catch (thrown) {
        if (lostRace(thrown)) return undefined;
        throw thrown;
      }
    },

    async renew(turn, leaseUntil) {
      const row = await mine(turn).set({ lease_until: leaseUntil }).returning(["stop_at", "removal"]).executeTakeFirst();
      return row === undefined ? undefined : { stopRequested: row.stop_at !== null, removal: row.removal as Leaves | null };
    },

    async expire(before) {
      const freed = await db
        .updateTable("turns")
        .set({ owner: null, lease_until: null })
        .where("owner", "is not", null)
        .where("lease_until", "<", before)
        .where("closed_at", "is", null)
        .returning("id")
        .execute();
      return freed.length;
    },

    async disown(owner) {
      await db
        .updateTable("turns")
        .set({ owner: null, lease_until: null })
        .where("owner", "=", owner)
        .where("closed_at", "is", null)
        .execute();
    },

    async saveProgress(turn, progress) {
      const row = await mine(turn)
        .set({ progress: JSON.stringify(progress) })
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async close(turn, now, outcome, keepText) {
      const row = await mine(turn)
        .set({ closed_at: now, owner: null, lease_until: null, outcome, ...(keepText ? {} : { body: null }) })
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async release(turn, dueAt) {
      const row = await mine(turn).set({ owner: null, lease_until: null, due_at: dueAt }).returning("id").executeTakeFirst();
      return row !== undefined;
    },

    async replaceWaiting(key, inbound) {
      const row = await db
        .updateTable("turns")
        .set({ body: cipher.seal(JSON.stringify(inbound), key) })
        .where("key", "=", key)
        .where("fence", "=", 0)
        .where("closed_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async cancelWaiting(key, now) {
      const row = await db
        .updateTable("turns")
        .set({ closed_at: now, outcome: "cancelled", body: null })
        .where("key", "=", key)
        .where("owner", "is", null)
        .where("closed_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async requestStop(key, now) {
      const row = await db
        .updateTable("turns")
        .set({ stop_at: now })
        .where("key", "=", key)
        .where("closed_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async requestRemoval(key, now, leaves) {
      const row = await db
        .updateTable("turns")
        .set({ stop_at: now, removal: leaves })
        .where("key", "=", key)
        .where("closed_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async rate(key, person, verdict, at) {
      const known = await db.selectFrom("turns").select("id").where("key", "=", key).executeTakeFirst();
      if (known === undefined) return false;
      await db
        .insertInto("ratings")
        .values({ turn_key: key, person, verdict, at })
        .onConflict((conflict) => conflict.columns(["turn_key", "person"]).doUpdateSet({ verdict, at }))
        .execute();
      return true;
    },

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

    async markSigned(key) {
      const row = await db
        .updateTable("turns")
        .set({ progress: JSON.stringify({ ...noProgress, signed: true } satisfies Progress) })
        .where("key", "=", key)
        .where("fence", "=", 0)
        .where("owner", "is", null)
        .where("closed_at", "is", null)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
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

    async forgetText(before) {
      const rows = await db
        .updateTable("turns")
        .set({ body: null })
        .where("closed_at", "is not", null)
        .where("closed_at", "<", before)
        .where("body", "is not", null)
        .returning("id")
        .execute();
      return rows.length;
    },
  };
}
