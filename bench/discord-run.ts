/** One run against the fake Discord: replies that stream at once, and what people see of them. */
import { setTimeout as wait } from "node:timers/promises";
import { createOutbound } from "../adapters/discord/outbound/outbound.ts";
import { createRest, type DiscordRest } from "../adapters/discord/outbound/rest.ts";
import { createTokens } from "../adapters/discord/outbound/tokens.ts";
import { systemClock as clock } from "../src/clock.ts";
import type { Place } from "../src/core/place.ts";
import type { Relay, ReplyOutcome } from "../src/core/relay/relay.ts";
import { createLog } from "../src/log.ts";
import { answerOf } from "./answer.ts";
import { openFarDiscord } from "./discord-far.ts";
import { figuresOf, mean, replying, roundTripMs, type Figures, type PlatformRun } from "./platform-run.ts";
import { reply, type Shown } from "./seen.ts";

/** Several windows of five seconds. */
const streamSeconds = 45;
/** How long the answers before stream, in ms. */
const beforeMs = 5_000;
/** One message for each reply: what goes on in a second one is begun by a post of its own. */
const charactersPerSecond = 25;
const updatesPerSecond = 20;
/** What a reply begins with: fewer may be marks alone, which show nothing yet. */
const firstCharacters = 20;
/** The rates of the fake, which are those that third parties have observed: posts, and edits, in one channel. */
const windowMs = 5_000;
const perWindow = 5;

export type Where = "in one channel" | "in a thread each";

/** With a record of what each message showed when. */
function recorded(rest: DiscordRest, shown: Map<string, Shown[]>): DiscordRest {
  return {
    ...rest,
    async call(call, signal) {
      const taken = performance.now();
      const answer = await rest.call(call, signal);
      if (/\/messages(\/\d+)?$/.test(call.route) && call.method !== "GET") {
        const { id } = answer as { id: string };
        shown.set(id, [...(shown.get(id) ?? []), { taken, seen: performance.now() }]);
      }
      return answer;
    },
  };
}

/**
 * The least possible at these rates: in one channel five messages begin in each window, one behind the other, as discord.js has one
 * request of a bucket on its way at a time; and each reply is renewed once for all of its channel.
 */
function leastOf(where: Where, replies: number): Figures {
  const inChannel = where === "in one channel" ? replies : 1;
  const begins = Array.from(
    { length: replies },
    (_, index) => index % inChannel,
    // Counted within its channel.
  ).map((place) => Math.floor(place / perWindow) * windowMs + ((place % perWindow) + 1) * roundTripMs);
  const period = Math.max(roundTripMs, (inChannel * windowMs) / perWindow);
  return {
    firstWordsMean: mean(begins),
    firstWordsMax: Math.max(...begins),
    staleMean: period / 2 + roundTripMs,
    staleMax: period + roundTripMs,
  };
}

export async function runDiscord(where: Where, replies: number): Promise<PlatformRun> {
  const { far, count, close } = await openFarDiscord(replies, roundTripMs);
  const log = createLog("warn");
  const shown = new Map<string, Shown[]>();
  const rest = recorded(createRest({ token: far.token, apiUrl: far.apiUrl, clock }), shown);
  const map = new Map<string, never>();
  const tokens = createTokens(
    { get: (key) => Promise.resolve(map.get(key)), set: (key, value) => Promise.resolve(map.set(key, value as never)) },
    clock,
  );
  const platform = createOutbound({ rest, tokens, fileBytes: () => 10 * 1024 * 1024, clock, log });
  const open = replying(platform, clock, log);
  const base: Place = { platform: "discord", tenant: far.guild, channel: far.channel, thread: null };
  const places = where === "in one channel" ? far.threads.map(() => base) : far.threads.map((thread) => ({ ...base, thread }));
  const answers = places.map((_, seed) => answerOf(seed, streamSeconds * charactersPerSecond));
  const stream = async (relays: readonly Relay[], forMs: number): Promise<readonly ReplyOutcome[]> => {
    const from = performance.now();
    for (let now = 0; now < forMs; now = performance.now() - from) {
      const length = Math.max(firstCharacters, Math.floor((now * charactersPerSecond) / 1_000));
      relays.forEach((relay, index) => relay.show(reply((answers[index] ?? "").slice(0, length), "working")));
      await wait(1_000 / updatesPerSecond);
    }
    relays.forEach((relay, index) => relay.show(reply(answers[index] ?? "", "done")));
    return Promise.all(relays.map((relay) => relay.settled()));
  };
  // As many answers elsewhere before: rates are known and connections open, as in a process that has run for a while.
  const before = far.before.map((channel) => open({ ...base, channel }, `before-${channel}`));
  await stream(before, beforeMs);
  // Their last edits are out of the second in which Discord counts 50 requests of a bot, whatever they are.
  await wait(1_000);
  shown.clear();
  const atFirst = await count();

  const began = performance.now();
  const relays = places.map((place, index) => open(place, `turn-${index}`));
  const outcomes = await stream(relays, streamSeconds * 1_000);
  await Promise.all([...before, ...relays].map((relay) => relay.close()));
  const atLast = await count();
  platform.close();
  rest.close();
  await close();
  return {
    kind: where,
    replies,
    ...figuresOf([...shown.values()], began),
    least: leastOf(where, replies),
    calls: atLast.calls - atFirst.calls,
    rateLimited: atLast.rateLimited,
    whole: outcomes.filter(({ kind }) => kind === "delivered").length,
  };
}
