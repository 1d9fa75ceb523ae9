/** Who runs a turn: claims, and the leases that hold them. */
import type { Claim, Leaves, TurnStore } from "../../core/turns/store.ts";
import { isPostgres } from "../../database/dialect.ts";
import type { StoreDatabase } from "../schema.ts";
import { bringForward } from "./behind.ts";
import { columns, type Fenced, type ReadRow } from "./row.ts";

/** A lane that another claim took at the same time: the unique index on running lanes refuses the second. */
const lostRace = (thrown: unknown): boolean =>
  typeof thrown === "object" &&
  thrown !== null &&
  (("code" in thrown && thrown.code === "23505") || ("errcode" in thrown && thrown.errcode === 2067));

type Claiming = Pick<TurnStore, "claim" | "bringForward" | "renew" | "expire" | "disown">;

export function createClaiming(db: StoreDatabase, read: ReadRow, mine: Fenced): Claiming {
  const postgres = isPostgres(db);
  return {
    async claim({ owner, now, leaseUntil, lane }: Claim) {
      try {
        const row = await db
          .updateTable("turns")
          .set((expression) => ({ owner, lease_until: leaseUntil, behind: null, fence: expression("fence", "+", 1) }))
          .where("id", "=", (expression) =>
            expression
              .selectFrom("turns as t")
              .select("t.id")
              .where("t.closed_at", "is", null)
              .where("t.owner", "is", null)
              .where("t.due_at", "<=", now)
              // A lane by its name: no mark is asked. All lanes: only what may be the first of its own.
              .$call((query) => (lane === undefined ? query.where("t.behind", "is", null) : query.where("t.lane", "=", lane)))
              // The first open turn of its lane. A scalar subquery: PostgreSQL plans NOT EXISTS badly on stale statistics.
              .where("t.id", "=", (first) =>
                first
                  .selectFrom("turns as o")
                  .select("o.id")
                  .where("o.closed_at", "is", null)
                  // By a lane's name it is looked up once, however many wait in the lane.
                  .$call((query) =>
                    lane === undefined ? query.whereRef("o.lane", "=", "t.lane") : query.where("o.lane", "=", lane),
                  )
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

    bringForward: () => bringForward(db),

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
  };
}
