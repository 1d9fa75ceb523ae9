/** One process's part of a budget that several use. */
import type { Budget } from "../platform.ts";

/**
 * A part that `sharers` of together never exceed the whole, in any window.
 * @param sharers 1: the budget as it is
 */
export function shareOf(budget: Budget, sharers: number): Budget {
  if (sharers <= 1) return budget;
  const count = Math.floor(budget.count / sharers);
  // Less than one in a window: one in several windows.
  if (count === 0) return { ...budget, count: 1, burst: 1, windowMs: Math.ceil((budget.windowMs * sharers) / budget.count) };
  return { ...budget, count, burst: Math.max(1, Math.min(count, Math.floor(budget.burst / sharers))) };
}
