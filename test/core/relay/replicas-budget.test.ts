/** Replicas that share a budget never exceed it together, whatever befalls them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Budget } from "../../../src/core/platform.ts";
import { createFakeDivisions, type Outcome } from "../../fakes/divisions.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { overBudget, startReplica, type Replica, type Write } from "./fleet.ts";

const budgets = fc.record({
  count: fc.integer({ min: 1, max: 12 }),
  windowMs: fc.integer({ min: 500, max: 15_000 }),
  burst: fc.integer({ min: 1, max: 12 }),
});
const events = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 600, max: 11_000 })),
    who: fc.nat({ max: 3 }),
    what: fc.constantFrom("start", "start", "want", "want", "drain", "kill", "freeze", "thaw"),
    which: fc.nat({ max: 2 }),
    writes: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 4, maxLength: 14 },
);
const outcomes = fc.infiniteStream(fc.constantFrom<Outcome>("stored", "stored", "stored", "stored", "lost", "unknown"));

test("one to four replicas that begin, want, hand over, freeze and die never exceed a budget, in no window", async () => {
  let all = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(budgets, { minLength: 3, maxLength: 3 }),
      events,
      outcomes,
      fc.infiniteStream(fc.integer({ min: 0, max: 300 })),
      async (figures, happens, comes, latencies) => {
        const clock = fakeClock();
        const shared: Budget[] = figures.map((figure, index) => ({ key: `k${index}`, ...figure }));
        const next = <T>(stream: IterableIterator<T>): T => stream.next().value as T;
        const table = createFakeDivisions(
          clock,
          () => next(latencies),
          () => next(comes),
        );
        const writes: { at: number; keys: readonly string[] }[] = [];
        const alive = new Map<number, Replica>();
        let started = 0;
        const start = (who: number): Replica => {
          const known = alive.get(who);
          if (known !== undefined) return known;
          const replica = startReplica(
            `r${started++}`,
            clock,
            (between) => table.reachedBy(between),
            (write) => writes.push(write),
          );
          alive.set(who, replica);
          return replica;
        };
        // Two budgets at once, as a post has, or one.
        const taking = (which: number): Budget[] => (which === 2 ? shared.slice(0, 2) : [shared[which + 1] ?? shared[0]!]);
        start(0).want(taking(2), 1);
        const drains: Promise<void>[] = [];
        for (const { afterMs, who, what, which, writes: wanted } of happens) {
          await clock.advance(afterMs);
          if (what === "start" || what === "want") start(who).want(taking(which), wanted);
          else if (what === "freeze") alive.get(who)?.freeze();
          else if (what === "thaw") alive.get(who)?.thaw();
          else {
            if (what === "kill") alive.get(who)?.kill();
            else
              drains.push(
                alive
                  .get(who)
                  ?.drain()
                  .catch(() => {}) ?? Promise.resolve(),
              );
            alive.delete(who);
          }
        }
        await clock.advance(12_000);
        for (const budget of shared) {
          const times = writes.filter(({ keys }) => keys.includes(budget.key)).map(({ at }) => at);
          all += times.length;
          expect({ budget, over: overBudget(times, budget) }).toEqual({ budget, over: 0 });
        }
        for (const [key, { free, holders }] of table.divisions) {
          const slots = free.length + Object.values(holders).reduce((sum, held) => sum + held.slots.length, 0);
          expect(slots).toBe(shared.find((budget) => budget.key === key)?.count);
        }
      },
    ),
    { numRuns: 200, endOnFailure: true },
  );
  // They do write.
  expect(all).toBeGreaterThan(1_000);
}, 120_000);

/** Two replicas that want one budget, told as soon as one has written. */
function two(budget: Budget) {
  const clock = fakeClock();
  const table = createFakeDivisions(clock, () => 1);
  const writes: Write[] = [];
  let onWrite: (write: Write) => void = () => {};
  const start = (name: string): Replica =>
    startReplica(
      name,
      clock,
      (between) => table.reachedBy(between),
      (write) => {
        writes.push(write);
        onWrite(write);
      },
    );
  const timesOf = (by: string): number[] => writes.filter((write) => write.by === by).map(({ at }) => at);
  return {
    clock,
    writes,
    one: start("one"),
    other: start("other"),
    timesOf,
    onWrite: (then: typeof onWrite) => void (onWrite = then),
    over: () =>
      overBudget(
        writes.map(({ at }) => at),
        budget,
      ),
  };
}
const minute: Budget = { key: "k", count: 20, windowMs: 60_000, burst: 20 };

test("what a replica has written that was killed at that moment counts for its window", async () => {
  const world = two(minute);
  world.onWrite(({ by }) => {
    if (by === "one" && world.timesOf("one").length === 5) world.one.kill();
  });
  world.one.want([minute], 10);
  await world.clock.advance(100);
  world.other.want([minute], 10);
  await world.clock.advance(50_000);
  expect([world.timesOf("one").length, world.over()]).toEqual([5, 0]);
  // What the dead had kept is free again a window after it could last have used it.
  await world.clock.advance(90_000);
  expect([world.timesOf("other").length > 30, world.over()]).toEqual([true, 0]);
});

test("a replica that was frozen for longer than its slots were its own writes nothing before it has new ones", async () => {
  const budget: Budget = { key: "k", count: 4, windowMs: 5_000, burst: 4 };
  const world = two(budget);
  world.one.want([budget], 2);
  await world.clock.advance(4_000);
  world.one.freeze();
  world.other.want([budget], 4);
  await world.clock.advance(40_000);
  const before = world.timesOf("one").length;
  world.one.thaw();
  expect(world.timesOf("one")).toHaveLength(before);
  await world.clock.advance(40_000);
  expect([world.timesOf("one").length > before, world.over()]).toEqual([true, 0]);
});

test("two that post in one channel take turns, a second apart, and as often as one alone", async () => {
  const budget: Budget = { key: "k", count: 1, windowMs: 1_000, burst: 1 };
  const world = two(budget);
  for (const replica of [world.one, world.other]) replica.want([budget], 3);
  await world.clock.advance(60_000);
  expect(world.over()).toBe(0);
  expect(Math.min(world.timesOf("one").length, world.timesOf("other").length)).toBeGreaterThanOrEqual(27);
});

test("one that only begins is let in within a second, and one that has stopped leaves it all", async () => {
  const budget: Budget = { key: "k", count: 300, windowMs: 60_000, burst: 20 };
  const world = two(budget);
  world.one.want([budget], 30);
  await world.clock.advance(120_000);
  const began = world.clock.now();
  world.other.want([budget], 30);
  await world.clock.advance(1_000);
  expect(world.timesOf("other").length).toBeGreaterThan(0);
  await world.clock.advance(60_000);
  expect(world.timesOf("other").filter((at) => at > began).length).toBeGreaterThan(110);
  await Promise.all([world.one.drain(), world.clock.advance(100)]);
  const handed = world.clock.now();
  await world.clock.advance(60_000);
  expect(world.timesOf("other").filter((at) => at > handed).length).toBeGreaterThan(270);
  expect(world.over()).toBe(0);
});
