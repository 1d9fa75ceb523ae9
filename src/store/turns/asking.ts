/** What is asked of turns by their key, by whoever does not run them: people and operators. */
import { sql } from "kysely";
import { placeKey } from "../../core/place.ts";
import { noProgress } from "../../core/turns/progress.ts";
import type { TurnStore } from "../../core/turns/store.ts";
import type { Cipher } from "../cipher.ts";
import type { StoreDatabase } from "../schema.ts";
import { endOne, openOf } from "./behind.ts";
import { changed, open, sealInbound, waiting } from "./row.ts";

/** Lets a turn that waits for its next try be tried now. False: nobody waits, it runs or is closed. */
export const hasten = (db: StoreDatabase, key: string, now: number): Promise<boolean> =>
  changed(waiting(db, key).set({ due_at: now }));

type Asking = Pick<TurnStore, "put" | "replaceWaiting" | "cancelWaiting" | "requestStop" | "requestRemoval" | "rate">;

export function createAsking(db: StoreDatabase, cipher: Cipher): Asking {
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
          body: sealInbound(cipher, inbound.key, inbound),
          progress: JSON.stringify(noProgress),
          due_at: now,
          behind: openOf(db, lane).select(sql.lit(1).as("behind")),
          created_at: now,
        })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row === undefined ? "known" : "new";
    },

    // One that was begun and given back says what it said.
    replaceWaiting: (key, inbound) =>
      changed(
        open(db, key)
          .where("fence", "=", 0)
          .set({ body: sealInbound(cipher, key, inbound) }),
      ),

    cancelWaiting: (key, now) =>
      endOne(db, (on) => waiting(on, key).set({ closed_at: now, outcome: "cancelled", body: null, behind: null })),

    requestStop: (key, now) => changed(open(db, key).set({ stop_at: now })),

    requestRemoval: (key, now, leaves) => changed(open(db, key).set({ stop_at: now, removal: leaves })),

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
  };
}
