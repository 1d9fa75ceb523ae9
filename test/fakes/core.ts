/** Parley's core over a real store and a fake workspace, in real time: what the worlds of all platforms share. */
import { randomUUID } from "node:crypto";
import { Decimal } from "decimal.js";
import { openAccess, type AccessRules } from "../../src/core/access.ts";
import { createAllowances } from "../../src/core/allowances.ts";
import { createAloneHere } from "../../src/core/alone.ts";
import { silentBell } from "../../src/core/bell.ts";
import { commands } from "../../src/core/commands/index.ts";
import type { Command } from "../../src/core/commands/table.ts";
import type { EngineOptions } from "../../src/core/engine-options.ts";
import { createEngine, type Engine } from "../../src/core/engine.ts";
import { purposes } from "../../src/core/forms/purposes.ts";
import type { Inbound, Inbox } from "../../src/core/inbound.ts";
import { createPacer } from "../../src/core/relay/pacer.ts";
import type { SettingsBook } from "../../src/core/settings.ts";
import type { Workspace } from "../../src/core/workspace.ts";
import { createLog, type Log } from "../../src/log.ts";
import { createCounters } from "../../src/store/allowances.ts";
import { createAudit } from "../../src/store/audit.ts";
import { openBooks } from "../../src/store/books.ts";
import { createForgetting } from "../../src/store/forgetting.ts";
import { openStore, type Opened } from "../store/open.ts";
import { fakeAccounts } from "./accounts.ts";
import { noLimits } from "./allowances.ts";
import { silentMetrics } from "./metrics.ts";
import { runningClock } from "./running-clock.ts";
import { createFakeWorkspace, fakeAgent, fakeModel, type FakeWorkspace } from "./workspace.ts";

export interface CoreOptions {
  /** Beside those of the table. */
  readonly commands?: readonly Command[];
  /** The workspace as the shared key's owner sees it, and as a linked one's; fakes without them. */
  readonly shared?: Workspace;
  readonly connect?: (key: string) => Workspace;
  readonly access?: Partial<AccessRules>;
  /** One that another world has open too, as replicas do; one of its own without it. */
  readonly store?: Opened;
  /** Silent ones without them. */
  readonly metrics?: EngineOptions["metrics"];
}

/** What tests of any platform look at. */
export interface CoreWorld {
  readonly people: ReturnType<typeof fakeAccounts>;
  readonly workspace: FakeWorkspace;
  readonly log: readonly string[];
  /** What the inbox was given, also what it knew already. */
  readonly received: readonly Inbound[];
  /** While set, the inbox throws this. */
  readonly failInbox: (error: Error | null) => void;
  /** Waits until `look` gives something. */
  readonly until: <T>(look: () => T | undefined | false | null) => Promise<T>;
  /** Waits for the newest question of the workspace, answers it, and gives what was asked. */
  readonly answers: (text: string) => Promise<string>;
  /** Every row of every table, and every byte of the database's files. */
  readonly dump: () => Promise<string>;
}

export interface Core {
  readonly world: CoreWorld;
  readonly opened: Opened;
  readonly settings: SettingsBook;
  readonly access: AccessRules;
  readonly log: Log;
  /** An engine for these platforms, as a process has one. */
  readonly engine: (platforms: Pick<EngineOptions, "platforms" | "threadNames">) => Engine;
  /** The engine's inbox, recorded, and failing while a test says so. */
  readonly inbox: (engine: Engine) => Inbox;
}

/** @param own rules of access that this platform has of itself; those of the options win */
export async function openCore(options: CoreOptions, own: Partial<AccessRules> = {}): Promise<Core> {
  const opened = options.store ?? (await openStore());
  const clock = runningClock;
  const workspace = createFakeWorkspace({
    now: Date.now,
    models: [fakeModel(1, "Test model"), fakeModel(2, "Thinker", { thinking_model: true, reasoning_efforts: ["low", "high"] })],
    agents: [fakeAgent(7, "research")],
    projects: [],
  });
  const people = fakeAccounts(opened, clock);
  const lines: string[] = [];
  const log = createLog("trace", { write: (line: string) => void lines.push(line) });
  const books = openBooks(opened.db, opened.cipher, clock);
  const access: AccessRules = { ...openAccess, operators: [], ...own, ...options.access };
  const received: Inbound[] = [];
  let failure: Error | null = null;
  const answered = new Set<number>();
  const until: CoreWorld["until"] = async (look) => {
    for (let waited = 0; waited < 6_000; waited++) {
      const found = look();
      if (found !== undefined && found !== false && found !== null) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`waited in vain; Parley logged:\n${lines.slice(-15).join("")}`);
  };
  return {
    opened,
    settings: books.settings,
    access,
    log,
    engine: (platforms) =>
      createEngine({
        ...books,
        ...platforms,
        store: opened.store,
        accounts: people.accounts(options.shared ?? workspace, options.connect),
        people: people.people(options.connect),
        commands: [...commands, ...(options.commands ?? [])],
        askAbove: new Decimal(10),
        purposes,
        access: () => access,
        forgetting: createForgetting(opened.db, opened.cipher),
        allowances: createAllowances(createCounters(opened.db), noLimits, clock),
        audit: createAudit(opened.db, clock),
        pacer: createPacer({ clock, log: { warn: () => {} } }),
        owner: options.store === undefined ? "world" : `world ${randomUUID()}`,
        exclusive: options.store === undefined,
        bell: silentBell,
        alone: createAloneHere(),
        clock,
        random: Math.random,
        metrics: options.metrics ?? silentMetrics,
        log,
      }),
    inbox: (engine) => ({
      receive(inbound) {
        if (failure !== null) return Promise.reject(failure);
        received.push(inbound);
        return engine.inbox.receive(inbound);
      },
    }),
    world: {
      people,
      workspace,
      log: lines,
      received,
      failInbox: (error) => void (failure = error),
      until,
      async answers(text) {
        const { id, question, answer } = await until(() => {
          for (const [conversation, messages] of workspace.held) {
            const last = messages.at(-1);
            const asked = messages.findLast(({ isUser }) => isUser);
            if (last !== undefined && asked !== undefined && !last.isUser && !answered.has(last.ID))
              return { id: conversation, question: asked.text, answer: last.ID };
          }
          return undefined;
        });
        answered.add(answer);
        workspace.answer(id, { text, status: "finished" });
        return question;
      },
      dump: () => opened.dump(),
    },
  };
}
