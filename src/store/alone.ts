/** Work that one replica does at a time: a lease on its name, which ends by itself when its holder is gone. */
import { randomUUID } from "node:crypto";
import { sleep, type Clock } from "../clock.ts";
import { createAloneHere, type Alone } from "../core/alone.ts";
import type { Migration } from "../database/migrate.ts";
import { Fault, reasonOf } from "../errors.ts";
import type { StoreDatabase } from "./schema.ts";

export interface DutiesTable {
  name: string;
  owner: string;
  until: number;
}

export const dutiesMigrations: readonly Migration[] = [
  {
    name: "duties-1",
    async up(db) {
      await db.schema
        .createTable("duties")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("owner", "text", (column) => column.notNull())
        .addColumn("until", "bigint", (column) => column.notNull())
        .execute();
    },
  },
];

/** How long, in ms. Whoever takes over begins at most `lease` and one `look` after the holder was last alive. */
export const dutyTimes = { lease: 5_000, renew: 1_000, look: 500 } as const;

export interface AloneOptions {
  readonly db: StoreDatabase;
  readonly clock: Clock;
  readonly log: { warn(fields: object, text: string): void };
}

export function createAlone({ db, clock, log }: AloneOptions): Alone {
  const here = createAloneHere();

  const take = async (name: string, owner: string): Promise<boolean> => {
    const now = clock.now();
    const mine = { owner, until: now + dutyTimes.lease };
    const row = await db
      .insertInto("duties")
      .values({ name, ...mine })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(mine).where("duties.until", "<", now))
      .returning("owner")
      .executeTakeFirst();
    return row !== undefined;
  };
  const renew = async (name: string, owner: string, until: number): Promise<boolean> => {
    const row = await db
      .updateTable("duties")
      .set({ until })
      .where("name", "=", name)
      .where("owner", "=", owner)
      .returning("name")
      .executeTakeFirst();
    return row !== undefined;
  };
  const release = async (name: string, owner: string): Promise<void> => {
    await db.deleteFrom("duties").where("name", "=", name).where("owner", "=", owner).execute();
  };

  const wait = async (name: string, owner: string, signal: AbortSignal): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      try {
        if (await take(name, owner)) return;
      } catch (thrown) {
        // Taken or not: it is tried again, and a lease that was taken and is not known of ends by itself.
        log.warn({ duty: name, reason: reasonOf(thrown) }, "the store could not be asked who does what");
      }
      await sleep(clock, dutyTimes.look, signal);
    }
  };

  const holding = async <Result>(
    name: string,
    signal: AbortSignal,
    work: (held: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const owner = randomUUID();
    await wait(name, owner, signal);
    let until = clock.now() + dutyTimes.lease;
    const lost = new AbortController();
    const again = (): void => {
      const next = clock.now() + dutyTimes.lease;
      renew(name, owner, next).then(
        (held) => {
          if (!held || clock.now() > until) return lost.abort(new Fault("duty_lost", "another replica may do this now"));
          until = next;
          cancel = clock.after(dutyTimes.renew, again);
        },
        (thrown: unknown) => {
          if (clock.now() > until)
            return lost.abort(new Fault("duty_lost", "the lease could not be renewed in time", { cause: thrown }));
          cancel = clock.after(dutyTimes.renew / 4, again);
        },
      );
    };
    let cancel = clock.after(dutyTimes.renew, again);
    try {
      return await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      cancel();
      // One that cannot be given back ends by itself.
      await release(name, owner).catch((thrown: unknown) =>
        log.warn({ duty: name, reason: reasonOf(thrown) }, "what this replica did alone could not be given back at once"),
      );
    }
  };

  return (name, signal, work) => here(name, signal, () => holding(name, signal, work));
}
