/** A clock that stands still until it is told to move. */
import type { Clock } from "../../src/clock.ts";

export interface FakeClock extends Clock {
  /** Moves time forward, firing due timers in order, and lets promises settle after each. What needs the network or a database is not waited for without `busy`. */
  advance(ms: number): Promise<void>;
  /** Timers that are set: a test of a shut-down expects 0. */
  readonly pending: number;
}

/**
 * @param busy whether what this clock's owner has asked of something real is under way, as a statement of a database: it takes the
 * machine's time, which nobody knows, so the clock waits for it
 */
export function fakeClock(start = 1_700_000_000_000, busy: () => boolean = () => false): FakeClock {
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 20; quiet = busy() ? 0 : quiet + 1) await new Promise((resolve) => setImmediate(resolve));
  };
  let now = start;
  let order = 0;
  const timers = new Map<number, { at: number; fire: () => void }>();
  return {
    now: () => now,
    after(ms, fire) {
      const id = ++order;
      timers.set(id, { at: now + Math.max(0, ms), fire });
      return () => void timers.delete(id);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = [...timers].filter(([, timer]) => timer.at <= end).toSorted(([a, x], [b, y]) => x.at - y.at || a - b)[0];
        if (next === undefined) break;
        timers.delete(next[0]);
        now = next[1].at;
        next[1].fire();
        await settle();
      }
      now = end;
      await settle();
    },
    get pending() {
      return timers.size;
    },
  };
}
