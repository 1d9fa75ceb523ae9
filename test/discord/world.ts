/** Parley's core with the Discord adapter before the fake Discord, through the real discord.js, in real time. */
import type { Mark } from "../../adapters/discord/inbound/catch-up.ts";
import { createDiscord, type Discord, type DiscordOptions } from "../../adapters/discord/discord.ts";
import { createAloneHere } from "../../src/core/alone.ts";
import type { Engine } from "../../src/core/engine.ts";
import type { ChatPlatform } from "../../src/core/platform.ts";
import { createMap } from "../../src/store/key-values.ts";
import { createSealedMap } from "../../src/store/sealed-map.ts";
import { openCore, type CoreOptions, type CoreWorld } from "../fakes/core.ts";
import { runningClock as clock } from "../fakes/running-clock.ts";
import {
  openFakeDiscord,
  type FakeChannel,
  type FakeDiscord,
  type FakeDiscordOptions,
  type FakeGuild,
  type FakeMessage,
  type Person,
} from "../fakes/discord/discord.ts";

export interface WorldOptions extends CoreOptions {
  readonly fake?: FakeDiscordOptions;
  readonly adapter?: Partial<Pick<DiscordOptions, "allow" | "deny" | "guild" | "catchUp" | "followUps" | "helloMs">>;
  /** What is done to the fake Discord before Parley connects. */
  readonly before?: (fake: FakeDiscord) => void;
}

export interface World extends CoreWorld {
  readonly fake: FakeDiscord;
  readonly guild: FakeGuild;
  readonly general: FakeChannel;
  readonly ann: Person;
  readonly ben: Person;
  readonly platform: ChatPlatform;
  /** So many reads fail of how far Discord's messages have been taken in. */
  readonly failMarks: (times: number) => void;
  /** Parley's message in a channel or thread once it shows these words. */
  readonly shows: (channel: FakeChannel | string, words: string) => Promise<FakeMessage>;
  /** Everything that was asked of the workspace. */
  readonly asked: () => readonly string[];
  /** Parley's process ends, and another takes its place. */
  readonly restart: (meanwhile?: () => void) => Promise<void>;
  close(): Promise<void>;
}

const everybody = { guilds: [], channels: [], roles: [], users: [] };
/** So that a test does not wait for windows of seconds. */
const quickRates = {
  "POST /channels/:channel/messages": { count: 50, windowMs: 1_000 },
  "PATCH /channels/:channel/messages/:message": { count: 50, windowMs: 1_000 },
  "PATCH /webhooks/:webhook/:token/messages/:message": { count: 50, windowMs: 1_000 },
  "POST /webhooks/:webhook/:token": { count: 50, windowMs: 1_000 },
};

interface Process {
  readonly platform: Discord;
  end(): Promise<void>;
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const fake = await openFakeDiscord({
    ...options.fake,
    rates: { ...quickRates, ...options.fake?.rates },
    global: { count: 500, windowMs: 1_000 },
  });
  const guild = fake.guild("Team");
  const general = fake.text(guild, "general");
  const ann = fake.person("Ann", [{ guild }]);
  const ben = fake.person("Ben", [{ guild, nick: "Benny" }]);
  const core = await openCore(options);
  const { opened, settings, log } = core;
  const { until, workspace } = core.world;
  let failingMarks = 0;
  const marks = createMap<Mark>(opened.db, clock, "discord-marks");

  const begin = async (): Promise<Process> => {
    const engine: Engine = core.engine({ platforms: () => [platform], threadNames: () => platform });
    const platform = createDiscord({
      alone: createAloneHere(),
      onGateway: () => {},
      token: fake.token,
      apiUrl: fake.apiUrl,
      guild: null,
      allow: everybody,
      deny: everybody,
      catchUp: true,
      followUps: "thread",
      settings: (place) => settings.effective(place),
      ...options.adapter,
      directory: engine.directory,
      maps: {
        joined: createMap(opened.db, clock, "discord-joined"),
        marks: {
          set: (key, value) => marks.set(key, value),
          delete: (key) => marks.delete(key),
          get: (key) => (failingMarks-- > 0 ? Promise.reject(new Error("the store is away")) : marks.get(key)),
        },
        told: createMap(opened.db, clock, "discord-told"),
        tokens: createSealedMap(createMap<string>(opened.db, clock, "discord-tokens"), opened.cipher, "discord-tokens"),
      },
      clock,
      random: Math.random,
      log,
    });
    const ended = new AbortController();
    await engine.start();
    await platform.start(core.inbox(engine), ended.signal);
    return {
      platform,
      async end() {
        await platform.stop();
        ended.abort(new Error("the process is over"));
        await engine.drain();
      },
    };
  };

  options.before?.(fake);
  let running = await begin();
  await until(() => (fake.commands.get(options.adapter?.guild ?? "")?.length ?? 0) > 0);

  return {
    ...core.world,
    fake,
    guild,
    general,
    ann,
    ben,
    get platform() {
      return running.platform;
    },
    failMarks: (times) => void (failingMarks = times),
    shows: (channel, words) =>
      until(() => fake.messages(channel).find(({ author, content }) => author.id === fake.bot.id && content.includes(words))),
    asked: () =>
      workspace.calls
        .filter(({ call }) => call === "start" || call === "followUp")
        .map(({ body }) => (body as { message: string }).message),
    async restart(meanwhile) {
      await running.end();
      meanwhile?.();
      running = await begin();
    },
    async close() {
      await running.end();
      await fake.close();
      await opened.close();
    },
  };
}
