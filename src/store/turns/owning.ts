/** What a turn's owner writes of it, and what becomes of the text that it kept. */
import type { TurnStore } from "../../core/turns/store.ts";
import type { StoreDatabase } from "../schema.ts";
import { endOne } from "./behind.ts";
import { changed, type Fenced } from "./row.ts";

type Owning = Pick<TurnStore, "saveProgress" | "close" | "release" | "forgetText">;

export function createOwning(db: StoreDatabase, mine: Fenced): Owning {
  return {
    saveProgress: (turn, progress) => changed(mine(turn).set({ progress: JSON.stringify(progress) })),

    close: (turn, now, outcome, keepText) =>
      endOne(db, (on) =>
        mine(turn, on).set({ closed_at: now, owner: null, lease_until: null, outcome, ...(keepText ? {} : { body: null }) }),
      ),

    release: (turn, dueAt) => changed(mine(turn).set({ owner: null, lease_until: null, due_at: dueAt })),

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
