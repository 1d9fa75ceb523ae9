import fc from "fast-check";
import { expect, test } from "vitest";
import { createBudgetKey } from "../../../src/core/relay/budget-key.ts";
import { shareOf } from "../../../src/core/relay/share.ts";

const budgets = fc.record({
  key: fc.constant("k"),
  count: fc.integer({ min: 1, max: 60 }),
  windowMs: fc.integer({ min: 500, max: 60_000 }),
  burst: fc.integer({ min: 1, max: 60 }),
});

test("what all the sharers write together is never more than the budget, in no window", () => {
  fc.assert(
    fc.property(budgets, fc.integer({ min: 1, max: 5 }), (budget, sharers) => {
      const written: number[] = [];
      for (let sharer = 0; sharer < sharers; sharer++) {
        const key = createBudgetKey(shareOf(budget, sharers), 0);
        for (let now = 0; now < 4 * budget.windowMs;) {
          now = Math.max(now, Math.ceil(key.opensAt(now)));
          key.take(now);
          written.push(now);
        }
      }
      written.sort((a, b) => a - b);
      // With more sharers than writes in a window, each takes one at its start: the one time that more may go out.
      if (sharers > budget.count) return;
      for (const [index, at] of written.entries())
        expect((written[index + budget.count] ?? Infinity) - at).toBeGreaterThanOrEqual(budget.windowMs);
    }),
    { numRuns: 200 },
  );
});

test("a budget that nobody shares is as it was", () => {
  fc.assert(
    fc.property(budgets, (budget) => {
      expect(shareOf(budget, 1)).toBe(budget);
    }),
  );
});
