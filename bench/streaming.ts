/** One run: so many replies at once, all begun together, through relay, renderer and pacer. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { systemClock as clock } from "../src/clock.ts";
import type { Budget } from "../src/core/platform.ts";
import { createPacer } from "../src/core/relay/pacer.ts";
import { emptyDelivery, openRelay, type RelayMetrics } from "../src/core/relay/relay.ts";
import { createLog } from "../src/log.ts";
import { createFakePlatform } from "../test/fakes/platform.ts";
import { answerOf } from "./answer.ts";
import { reply } from "./seen.ts";
import { percentile, type Streaming } from "./figures.ts";

const writesPerSecond = 100;
const roundTripMs = 100;
const updatesPerSecond = 40;
const characters = 12_000;
/** 250 characters a second, about 60 tokens. */
const streamSeconds = 48;

/** Needs `node --expose-gc`. */
async function collect(): Promise<NodeJS.MemoryUsage> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await setImmediate();
  }
  return process.memoryUsage();
}

export async function measureStreaming(replies: number): Promise<Streaming> {
  const log = createLog("warn");
  const budget: Budget = { key: "all", count: writesPerSecond, windowMs: 1_000, burst: 1 };
  const limits = { characters: 30_000, blocks: 1_000, budgets: () => [budget] };
  const platform = createFakePlatform({ clock, latencyMs: roundTripMs, record: false, limits });
  const pacer = createPacer({ clock, log });
  const firstWords: number[] = [];
  const staleness: number[] = [];
  let edits = 0;
  const metrics: RelayMetrics = {
    firstWords: (ms) => void firstWords.push(ms),
    staleness: (ms) => void staleness.push(ms),
    editSent: () => void edits++,
    editSaved: () => {},
    heldBack: () => {},
    finish: () => {},
  };
  const answers = Array.from({ length: replies }, (_, seed) => answerOf(seed, characters));
  const guard = { permit: () => new AbortController().signal, acknowledged: () => {}, lost: () => false };
  const before = await collect();

  const relays = answers.map((_, index) =>
    openRelay({
      platform,
      place: { platform: "fake", tenant: "t", channel: "c", thread: String(index) },
      key: `turn-${index}`,
      delivery: emptyDelivery,
      resumed: false,
      pacer,
      guard,
      journal: () => Promise.resolve(),
      onStray: () => {},
      clock,
      random: Math.random,
      metrics,
      log,
    }),
  );
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const cpu = process.cpuUsage();

  // Every reply is shown its whole text `updatesPerSecond` times a second, the replies spread over that time.
  const rounds = streamSeconds * updatesPerSecond;
  const updates = rounds * replies;
  await new Promise<void>((resolve) => {
    const began = performance.now();
    let shown = 0;
    const feed = setInterval(() => {
      const due = Math.min(updates, Math.ceil(((performance.now() - began) * updatesPerSecond * replies) / 1_000));
      for (; shown < due; shown++) {
        const index = shown % replies;
        const length = Math.ceil(((Math.floor(shown / replies) + 1) * characters) / rounds);
        relays[index]?.show(reply((answers[index] ?? "").slice(0, length), "working"));
      }
      if (shown < updates) return;
      clearInterval(feed);
      resolve();
    }, 1);
  });
  relays.forEach((relay, index) => relay.show(reply(answers[index] ?? "", "done")));
  const outcomes = await Promise.all(relays.map((relay) => relay.settled()));
  const used = process.cpuUsage(cpu);
  loop.disable();
  // Until it is closed a reply holds all that it held while it streamed. Collecting before would have stopped the stream.
  const live = await collect();
  await Promise.all(relays.map((relay) => relay.close()));

  const least = (writes: number): number => (writes * 1_000) / writesPerSecond + roundTripMs;
  const stalenessMs = percentile(staleness, 0.99);
  return {
    replies,
    updates,
    writes: edits + platform.messages.length,
    delivered: outcomes.filter(({ kind }) => kind === "delivered").length,
    writesOverBudget: platform.overBudget,
    firstWordsRatio: percentile(firstWords, 0.99) / least(Math.ceil(replies * 0.99)),
    stalenessRatio: stalenessMs / least(replies),
    stalenessMs,
    loopDelayMs: loop.percentile(99) / 1e6,
    cpuPerUpdateUs: (used.user + used.system) / updates,
    heapPerReplyKb: (live.heapUsed - before.heapUsed) / replies / 1_024,
    residentPerReplyKb: (live.rss - before.rss) / replies / 1_024,
  };
}
