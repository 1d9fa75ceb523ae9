/** One run against the fake Slack: replies that stream at once in one channel, and what its people see of them. */
import { setImmediate } from "node:timers/promises";
import { createOutbound } from "../adapters/slack/outbound/outbound.ts";
import { createStreamTargets } from "../adapters/slack/outbound/stream-targets.ts";
import { createWeb, type SlackWeb } from "../adapters/slack/outbound/web.ts";
import { sleep } from "../src/clock.ts";
import type { Place } from "../src/core/place.ts";
import { createLog } from "../src/log.ts";
import { fakeClock, type FakeClock } from "../test/fakes/clock.ts";
import { openFakeSlack } from "../test/fakes/slack/slack.ts";
import { team } from "../test/fakes/slack/state.ts";
import { answerOf } from "./answer.ts";
import { figuresOf, replying, roundTripMs, type Figures, type PlatformRun } from "./platform-run.ts";
import { reply, type Shown } from "./seen.ts";

/** Longer than a minute, so that the windows of the rates fill. */
const streamSeconds = 90;
const charactersPerSecond = 40;
/** There are words from the beginning, and not only the mark of a heading. */
const firstCharacters = 40;
const updatesPerSecond = 20;
/** The last words of 20 replies are out by then, and in their last form. */
const settlingMs = 60_000;
/** Slack's documented rates, in calls a millisecond. */
const rates = { edit: 50 / 60_000, native: 100 / 60_000, begin: 1 / 1_000 };

export type How = "edit" | "native";

const writes = new Set(["chat.postMessage", "chat.update", "chat.startStream", "chat.appendStream", "chat.stopStream"]);

/** As far away as Slack is, and with a record of what each message showed when. */
function distant(web: SlackWeb, clock: FakeClock, shown: Map<string, Shown[]>) {
  let underWay = 0;
  const far: SlackWeb = {
    upload: (url, bytes, signal) => web.upload(url, bytes, signal),
    callWithin: (ms, method, options) => web.callWithin(ms, method, options),
    async call(method, options, signal, budgetKey) {
      const taken = clock.now();
      await sleep(clock, roundTripMs / 2, signal);
      underWay++;
      const answer = await web.call(method, options, signal, budgetKey).finally(() => void underWay--);
      await sleep(clock, roundTripMs / 2, signal);
      if (writes.has(method)) {
        const ts = String(answer["ts"]);
        shown.set(ts, [...(shown.get(ts) ?? []), { taken, seen: clock.now() }]);
      }
      return answer;
    },
  };
  /** Lets time pass. It stands still while a request is on its real way, which takes none of it. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed++) {
      await clock.advance(1);
      while (underWay > 0) await setImmediate();
    }
  };
  return { far, pass };
}

/** Up to the first that had the whole text: what follows it changes its form. */
const untilWhole = (shown: readonly Shown[], ended: number): readonly Shown[] =>
  shown.slice(0, shown.findIndex(({ taken }) => taken >= ended) + 1);

/** The least possible at these rates: the k-th message begins after k-1 seconds, and each grows every N/rate. */
function leastOf(how: How, replies: number): Figures {
  const period = Math.max(roundTripMs, replies / rates[how]);
  return {
    firstWordsMean: (replies - 1) / 2 / rates.begin + roundTripMs,
    firstWordsMax: (replies - 1) / rates.begin + roundTripMs,
    staleMean: period / 2 + roundTripMs,
    staleMax: period + roundTripMs,
  };
}

export async function runSlack(how: How, replies: number): Promise<PlatformRun> {
  const clock = fakeClock();
  const slack = await openFakeSlack({ rates: true, now: () => clock.now() });
  const log = createLog("warn");
  const shown = new Map<string, Shown[]>();
  const near = createWeb({ token: slack.tokens.bot, apiUrl: slack.apiUrl, clock });
  const { far: web, pass } = distant(near, clock, shown);
  const streamTargets = createStreamTargets();
  const platform = createOutbound({ web, clock, log, streamTargets });
  const answers = Array.from({ length: replies }, (_, seed) =>
    answerOf(seed, firstCharacters + streamSeconds * charactersPerSecond),
  );
  const threads: string[] = [];
  for (let index = 0; index < replies; index++)
    threads.push((await slack.person("U0ANN").says("C0GENERAL", `question ${index}`, { silently: true })).ts);
  const places = threads.map((thread): Place => ({ platform: "slack", tenant: team, channel: "C0GENERAL", thread }));
  for (const place of places) streamTargets.note(place, "U0ANN", how);
  const open = replying(platform, clock, log);
  const began = clock.now();
  const relays = places.map((place, index) => open(place, `turn-${index}`));
  for (let now = 0; now < streamSeconds * 1_000; now = clock.now() - began) {
    const length = firstCharacters + Math.floor((now * charactersPerSecond) / 1_000);
    relays.forEach((relay, index) => relay.show(reply((answers[index] ?? "").slice(0, length), "working")));
    await pass(1_000 / updatesPerSecond);
  }
  const ended = clock.now();
  relays.forEach((relay, index) => relay.show(reply(answers[index] ?? "", "done")));
  const settled = relays.map((relay) => relay.settled());
  await pass(settlingMs);
  const outcomes = await Promise.all(settled);
  await Promise.all(relays.map((relay) => relay.close()));
  await slack.close();

  return {
    kind: how,
    replies,
    ...figuresOf(
      [...shown.values()].map((writes) => untilWhole(writes, ended)),
      began,
    ),
    least: leastOf(how, replies),
    calls: slack.calls.length,
    rateLimited: slack.calls.filter(({ answer }) => answer === "ratelimited").length,
    whole: outcomes.filter(({ kind }) => kind === "delivered").length,
  };
}
