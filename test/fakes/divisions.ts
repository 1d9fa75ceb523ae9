/** A table of divisions in memory that takes its time, for replicas that are killed and frozen. */
import type { Clock } from "../../src/clock.ts";
import { sleep } from "../../src/clock.ts";
import type { Division } from "../../src/core/relay/division.ts";
import type { DivisionTable } from "../../src/core/relay/shared.ts";

export interface FakeDivisions {
  /** The table as one replica reaches it. `between` is waited for before each step. */
  reachedBy(between: () => Promise<void>): DivisionTable;
  readonly divisions: ReadonlyMap<string, Division>;
}

/** `lost`: nothing is stored; `unknown`: all is stored, and the answer is lost. */
export type Outcome = "stored" | "lost" | "unknown";

/**
 * @param latencyMs of each step of an exchange: to lock, to store
 * @param outcome of the next exchange
 */
export function createFakeDivisions(
  clock: Clock,
  latencyMs: () => number,
  outcome: () => Outcome = () => "stored",
): FakeDivisions {
  const divisions = new Map<string, Division>();
  let last: Promise<void> = Promise.resolve();
  return {
    divisions,
    reachedBy: (between) => ({
      async exchange(keys, change) {
        await between();
        const before = last;
        const done = Promise.withResolvers<void>();
        last = done.promise;
        try {
          await before;
          await sleep(clock, latencyMs());
          await between();
          const known = keys.flatMap((key) => {
            const division = divisions.get(key);
            return division === undefined ? [] : [[key, division] as const];
          });
          // As JSON, as it is stored.
          const changed = JSON.parse(JSON.stringify([...change(new Map(known))])) as [string, Division][];
          await sleep(clock, latencyMs());
          const comes = outcome();
          if (comes !== "lost") for (const [key, division] of changed) divisions.set(key, division);
          if (comes !== "stored") throw new Error("the store did not answer");
        } finally {
          done.resolve();
        }
        await between();
      },
    }),
  };
}
