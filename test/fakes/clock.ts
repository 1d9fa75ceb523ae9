/** A clock that stands still until it is told to move. */
import type { Clock } from "../../src/clock.ts";

export interface FakeClock extends Clock {
  /** Moves time forward, firing due timers in order, and lets promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Timers that are set: a test of a shut-down expects 0. */
  readonly pending: number;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

export function fakeClock(start = 1_700_000_000_000): FakeClock {
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
