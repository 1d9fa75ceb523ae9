/** One budget as the platform counts it: a sliding window held strictly, even spacing, and what 429s taught. */
import type { Budget } from "../platform.ts";

/** How much of the documented rate is left after a 429, and how little at least. */
const cut = 0.7;
const leastFactor = 0.05;
/** How much of the documented rate comes back in each window without a 429. */
const recoveryPerWindow = 0.02;

/** How much of a window may be made up for at once after the window was full. */
const caughtUp = 0.25;

export interface BudgetKey {
  /** Whose figures count from now on. */
  follow(budget: Budget): void;
  /** The earliest time for the next write, in ms; at or before `now`: open. */
  opensAt(now: number): number;
  /** Counts a write. */
  take(now: number): void;
  /** Someone waits because of this key: whatever time a late timer costs is made up for. */
  hunger(hungry: boolean): void;
  /** Closes it until then, and lowers the rate, once for all 429s of one closing. */
  close(now: number, until: number): void;
  /** Nothing that happened is still of consequence: it may be forgotten. */
  idle(now: number): boolean;
}

export function createBudgetKey(first: Budget, start: number): BudgetKey {
  let budget = first;
  // The times of the last `budget.count` writes at least, the newest last.
  const times: number[] = [];
  const writesAgo = (writes: number): number => times[times.length - writes] ?? -Infinity;
  let factor = 1;
  let factorAt = start;
  let closedUntil = -Infinity;
  // Writes that even spacing allows at once, refilled over time.
  let level = Math.max(1, budget.burst);
  let levelAt = start;
  let hungry = false;

  // A clock that is set back must not close the budget until it comes round again: time goes on from where it was.
  let latest = start;
  let setBack = 0;
  const steady = (now: number): number => {
    setBack = Math.max(setBack, latest - now);
    latest = now + setBack;
    return latest;
  };

  const recover = (now: number): void => {
    factor = Math.min(1, factor + (recoveryPerWindow * Math.max(0, now - factorAt)) / budget.windowMs);
    factorAt = Math.max(factorAt, now);
  };
  const allowed = (): number => Math.max(1, Math.floor(budget.count * factor));
  const interval = (): number => budget.windowMs / (budget.count * factor);
  /** When the window has room again: `allowed` writes ago, plus the window. */
  const windowOpens = (): number => writesAgo(allowed()) + budget.windowMs;

  // Time in which the window was full gives no new burst, so that the spacing is even after one; but what a late timer
  // cost one window ago is not lost again.
  const refill = (now: number): void => {
    const { count, burst } = budget;
    const full = Math.min(now, Math.max(levelAt, windowOpens()));
    if (full > levelAt) level = Math.max(level, Math.min(Math.max(1, count * caughtUp), level + (full - levelAt) / interval()));
    level = Math.min(hungry ? count : Math.max(1, burst), level + Math.max(0, now - full) / interval());
    levelAt = Math.max(levelAt, now);
  };

  return {
    follow(newest) {
      budget = newest;
    },
    opensAt(clockNow) {
      const now = steady(clockNow);
      recover(now);
      refill(now);
      // Where a whole window may be used at once, nothing is spaced.
      const spaced = level >= 1 - 1e-9 || budget.burst >= budget.count ? now : now + (1 - level) * interval();
      const told = (budget.closedUntil ?? -Infinity) + setBack;
      return Math.max(closedUntil, told, windowOpens(), spaced) - setBack;
    },
    take(clockNow) {
      const now = steady(clockNow);
      recover(now);
      refill(now);
      level -= 1;
      times.push(now);
      // Dropping half at a time costs each write a constant amount.
      if (times.length >= 2 * budget.count) times.splice(0, times.length - budget.count);
    },
    hunger(value) {
      hungry = value;
    },
    close(clockNow, until) {
      const now = steady(clockNow);
      recover(now);
      if (closedUntil <= now) factor = Math.max(leastFactor, factor * cut);
      closedUntil = Math.max(closedUntil, until + setBack);
      factorAt = closedUntil;
      level = Math.min(level, 1);
      levelAt = closedUntil;
    },
    idle(clockNow) {
      const now = steady(clockNow);
      recover(now);
      return factor === 1 && closedUntil <= now && writesAgo(1) + budget.windowMs <= now;
    },
  };
}
