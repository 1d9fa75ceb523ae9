/** Where it stands how write budgets are divided among replicas. */
import type { Migration } from "../database/migrate.ts";
import type { Division } from "../core/relay/division.ts";
import type { DivisionTable } from "../core/relay/shared.ts";
import type { StoreDatabase } from "./schema.ts";

export interface DivisionsTable {
  budget: string;
  /** JSON. */
  division: string;
  changed_at: number;
}

export const divisionsMigrations: readonly Migration[] = [
  {
    name: "divisions-1",
    async up(db) {
      await db.schema
        .createTable("divisions")
        .addColumn("budget", "text", (column) => column.primaryKey())
        .addColumn("division", "text", (column) => column.notNull())
        .addColumn("changed_at", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];

/** Longer than any window and any hold, in ms: what was not changed for so long is as if it had never been. */
const keptMs = 600_000;

export interface Divisions extends DivisionTable {
  /** Deletes those of budgets that nobody has used for long. */
  prune(): Promise<void>;
}

export function createDivisions(db: StoreDatabase, now: () => number): Divisions {
  return {
    async exchange(keys, change) {
      await db.transaction().execute(async (transaction) => {
        const put = (rows: ReadonlyMap<string, string>, change: "division" | "budget") =>
          transaction
            .insertInto("divisions")
            .values([...rows].map(([budget, division]) => ({ budget, division, changed_at: now() })))
            .onConflict((conflict) =>
              conflict.column("budget").doUpdateSet((row) => ({
                [change]: row.ref(`excluded.${change}`),
                changed_at: row.ref("excluded.changed_at"),
              })),
            );
        // Writing each row as it is locks it, in the same order for all.
        const rows = await put(new Map(keys.map((key) => [key, ""])), "budget")
          .returning(["budget", "division"])
          .execute();
        const known = rows.filter(({ division }) => division !== "");
        const changed = change(new Map(known.map(({ budget, division }) => [budget, JSON.parse(division) as Division])));
        if (changed.size > 0)
          await put(new Map([...changed].map(([key, division]) => [key, JSON.stringify(division)])), "division").execute();
      });
    },
    async prune() {
      await db
        .deleteFrom("divisions")
        .where("changed_at", "<", now() - keptMs)
        .execute();
    },
  };
}
