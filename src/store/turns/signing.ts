/** What is noted of the signs of turns that nobody has begun. */
import { noProgress, type Progress } from "../../core/turns/progress.ts";
import type { TurnStore } from "../../core/turns/store.ts";
import type { StoreDatabase } from "../schema.ts";
import { changed, waiting } from "./row.ts";

const signed = (more: Partial<Progress> = {}): string =>
  JSON.stringify({ ...noProgress, signed: true, ...more } satisfies Progress);

type Signing = Pick<TurnStore, "markSigned" | "saveSign">;

export function createSigning(db: StoreDatabase): Signing {
  const unbegun = (key: string) => waiting(db, key).where("fence", "=", 0);
  return {
    markSigned: (key) => changed(unbegun(key).set({ progress: signed() })),

    async saveSign({ id, fence }, key, delivery) {
      const held = db
        .selectFrom("turns as r")
        .select("r.id")
        .where("r.id", "=", id)
        .where("r.fence", "=", fence)
        .where("r.owner", "is not", null)
        .where("r.closed_at", "is", null);
      const saved = await changed(
        unbegun(key)
          .where((expression) => expression.exists(held))
          .set({ progress: signed({ delivery }) }),
      );
      return saved || (await held.executeTakeFirst()) !== undefined;
    },
  };
}
