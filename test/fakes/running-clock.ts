/** The machine's time, counted while this process runs: nobody's patience ends because the process had to wait for a processor. */
import { systemClock, type Clock } from "../../src/clock.ts";

/** Longer timers are nobody's patience, in ms. */
const longest = 5_000;

/** A timer in twenty parts, of which a pause of the process takes one at most. */
export const runningClock: Clock = {
  now: () => systemClock.now(),
  after(ms, then) {
    if (ms <= 0 || ms > longest) return systemClock.after(ms, then);
    let parts = 20;
    let cancel = (): void => {};
    const next = (): void => void (cancel = systemClock.after(ms / 20, --parts > 0 ? next : then));
    next();
    return () => cancel();
  },
};
