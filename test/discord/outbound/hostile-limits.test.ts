/** Discord names a day: nothing is kept back for longer than five minutes, and whoever waits is told. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Pacer } from "../../../src/core/relay/pacer.ts";
import { createPacer, longestHoldMs } from "../../../src/core/relay/pacer.ts";
import { openRelay } from "../../../src/core/relay/relay.ts";
import { fakeClock, type FakeClock } from "../../fakes/clock.ts";
import { done, silent } from "../../core/relay/set-up.ts";
import { open, outcomeOf, saying, signal } from "./open.ts";

const dayMs = 86_400_000;
const posting = "POST /channels/:channel/messages";
/** discord.js adds this much to whatever it is told, in ms. */
const itsOwnMs = 100;

let clock: FakeClock;
beforeEach(() => {
  clock = fakeClock();
  // discord.js looks at the machine's clock, and refuses by itself what it takes to be too early.
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
});
afterEach(() => vi.useRealTimers());
const advance = async (ms: number): Promise<void> => {
  vi.setSystemTime(clock.now() + ms);
  await clock.advance(ms);
};

test.each(["user", "shared", "global"] as const)(
  "a %s limit of a day closes nothing for more than five minutes",
  async (scope) => {
    const { outbound, discord, place } = await open({ clock });
    discord.order(posting, { rate_limited: scope, waitMs: dayMs });
    await expect(outbound.post(place, saying("x"), "turn-1/0", signal())).rejects.toMatchObject({
      outcome: "rate_limited",
      retryAfterMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= longestHoldMs + itsOwnMs) as number,
    });
    for (const { windowMs, closedUntil = 0 } of outbound.limits.budgets("post", place)) {
      expect(closedUntil).toBeLessThanOrEqual(clock.now() + longestHoldMs + itsOwnMs);
      expect(windowMs).toBeLessThanOrEqual(longestHoldMs + itsOwnMs);
    }
    await advance(longestHoldMs + itsOwnMs);
    expect(await outcomeOf(outbound.post(place, saying("x"), "turn-1/0", signal()))).toBe("done");
    expect(discord.commits.filter(({ method }) => method === "POST").map(({ status }) => status)).toEqual([429, 200]);
  },
);

test("whoever waited for it reads in the answer how late it is", async () => {
  const { outbound, discord, place } = await open({ clock });
  discord.order(posting, { rate_limited: "user", waitMs: dayMs });
  const held: number[] = [];
  const pacer: Pacer = createPacer({ clock, log: silent });
  const nothing = (): void => {};
  const relay = openRelay({
    platform: outbound,
    place,
    key: "turn-1",
    delivery: { messages: [], attached: null },
    resumed: false,
    pacer,
    guard: { permit: signal, acknowledged: nothing, lost: () => false },
    journal: () => Promise.resolve(),
    onStray: nothing,
    clock,
    random: () => 0.5,
    metrics: {
      firstWords: nothing,
      staleness: nothing,
      editSent: nothing,
      editSaved: nothing,
      heldBack: (ms) => void held.push(ms),
      finish: nothing,
    },
    log: silent,
  });
  relay.show(done("The answer."));
  await expect.poll(async () => (await advance(10), held)).toEqual([longestHoldMs]);
  await advance(longestHoldMs + 1_000);
  await expect
    .poll(async () => (await advance(100), discord.messages(place.thread!).map(({ content }) => content)))
    .toEqual([expect.stringMatching(/^The answer\.[^]*shown 5 minutes late/)]);
  expect(await relay.settled()).toEqual({ kind: "delivered" });
});
