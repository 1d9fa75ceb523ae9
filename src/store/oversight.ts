/** What operators may see, read from the store. */
import type { Oversight } from "../core/oversight.ts";
import { stuckMs } from "../core/oversight.ts";
import { readPlaceKey } from "../core/place.ts";
import type { Outcome } from "../core/turns/store.ts";
import { createCounters } from "./allowances.ts";
import type { StoreDatabase } from "./schema.ts";
import { hasten } from "./turns/asking.ts";

const dayMs = 24 * 60 * 60_000;

export function createOversight(db: StoreDatabase): Oversight {
  return {
    async links(most) {
      const { count } = await db
        .selectFrom("links")
        .select((row) => row.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      const rows = await db
        .selectFrom("links")
        .select(["platform", "person", "linked_at", "broken_at"])
        .orderBy("linked_at", "desc")
        .limit(most)
        .execute();
      const newest = rows.map((row) => ({
        platform: row.platform,
        person: row.person,
        linkedAt: row.linked_at,
        broken: row.broken_at !== null,
      }));
      return { count, newest };
    },

    async used(now, most) {
      const all = await createCounters(db).top("day", now - (now % dayMs), most);
      return all.filter(({ credits }) => credits.gt(0));
    },

    async lanes(most) {
      const rows = await db
        .selectFrom("turns")
        .where("closed_at", "is", null)
        .groupBy("place")
        .select((row) => ["place", row.fn.countAll<number>().as("open"), row.fn.min("created_at").as("oldest")])
        .orderBy("open", "desc")
        .orderBy("oldest")
        .limit(most)
        .execute();
      return rows.map(({ place, open, oldest }) => ({ place: readPlaceKey(place), open, oldest }));
    },

    async dead(now, most) {
      const dead = db
        .selectFrom("turns")
        .where((row) =>
          row.or([
            row.and([
              row("closed_at", "is not", null),
              row("body", "is not", null),
              row("kind", "=", "message"),
              row("outcome", "in", ["failed", "unknown"]),
            ]),
            row.and([row("closed_at", "is", null), row("created_at", "<", now - stuckMs)]),
          ]),
        );
      const { count } = await dead.select((row) => row.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
      const rows = await dead
        .select(["key", "place", "asker", "kind", "created_at", "outcome"])
        .orderBy("created_at")
        .limit(most)
        .execute();
      const oldest = rows.map((row) => ({
        key: row.key,
        place: readPlaceKey(row.place),
        person: row.asker,
        kind: row.kind,
        at: row.created_at,
        outcome: row.outcome as Outcome | null,
      }));
      return { count, oldest };
    },

    hasten: (key, now) => hasten(db, key, now),
  };
}
