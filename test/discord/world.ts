/** Parley's core with the Discord adapter before the fake Discord, through the real discord.js, in real time. */
import { createDiscord, type DiscordOptions } from "../../adapters/discord/discord.ts";
import { systemClock } from "../../src/clock.ts";
import { openAccess, type AccessRules } from "../../src/core/access.ts";
import { createEngine, type Engine } from "../../src/core/engine.ts";
import type { Inbound } from "../../src/core/inbound.ts";
import type { ChatPlatform } from "../../src/core/platform.ts";
import { createPacer } from "../../src/core/relay/pacer.ts";
import { createSettings, type Settings } from "../../src/core/settings.ts";
import { createThreads, type Thread } from "../../src/core/threads.ts";
import { createLog } from "../../src/log.ts";
import { createMap } from "../../src/store/key-values.ts";
import { purgeTenant } from "../../src/store/purge.ts";
import {
  openFakeDiscord,
  type FakeChannel,
  type FakeDiscord,
  type FakeDiscordOptions,
  type FakeGuild,
  type FakeMessage,
  type Person,
} from "../fakes/discord/discord.ts";
import { createFakeWorkspace, fakeAgent, fakeModel, type FakeWorkspace } from "../fakes/workspace.ts";
import { openStore } from "../store/open.ts";

export interface WorldOptions {
  readonly fake?: FakeDiscordOptions;
  readonly adapter?: Partial<Pick<DiscordOptions, "allow" | "guild" | "catchUp" | "followUps">>;
  readonly access?: Partial<AccessRules>;
  /** What is done to the fake Discord before Parley connects. */
  readonly before?: (fake: FakeDiscord) => void;
}

export interface World {
  readonly fake: FakeDiscord;
  readonly guild: FakeGuild;
  readonly general: FakeChannel;
  readonly ann: Person;
  readonly ben: Person;
  readonly workspace: FakeWorkspace;
  readonly platform: ChatPlatform;
  readonly log: readonly string[];
  /** What the inbox was given, also what it knew already. */
  readonly received: readonly Inbound[];
  /** While set, the inbox throws this. */
  readonly failInbox: (error: Error | null) => void;
  /** Waits until `look` gives something. */
  readonly until: <T>(look: () => T | undefined | false | null) => Promise<T>;
  /** Waits for the newest question of the workspace, answers it, and gives what was asked. */
  readonly answers: (text: string) => Promise<string>;
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
  readonly platform: ChatPlatform;
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
  const opened = await openStore();
  const clock = systemClock;
  const workspace = createFakeWorkspace({
    now: Date.now,
    models: [fakeModel(1, "Test model"), fakeModel(2, "Thinker", { thinking_model: true, reasoning_efforts: ["low", "high"] })],
    agents: [fakeAgent(7, "research")],
    projects: [],
  });
  const lines: string[] = [];
  const log = createLog("trace", { write: (line: string) => void lines.push(line) });
  const nothing = (): void => {};
  const received: Inbound[] = [];
  let failure: Error | null = null;

  const begin = async (): Promise<Process> => {
    const settings = createSettings(createMap<Settings>(opened.db, clock, "settings"));
    const engine: Engine = createEngine({
      store: opened.store,
      workspace,
      threads: createThreads(
        createMap<Thread>(opened.db, clock, "threads"),
        createMap<string>(opened.db, clock, "conversations"),
      ),
      settings,
      platforms: () => [platform],
      access: () => ({ ...openAccess, operators: [], ...options.access }),
      purge: (name, tenant, except) => purgeTenant(opened.db, name, tenant, except),
      pacer: createPacer({ clock, log: { warn: nothing } }),
      owner: "world",
      exclusive: true,
      clock,
      random: Math.random,
      metrics: {
        turnReceived: nothing,
        turnClosed: nothing,
        rated: nothing,
        leaseLost: nothing,
        workspaceError: nothing,
        firstWords: nothing,
        staleness: nothing,
        editSent: nothing,
        editSaved: nothing,
        finish: nothing,
      },
      log,
    });
    const platform = createDiscord({
      token: fake.token,
      apiUrl: fake.apiUrl,
      guild: null,
      allow: everybody,
      catchUp: true,
      followUps: "thread",
      settings: (place) => settings.effective(place),
      ...options.adapter,
      directory: engine.directory,
      maps: {
        joined: createMap(opened.db, clock, "discord-joined"),
        marks: createMap(opened.db, clock, "discord-marks"),
        told: createMap(opened.db, clock, "discord-told"),
        tokens: createMap(opened.db, clock, "discord-tokens"),
      },
      clock,
      random: Math.random,
      log,
    });
    const ended = new AbortController();
    await engine.start();
    await platform.start(
      {
        receive(inbound) {
          if (failure !== null) return Promise.reject(failure);
          received.push(inbound);
          return engine.inbox.receive(inbound);
        },
      },
      ended.signal,
    );
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
  const until: World["until"] = async (look) => {
    for (let waited = 0; waited < 1_000; waited++) {
      const found = look();
      if (found !== undefined && found !== false && found !== null) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`waited in vain; Parley logged:\n${lines.slice(-15).join("")}`);
  };
  await until(() => (fake.commands.get(options.adapter?.guild ?? "")?.length ?? 0) > 0);
  const answeredQuestions = new Set<number>();

  return {
    fake,
    guild,
    general,
    ann,
    ben,
    workspace,
    get platform() {
      return running.platform;
    },
    log: lines,
    received,
    failInbox: (error) => void (failure = error),
    until,
    async answers(text) {
      const { id, question, answer } = await until(() => {
        for (const [conversation, messages] of workspace.held) {
          const last = messages.at(-1);
          const asked = messages.findLast(({ isUser }) => isUser);
          if (last !== undefined && asked !== undefined && !last.isUser && !answeredQuestions.has(last.ID))
            return { id: conversation, question: asked.text, answer: last.ID };
        }
        return undefined;
      });
      answeredQuestions.add(answer);
      workspace.answer(id, { text, status: "finished" });
      return question;
    },
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
