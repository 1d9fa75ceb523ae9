/** The bars of `bench/relay.ts` in small, on a clock that stands still while work is done. */
import { describe, expect, it } from "vitest";
import { answerOf } from "../../../bench/answer.ts";
import { createPacer } from "../../../src/core/relay/pacer.ts";
import { emptyDelivery, openRelay } from "../../../src/core/relay/relay.ts";
import { silentRelayMetrics } from "../../fakes/metrics.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { createFakePlatform } from "../../fakes/platform.ts";
import { reply, silent } from "./set-up.ts";

const replies = 60;
const perSecond = 20;
const roundTripMs = 100;
const updateMs = 50;

async function run() {
  const clock = fakeClock();
  const budget = { key: "all", count: perSecond, windowMs: 1_000, burst: 1 };
  const platform = createFakePlatform({
    clock,
    latencyMs: roundTripMs,
    limits: { characters: 20_000, blocks: 1_000, budgets: () => [budget] },
  });
  const pacer = createPacer({ clock, log: silent });
  const firstWords: number[] = [];
  const staleness: number[] = [];
  const relays = Array.from({ length: replies }, (_, index) =>
    openRelay({
      platform,
      place: { platform: "fake", tenant: "t", channel: "c", thread: String(index) },
      key: `t${index}`,
      delivery: emptyDelivery,
      resumed: false,
      pacer,
      guard: { permit: () => new AbortController().signal, acknowledged: () => {}, lost: () => false },
      journal: () => Promise.resolve(),
      onStray: () => {},
      clock,
      random: () => 0.5,
      metrics: {
        ...silentRelayMetrics,
        firstWords: (ms) => void firstWords.push(ms),
        staleness: (ms) => void staleness.push(ms),
      },
      log: silent,
    }),
  );
  const answers = relays.map((_, index) => answerOf(index, 3_000));
  const updates = 240;
  for (let update = 1; update <= updates; update++) {
    relays.forEach((relay, index) => {
      relay.show(
        reply((answers[index] ?? "").slice(0, (update * 3_000) / updates), { state: update === updates ? "done" : "working" }),
      );
    });
    await clock.advance(updateMs);
  }
  await clock.advance((replies / perSecond) * 1_000 + 1_000);
  const outcomes = await Promise.all(relays.map((relay) => relay.settled()));
  return { clock, platform, firstWords, staleness, outcomes };
}

describe("many replies at once", () => {
  it("share one budget evenly: first words, then staleness, within 5% of the least possible, and every end is delivered", async () => {
    const { clock, platform, firstWords, staleness, outcomes } = await run();
    expect(outcomes).toEqual(Array(replies).fill({ kind: "delivered" }));
    expect(platform.overBudget).toBe(0);
    firstWords.forEach((ms, index) => expect(ms).toBeLessThanOrEqual((((index + 1) * 1_000) / perSecond + roundTripMs) * 1.05));
    expect(firstWords).toHaveLength(replies);
    expect(Math.max(...staleness)).toBeLessThanOrEqual(((replies * 1_000) / perSecond + roundTripMs) * 1.05);
    expect(platform.messages.every(({ document }) => document.state === "done")).toBe(true);
    expect(clock.pending).toBe(0);
  });
});
