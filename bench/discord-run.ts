/** One run against the fake Discord: replies that stream at once, and what people see of them. */
import { setTimeout as wait } from "node:timers/promises";
import { createOutbound } from "../adapters/discord/outbound/outbound.ts";
import { createRest, type DiscordRest } from "../adapters/discord/outbound/rest.ts";
import { createTokens } from "../adapters/discord/outbound/tokens.ts";
import { systemClock as clock } from "../src/clock.ts";
import type { Place } from "../src/core/place.ts";
import { createPacer } from "../src/core/relay/pacer.ts";
import { emptyDelivery, openRelay, type Relay } from "../src/core/relay/relay.ts";
import { createLog } from "../src/log.ts";
import { openFakeDiscord } from "../test/fakes/discord/discord.ts";
import { answerOf } from "./answer.ts";
import { reply, staleness, type Shown } from "./seen.ts";
import { openDistance } from "./distance.ts";

const roundTripMs = 250;
/** Several windows of five seconds. */
export const streamSeconds = 45;
/** One message for each reply: what goes on in a second one is begun by a post of its own. */
const charactersPerSecond = 25;
const updatesPerSecond = 20;
/** What a reply begins with: fewer may be marks alone, which show nothing yet. */
const firstCharacters = 20;
/** The rates of the fake, which are those that third parties have observed: posts, and edits, in one channel. */
const windowMs = 5_000;
const perWindow = 5;

export type Where = "channel" | "threads";

/** Times in ms. */
interface Figures {
  readonly firstWordsMean: number;
  readonly firstWordsMax: number;
  readonly staleMean: number;
  readonly staleMax: number;
}

export interface DiscordRun extends Figures {
  readonly where: Where;
  readonly replies: number;
  readonly least: Figures;
  readonly calls: number;
  readonly rateLimited: number;
  readonly whole: number;
}

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

const mean = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0) / values.length;

/**
 * The least possible at these rates: in one channel five messages begin in each window, one behind the other, as discord.js has one
 * request of a bucket on its way at a time; and each reply is renewed once for all of its channel.
 */
function leastOf(where: Where, replies: number): Figures {
  const inChannel = where === "channel" ? replies : 1;
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

export async function runDiscord(where: Where, replies: number): Promise<DiscordRun> {
  const discord = await openFakeDiscord();
  const distance = await openDistance(new URL(discord.apiUrl).origin, roundTripMs);
  const log = createLog("warn");
  const shown = new Map<string, Shown[]>();
  const rest = recorded(createRest({ token: discord.token, apiUrl: `${distance.origin}/api`, clock }), shown);
  const map = new Map<string, never>();
  const tokens = createTokens(
    { get: (key) => Promise.resolve(map.get(key)), set: (key, value) => Promise.resolve(map.set(key, value as never)) },
    clock,
  );
  const platform = createOutbound({ rest, tokens, fileBytes: () => 10 * 1024 * 1024, clock, log });
  const pacer = createPacer({ clock, log });
  const guild = discord.guild("Bench");
  const channel = discord.text(guild, "general");
  const person = discord.person("Ana", [{ guild }]);
  const open = (place: Place, key: string): Relay =>
    openRelay({
      platform,
      place,
      key,
      delivery: emptyDelivery,
      resumed: false,
      pacer,
      guard: { permit: () => new AbortController().signal, acknowledged: () => {} },
      journal: () => Promise.resolve(),
      clock,
      random: Math.random,
      metrics: {
        firstWords: () => {},
        staleness: () => {},
        editSent: () => {},
        editSaved: () => {},
        heldBack: () => {},
        finish: () => {},
      },
      log,
    });
  const base: Place = { platform: "discord", tenant: guild.id, channel: channel.id, thread: null };
  const places = Array.from({ length: replies }, (_, index) =>
    where === "channel" ? base : { ...base, thread: discord.thread(channel, `thread ${index}`, person).id },
  );
  const answers = places.map((_, seed) => answerOf(seed, streamSeconds * charactersPerSecond));
  // One answer elsewhere before, from which the rates are known, as in any process that has run for a while.
  const before = open({ ...base, channel: discord.text(guild, "before").id }, "before");
  before.show(reply("Some words", "working"));
  await wait(2_000);
  before.show(reply("Some words and the last.", "done"));
  await before.settled();
  shown.clear();
  const commitsBefore = discord.commits.length;

  const began = performance.now();
  const relays = places.map((place, index) => open(place, `turn-${index}`));
  for (let now = 0; now < streamSeconds * 1_000; now = performance.now() - began) {
    const length = Math.max(firstCharacters, Math.floor((now * charactersPerSecond) / 1_000));
    relays.forEach((relay, index) => relay.show(reply((answers[index] ?? "").slice(0, length), "working")));
    await wait(1_000 / updatesPerSecond);
  }
  relays.forEach((relay, index) => relay.show(reply(answers[index] ?? "", "done")));
  const outcomes = await Promise.all(relays.map((relay) => relay.settled()));
  await Promise.all(relays.map((relay) => relay.close()));
  platform.close();
  rest.close();
  await distance.close();
  await discord.close();

  const first = [...shown.values()].map(([one]) => (one?.seen ?? Number.NaN) - began);
  const stale = [...shown.values()].map(staleness);
  return {
    where,
    replies,
    firstWordsMean: mean(first),
    firstWordsMax: Math.max(...first),
    staleMean: mean(stale.map(({ area }) => area)) / mean(stale.map(({ time }) => time)),
    staleMax: Math.max(...stale.map(({ most }) => most)),
    least: leastOf(where, replies),
    calls: discord.commits.length - commitsBefore,
    rateLimited: discord.commits.filter(({ status }) => status === 429).length,
    whole: outcomes.filter(({ kind }) => kind === "delivered").length,
  };
}
