/**
 * The replicas that are alive, and which write budgets each of them uses: a budget is shared by those who use it.
 * A budget that one replica alone uses, as that of a thread's channel mostly is, stays whole.
 */
import { randomUUID } from "node:crypto";
import type { Cancel, Clock } from "../clock.ts";
import type { Migration } from "../database/migrate.ts";
import { reasonOf } from "../errors.ts";
import type { StoreDatabase } from "./schema.ts";

export interface ReplicasTable {
  name: string;
  seen_at: number;
  /** JSON: names of the budgets used lately. */
  budgets: string;
}

export const replicasMigrations: readonly Migration[] = [
  {
    name: "replicas-1",
    async up(db) {
      await db.schema
        .createTable("replicas")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("seen_at", "bigint", (column) => column.notNull())
        .addColumn("budgets", "text", (column) => column.notNull())
        .execute();
    },
  },
];

/** How long, in ms. */
export const replicaTimes = {
  /** Between two times that a replica tells of itself and reads of the others. */
  beat: 2_000,
  /** One that told nothing for so long is gone, and its share goes to the others. */
  gone: 10_000,
  /** A budget counts as used for so long after its last write: longer than the longest window that platforms count in. */
  used: 70_000,
} as const;

export interface Replicas {
  /**
   * Among how many a budget is shared now; notes that this one uses it.
   * Until the others can have read of that, it is shared among all.
   */
  sharers(budget: string): number;
  /** Tells of this replica for the first time; resolves when it knows of the others. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Use {
  at: number;
  /** Since when the others could read of it. */
  told: number | undefined;
}

export interface ReplicasOptions {
  readonly db: StoreDatabase;
  readonly clock: Clock;
  readonly log: { warn(fields: object, text: string): void };
}

export function createReplicas({ db, clock, log }: ReplicasOptions): Replicas {
  const name = randomUUID();
  const uses = new Map<string, Use>();
  let others: readonly ReadonlySet<string>[] = [];
  let cancel: Cancel = () => {};
  let stopped = false;

  const beat = async (): Promise<void> => {
    const now = clock.now();
    for (const [key, { at }] of uses) if (at < now - replicaTimes.used) uses.delete(key);
    const told = [...uses.keys()];
    const row = { seen_at: now, budgets: JSON.stringify(told) };
    await db
      .insertInto("replicas")
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
      .execute();
    for (const key of told) {
      const use = uses.get(key);
      if (use !== undefined) use.told ??= now;
    }
    const rows = await db
      .selectFrom("replicas")
      .select("budgets")
      .where("name", "!=", name)
      .where("seen_at", ">", now - replicaTimes.gone)
      .execute();
    others = rows.map(({ budgets }) => new Set(JSON.parse(budgets) as string[]));
  };
  const again = (): void => {
    if (stopped) return;
    cancel = clock.after(replicaTimes.beat, () => {
      beat()
        .catch((thrown: unknown) =>
          log.warn({ reason: reasonOf(thrown) }, "other replicas could not be read of; budgets are shared as before"),
        )
        .finally(again);
    });
  };

  return {
    sharers(budget) {
      const now = clock.now();
      const use = uses.get(budget) ?? { at: now, told: undefined };
      use.at = now;
      uses.set(budget, use);
      // Two beats: by then each of the others has read of it.
      if (use.told === undefined || now - use.told < 2 * replicaTimes.beat) return others.length + 1;
      return others.filter((used) => used.has(budget)).length + 1;
    },
    async start() {
      await beat();
      await db
        .deleteFrom("replicas")
        .where("seen_at", "<", clock.now() - 60 * replicaTimes.gone)
        .execute();
      again();
    },
    async stop() {
      stopped = true;
      cancel();
      await db.deleteFrom("replicas").where("name", "=", name).execute();
    },
  };
}
