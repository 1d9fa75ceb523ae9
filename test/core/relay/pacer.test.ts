import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WriteFault } from "../../../src/errors.ts";
import type { Budget } from "../../../src/core/platform.ts";
import { createPacer, longestHoldMs, type Urgency } from "../../../src/core/relay/pacer.ts";
import { fakeClock } from "../../fakes/clock.ts";

const budget = (change: Partial<Budget> = {}): Budget => ({ key: "k", count: 10, windowMs: 1_000, burst: 1, ...change });

function setUp() {
  const clock = fakeClock();
  const start = clock.now();
  const warnings: unknown[] = [];
  const pacer = createPacer({ clock, log: { warn: (fields: unknown) => void warnings.push(fields) } as never });
  const grants: { readonly name: string; readonly at: number }[] = [];
  const wish = (name: string, budgets: readonly Budget[], urgency: Urgency = "more", since = clock.now()) =>
    pacer.wish({
      budgets,
      urgency,
      since,
      grant: () => {
        grants.push({ name, at: clock.now() - start });
        return true;
      },
    });
  const limited = (budgets: readonly Budget[], retryAfterMs: number, budgetKey?: string) =>
    pacer.limited(budgets, new WriteFault("rate_limited", "too many", { retryAfterMs, budgetKey }));
  return { clock, pacer, grants, wish, limited, warnings };
}

/** The most grants in any window. */
const densest = (times: readonly number[], windowMs: number): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length));

describe("pacer", () => {
  it("grants at once what the burst allows, then evenly spaced", async () => {
    const { clock, grants, wish } = setUp();
    for (let name = 0; name < 15; name++) wish(String(name), [budget({ burst: 3 })]);
    await clock.advance(1_500);
    expect(grants.map(({ at }) => at)).toEqual([0, 0, 0, 100, 200, 300, 400, 500, 600, 700, 1_000, 1_000, 1_050, 1_150, 1_250]);
  });

  it("never grants more than the count in any window, whatever comes when", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 15 })), { minLength: 1, maxLength: 8 }),
        async (count, burst, arrivals) => {
          const { clock, grants, wish } = setUp();
          const mine = budget({ count, burst: Math.min(burst, count) });
          for (const [after, wishes] of arrivals) {
            await clock.advance(after);
            for (let name = 0; name < wishes; name++) wish(String(name), [mine]);
          }
          await clock.advance(150_000);
          expect(grants).toHaveLength(arrivals.reduce((sum, [, wishes]) => sum + wishes, 0));
          expect(
            densest(
              grants.map(({ at }) => at),
              1_000,
            ),
          ).toBeLessThanOrEqual(count);
          expect(clock.pending).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("makes up for a late timer, within the window", async () => {
    // A clock whose timers all come 35 ms late.
    const clock = fakeClock();
    const late = { now: () => clock.now(), after: (ms: number, then: () => void) => clock.after(ms + 35, then) };
    const pacer = createPacer({ clock: late, log: { warn: () => {} } as never });
    const times: number[] = [];
    const mine = budget({ count: 100, burst: 1 });
    for (let name = 0; name < 300; name++) {
      pacer.wish({ budgets: [mine], urgency: "more", since: 0, grant: () => times.push(clock.now()) > 0 });
    }
    await clock.advance(3_500);
    expect(times).toHaveLength(300);
    expect(densest(times, 1_000)).toBeLessThanOrEqual(100);
  });

  it("goes on when the clock is set back", async () => {
    const clock = fakeClock();
    let setBack = 0;
    const times: number[] = [];
    const pacer = createPacer({
      clock: { now: () => clock.now() - setBack, after: clock.after.bind(clock) },
      log: { warn: () => {} } as never,
    });
    for (let name = 0; name < 40; name++) {
      pacer.wish({ budgets: [budget({ burst: 10 })], urgency: "more", since: 0, grant: () => times.push(clock.now()) > 0 });
    }
    await clock.advance(500);
    setBack = 3_600_000;
    await clock.advance(5_000);
    expect(times).toHaveLength(40);
    expect(densest(times, 1_000)).toBeLessThanOrEqual(10);
  });

  it("takes from every budget of a write", async () => {
    const { clock, grants, wish } = setUp();
    const shared = budget({ key: "all", count: 4, burst: 4 });
    for (let name = 0; name < 3; name++) {
      wish(`a${name}`, [budget({ key: "a", count: 1 }), shared]);
      wish(`b${name}`, [budget({ key: "b", count: 2, burst: 2 }), shared]);
    }
    await clock.advance(500);
    expect(grants.map(({ name }) => name)).toEqual(["a0", "b0", "b1"]);
    await clock.advance(3_000);
    expect(grants).toHaveLength(6);
  });

  it("lets first words and last states go before, and otherwise the longest waiting", async () => {
    const { clock, grants, wish } = setUp();
    const now = clock.now();
    wish("young", [budget()], "more", now);
    wish("old", [budget()], "more", now - 50);
    wish("sign", [budget()], "sign", now);
    wish("words", [budget()], "edge", now + 10);
    const finishing = wish("finishing", [budget()], "more", now + 20);
    wish("gone", [budget()], "edge", now).cancel();
    finishing.urge("edge");
    await clock.advance(1_000);
    expect(grants.map(({ name }) => name)).toEqual(["words", "finishing", "sign", "old", "young"]);
  });

  it("gives a slot that is not used to the next", async () => {
    const { clock, pacer, grants, wish } = setUp();
    pacer.wish({ budgets: [budget()], urgency: "edge", since: 0, grant: () => false });
    wish("next", [budget()]);
    await clock.advance(0);
    expect(grants).toEqual([{ name: "next", at: 0 }]);
  });

  it("closes only the budget that a 429 names", async () => {
    const { clock, grants, wish, limited } = setUp();
    const [a, b] = [budget({ key: "a" }), budget({ key: "b" })];
    limited([a], 5_000, "a");
    wish("a", [a]);
    wish("b", [b]);
    // The other waits for nothing.
    await clock.advance(0);
    expect(grants.map(({ name }) => name)).toEqual(["b"]);
    await clock.advance(4_999);
    expect(grants.map(({ name }) => name)).toEqual(["b"]);
    await clock.advance(1);
    expect(grants.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  it.each([
    [Number.NaN, 1_000],
    [-5, 1_000],
    [0, 1_000],
    [Number.POSITIVE_INFINITY, longestHoldMs],
    [82_721_000, longestHoldMs],
  ])("after a 429 of %d ms it waits %d ms", async (asked, held) => {
    const { clock, grants, wish, limited, warnings } = setUp();
    limited([budget()], asked);
    wish("write", [budget()]);
    await clock.advance(held - 1);
    expect(grants).toEqual([]);
    await clock.advance(1);
    expect(grants).toHaveLength(1);
    expect(warnings).toHaveLength(asked === 0 ? 0 : 1);
  });

  it("goes slower after a 429, and comes back to the documented rate", async () => {
    const { clock, grants, wish, limited } = setUp();
    const mine = budget({ count: 100 });
    const perSecond = async (): Promise<number> => {
      const before = grants.length;
      for (let name = grants.length; name < before + 150; name++) wish(String(name), [mine], "more", name);
      await clock.advance(1_000);
      return grants.length - before;
    };
    limited([mine], 1_000);
    limited([mine], 1_000);
    await clock.advance(1_000);
    const slower = await perSecond();
    expect(slower).toBeGreaterThan(60);
    expect(slower).toBeLessThan(75);
    for (let second = 0; second < 20; second++) await perSecond();
    expect(await perSecond()).toBeGreaterThanOrEqual(99);
  });

  it("forgets budgets that are no longer used", async () => {
    const { clock, pacer, grants, wish } = setUp();
    for (let thread = 0; thread < 20; thread++) {
      for (let name = 0; name < 5_000; name++)
        wish("w", [budget({ key: `${thread}/${name}`, count: 1_000, windowMs: 10, burst: 1_000 })]);
      while (grants.length < (thread + 1) * 5_000) await clock.advance(1);
      await clock.advance(20);
    }
    expect(pacer.remembered).toBeLessThanOrEqual(10_000);
    expect(clock.pending).toBe(0);
  });
});
