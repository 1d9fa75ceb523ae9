/** Parley's core with the Discord adapter before the fake Discord, through the real discord.js, in real time. */
import { Decimal } from "decimal.js";
import type { Mark } from "../../adapters/discord/inbound/catch-up.ts";
import { createDiscord, type Discord, type DiscordOptions } from "../../adapters/discord/discord.ts";
import { systemClock } from "../../src/clock.ts";
import { openAccess, type AccessRules } from "../../src/core/access.ts";
import { createAllowances } from "../../src/core/allowances.ts";
import { createAloneHere } from "../../src/core/alone.ts";
import { silentBell } from "../../src/core/bell.ts";
import { commands } from "../../src/core/commands/index.ts";
import type { Command } from "../../src/core/commands/table.ts";
import type { Workspace } from "../../src/core/workspace.ts";
import { createEngine, type Engine } from "../../src/core/engine.ts";
import type { Inbound } from "../../src/core/inbound.ts";
import type { ChatPlatform } from "../../src/core/platform.ts";
import { purposes } from "../../src/core/forms/purposes.ts";
import { createPacer } from "../../src/core/relay/pacer.ts";
import { createSettings, type Settings } from "../../src/core/settings.ts";
import { createThreads, type Thread } from "../../src/core/threads.ts";
import { createLog } from "../../src/log.ts";
import { createAudit } from "../../src/store/audit.ts";
import { createCounters } from "../../src/store/allowances.ts";
import { createOversight } from "../../src/store/oversight.ts";
import { createForgetting } from "../../src/store/forgetting.ts";
import { openCreations } from "../../src/store/creations.ts";
import { openShares } from "../../src/store/shares.ts";
import { openButtons } from "../../src/store/buttons.ts";
import { openForms } from "../../src/store/forms.ts";
import { createMap } from "../../src/store/key-values.ts";
import {
  openFakeDiscord,
  type FakeChannel,
  type FakeDiscord,
  type FakeDiscordOptions,
  type FakeGuild,
  type FakeMessage,
  type Person,
} from "../fakes/discord/discord.ts";
import { noLimits } from "../fakes/allowances.ts";
import { createSealedMap } from "../../src/store/sealed-map.ts";
import { fakeAccounts } from "../fakes/accounts.ts";
import { createFakeWorkspace, fakeAgent, fakeModel, type FakeWorkspace } from "../fakes/workspace.ts";
import { openStore } from "../store/open.ts";

export interface WorldOptions {
  /** Beside those of the table. */
  readonly commands?: readonly Command[];
  /** The workspace as the shared key's owner sees it, and as a linked one's; fakes without them. */
  readonly shared?: Workspace;
  readonly connect?: (key: string) => Workspace;
  readonly fake?: FakeDiscordOptions;
  readonly adapter?: Partial<Pick<DiscordOptions, "allow" | "deny" | "guild" | "catchUp" | "followUps" | "helloMs">>;
  readonly access?: Partial<AccessRules>;
  /** What is done to the fake Discord before Parley connects. */
  readonly before?: (fake: FakeDiscord) => void;
}

export interface World {
  readonly people: ReturnType<typeof fakeAccounts>;
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
  /** So many reads fail of how far Discord's messages have been taken in. */
  readonly failMarks: (times: number) => void;
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
  /** Every row of every table, and every byte of the database's files. */
  dump(): Promise<string>;
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
  const opened = await openStore();
  const clock = systemClock;
  const workspace = createFakeWorkspace({
    now: Date.now,
    models: [fakeModel(1, "Test model"), fakeModel(2, "Thinker", { thinking_model: true, reasoning_efforts: ["low", "high"] })],
    agents: [fakeAgent(7, "research")],
    projects: [],
  });
  const people = fakeAccounts(opened, clock);
  const lines: string[] = [];
  const log = createLog("trace", { write: (line: string) => void lines.push(line) });
  const nothing = (): void => {};
  const received: Inbound[] = [];
  let failure: Error | null = null;
  let failingMarks = 0;
  const marks = createMap<Mark>(opened.db, clock, "discord-marks");

  const begin = async (): Promise<Process> => {
    const settings = createSettings(createMap<Settings>(opened.db, clock, "settings"));
    const engine: Engine = createEngine({
      store: opened.store,
      accounts: people.accounts(options.shared ?? workspace, options.connect),
      people: people.people(options.connect),
      commands: [...commands, ...(options.commands ?? [])],
      threads: createThreads(
        createMap<Thread>(opened.db, clock, "threads"),
        createMap<string>(opened.db, clock, "conversations"),
      ),
      settings,
      forms: openForms(opened.db, opened.cipher, clock),
      creations: openCreations(opened.db, opened.cipher, clock),
      askAbove: new Decimal(10),
      shares: openShares(opened.db, opened.cipher, clock),
      buttons: openButtons(opened.db, opened.cipher, clock),
      purposes,
      platforms: () => [platform],
      threadNames: () => platform,
      access: () => ({ ...openAccess, operators: [], ...options.access }),
      forgetting: createForgetting(opened.db, opened.cipher),
      allowances: createAllowances(createCounters(opened.db), noLimits, clock),
      oversight: createOversight(opened.db),
      audit: createAudit(opened.db, clock),
      pacer: createPacer({ clock, log: { warn: nothing } }),
      owner: "world",
      exclusive: true,
      bell: silentBell,
      alone: createAloneHere(),
      clock,
      random: Math.random,
      metrics: {
        turnReceived: nothing,
        turnClosed: nothing,
        rated: nothing,
        leaseLost: nothing,
        lateWrite: nothing,
        turnsHere: nothing,
        workspaceError: nothing,
        firstWords: nothing,
        staleness: nothing,
        editSent: nothing,
        editSaved: nothing,
        heldBack: nothing,
        finish: nothing,
      },
      log,
    });
    const platform = createDiscord({
      alone: createAloneHere(),
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
    people,
    workspace,
    get platform() {
      return running.platform;
    },
    log: lines,
    received,
    failInbox: (error) => void (failure = error),
    failMarks: (times) => void (failingMarks = times),
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
    dump: () => opened.dump(),
    async close() {
      await running.end();
      await fake.close();
      await opened.close();
    },
  };
}
