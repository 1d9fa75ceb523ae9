/** Parley's core with the Slack adapter before the fake Slack, by either transport, in real time. */
import { Decimal } from "decimal.js";
import { createSlack, type Slack } from "../../adapters/slack/slack.ts";
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
import { purposes } from "../../src/core/forms/purposes.ts";
import { createPacer } from "../../src/core/relay/pacer.ts";
import { createSettings, type FollowUps, type Settings } from "../../src/core/settings.ts";
import { createThreads, type Thread } from "../../src/core/threads.ts";
import { openFront, type Front } from "../../src/front/server.ts";
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
import { openFakeSlack, type FakeSlack, type FakeSlackOptions } from "../fakes/slack/slack.ts";
import { shownOf } from "../fakes/slack/shown.ts";
import type { FakeMessage } from "../fakes/slack/state.ts";
import { noLimits } from "../fakes/allowances.ts";
import { fakeAccounts } from "../fakes/accounts.ts";
import { createFakeWorkspace, fakeAgent, fakeModel, type FakeWorkspace } from "../fakes/workspace.ts";
import { openStore } from "../store/open.ts";

export { shownOf } from "../fakes/slack/shown.ts";

const unpaced = () => [{ key: "unpaced", count: 1_000, windowMs: 1_000, burst: 1_000 }];

export type Transport = "socket" | "http";
export const transports: readonly Transport[] = ["socket", "http"];

export interface WorldOptions {
  /** Beside those of the table. */
  readonly commands?: readonly Command[];
  /** The workspace as the shared key's owner sees it, and as a linked one's; fakes without them. */
  readonly shared?: Workspace;
  readonly connect?: (key: string) => Workspace;
  readonly access?: Partial<AccessRules>;
  readonly followUps?: FollowUps;
  /** Parley was here before, until this time. */
  readonly missedSince?: number;
  /** Another Slack than the fake one to call; the fake only delivers. */
  readonly api?: { readonly apiUrl: string; readonly botToken: string };
  /** What is done to the fake Slack before Parley starts. */
  readonly before?: (slack: FakeSlack) => Promise<void> | void;
  readonly slack?: Omit<FakeSlackOptions, "transport">;
}

export interface World {
  readonly people: ReturnType<typeof fakeAccounts>;
  readonly slack: FakeSlack;
  readonly workspace: FakeWorkspace;
  readonly adapter: Slack;
  readonly engine: Engine;
  readonly log: readonly string[];
  /** What the inbox was given, also what it knew already. */
  readonly received: readonly Inbound[];
  /** While set, the inbox throws this. */
  readonly failInbox: (error: Error | null) => void;
  /** Waits until `look` gives something. */
  readonly until: <T>(look: () => T | undefined | false | null) => Promise<T>;
  /** Waits for the newest question of the workspace, answers it, and gives what was asked. */
  readonly answers: (text: string) => Promise<string>;
  /** Parley's messages in a thread once one of them shows these words. */
  readonly answered: (channel: string, thread: string, words: string) => Promise<readonly FakeMessage[]>;
  /** Keys of all turns in the store. */
  readonly stored: () => Promise<string[]>;
  /** Every row of every table, and every byte of the database's files. */
  dump(): Promise<string>;
  close(): Promise<void>;
}

export async function openWorld(transport: Transport, options: WorldOptions = {}): Promise<World> {
  const slack = await openFakeSlack({ ...options.slack, transport });
  const opened = await openStore();
  const workspace = createFakeWorkspace({
    now: Date.now,
    models: [fakeModel(1, "Test model"), fakeModel(2, "Thinker", { thinking_model: true, reasoning_efforts: ["low", "high"] })],
    agents: [fakeAgent(7, "research")],
    projects: [],
  });
  const clock = systemClock;
  const people = fakeAccounts(opened, clock);
  const lines: string[] = [];
  const log = createLog("trace", { write: (line: string) => void lines.push(line) });
  const nothing = (): void => {};
  const settings = createSettings(createMap<Settings>(opened.db, clock, "settings"));
  const access: AccessRules = {
    ...openAccess,
    externals: false,
    operators: [],
    contact: () => adapter.contact(),
    ...options.access,
  };
  const engine = createEngine({
    store: opened.store,
    accounts: people.accounts(options.shared ?? workspace, options.connect),
    people: people.people(options.connect),
    commands: [...commands, ...(options.commands ?? [])],
    threads: createThreads(createMap<Thread>(opened.db, clock, "threads"), createMap<string>(opened.db, clock, "conversations")),
    settings,
    forms: openForms(opened.db, opened.cipher, clock),
    creations: openCreations(opened.db, opened.cipher, clock),
    askAbove: new Decimal(10),
    shares: openShares(opened.db, opened.cipher, clock),
    buttons: openButtons(opened.db, opened.cipher, clock),
    purposes,
    // Slack's budgets would only make the tests slow; others hold them.
    platforms: () => [{ ...adapter.platform, limits: { ...adapter.platform.limits, budgets: unpaced } }],
    threadNames: () => undefined,
    access: () => access,
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
  const adapter = createSlack({
    botToken: options.api?.botToken ?? slack.tokens.bot,
    transport: transport === "socket" ? { appToken: slack.tokens.app } : { signingSecret: slack.tokens.signing },
    apiUrl: options.api?.apiUrl ?? slack.apiUrl,
    friends: [],
    // The other Slack has no user groups.
    groups: options.api === undefined ? ["S0TEAM"] : [],
    operators: access.operators ?? [],
    streaming: "auto",
    followUps: options.followUps ?? "thread",
    settings: (place) => settings.effective(place),
    participation: createMap<true>(opened.db, clock, "slack-participation"),
    seen: createMap<number>(opened.db, clock, "slack-seen"),
    catchUp: options.missedSince !== undefined,
    directory: engine.directory,
    clock,
    random: Math.random,
    log,
  });
  const { fetch } = adapter;
  let front: Front | undefined;
  if (fetch !== undefined) {
    front = await openFront({
      host: "127.0.0.1",
      port: 0,
      rules: { loopback: true },
      log,
      partOf: (path) => (path === "/slack/events" ? { part: { fetch }, checkOrigin: false } : undefined),
    });
    slack.requestUrl = `http://127.0.0.1:${front.port}/slack/events`;
  }
  if (options.missedSince !== undefined)
    await createMap<number>(opened.db, clock, "slack-seen").set("slack:T0ACME:seen:", options.missedSince);
  await options.before?.(slack);
  const received: Inbound[] = [];
  let failure: Error | null = null;
  const end = new AbortController();
  await adapter.platform.start(
    {
      receive(inbound) {
        if (failure !== null) return Promise.reject(failure);
        received.push(inbound);
        return engine.inbox.receive(inbound);
      },
    },
    end.signal,
  );
  await engine.start();

  const until: World["until"] = async (look) => {
    for (let waited = 0; waited < 1_000; waited++) {
      const found = look();
      if (found !== undefined && found !== false && found !== null) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`waited in vain; Parley logged:\n${lines.slice(-10).join("")}`);
  };
  const answeredQuestions = new Set<number>();

  return {
    slack,
    people,
    workspace,
    adapter,
    engine,
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
    answered: (channel, thread, words) =>
      until(() => {
        const all = slack.answers(channel, thread);
        return all.some((message) => shownOf(message).includes(words)) ? all : undefined;
      }),
    stored: async () => (await opened.db.selectFrom("turns").select("key").execute()).map(({ key }) => key),
    dump: () => opened.dump(),
    async close() {
      end.abort(new Error("the test is over"));
      await adapter.platform.stop();
      await engine.drain();
      await front?.close();
      await slack.close();
      await opened.close();
    },
  };
}
