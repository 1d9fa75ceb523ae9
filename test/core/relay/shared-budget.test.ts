/** Two processes that share one store, and one platform that counts strictly. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPacer, type Pacer } from "../../../src/core/relay/pacer.ts";
import { openRelay, type Relay } from "../../../src/core/relay/relay.ts";
import { shareBudgets, type SharedBudgets } from "../../../src/core/relay/shared.ts";
import { createDivisions } from "../../../src/store/divisions.ts";
import { silentRelayMetrics } from "../../fakes/metrics.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { createFakePlatform } from "../../fakes/platform.ts";
import { openStore, type Opened } from "../../store/open.ts";
import { done, place, reply, silent } from "./set-up.ts";

let opened: Opened;
beforeEach(async () => {
  opened = await openStore();
});
afterEach(() => opened.close());

/** As many writes a minute as a busy channel may have, more than which are wanted. */
const budget = { key: "edit:c", count: 50, windowMs: 60_000, burst: 5 };
const minutes = 5;

/**
 * @param processes among which the same ten answers are spread, in one channel
 * @param sharing false: none knows of the others
 */
async function run(processes: number, sharing = true) {
  // Time begins anew with each run.
  await opened.db.deleteFrom("divisions").execute();
  const clock = fakeClock();
  const platform = createFakePlatform({ clock, latencyMs: 100, limits: { budgets: () => [budget] } });
  const replicas: SharedBudgets[] = [];
  const pacers: Pacer[] = [];
  for (let index = 0; index < processes; index++) {
    const table = createDivisions(opened.db, () => clock.now());
    const shared = shareBudgets({ name: `replica ${index}`, table, clock, log: silent });
    replicas.push(shared);
    pacers.push(createPacer({ clock, log: silent, ...(sharing ? { shared } : {}) }));
  }
  const staleness: number[] = [];
  const relays: Relay[] = Array.from({ length: 10 }, (_, index) =>
    openRelay({
      platform,
      place,
      key: `turn-${index}`,
      delivery: { messages: [], attached: null },
      resumed: false,
      pacer: pacers[index % processes] as Pacer,
      guard: { permit: () => new AbortController().signal, acknowledged: () => {}, lost: () => false },
      journal: () => Promise.resolve(),
      onStray: () => {},
      clock,
      random: () => 0.5,
      metrics: { ...silentRelayMetrics, staleness: (ms) => void staleness.push(ms) },
      log: silent,
    }),
  );
  for (let second = 0; second < 60 * minutes; second++) {
    for (const relay of relays) relay.show(reply(`Second ${second}`));
    await clock.advance(1_000);
  }
  for (const relay of relays) relay.show(done("Whole"));
  await clock.advance(120_000);
  const outcomes = await Promise.all(relays.map((relay) => relay.settled()));
  for (const one of replicas) await one.stop();
  const sorted = staleness.toSorted((a, b) => a - b);
  return {
    refused: platform.overBudget,
    writes: platform.log.length,
    delivered: outcomes.filter(({ kind }) => kind === "delivered").length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
  };
}

test("two processes provoke no 429 in a channel that both write to, and cost little of its pace", async () => {
  const alone = await run(1);
  const both = await run(2);
  expect([alone.refused, both.refused]).toEqual([0, 0]);
  expect([alone.delivered, both.delivered]).toEqual([10, 10]);
  expect(both.writes).toBeGreaterThan(0.9 * alone.writes);
  expect(both.medianMs).toBeLessThan(1.15 * alone.medianMs);
  // The platform does count.
  expect((await run(2, false)).refused).toBeGreaterThan(0);
});
