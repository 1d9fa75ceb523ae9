/** The core over a real store, a fake platform and a fake workspace, with time standing still. */
import { Decimal } from "decimal.js";
import { sql } from "kysely";
import { openAccess, type AccessRules } from "../../src/core/access.ts";
import { createAllowances, type AllowanceRules } from "../../src/core/allowances.ts";
import { createAloneHere } from "../../src/core/alone.ts";
import type { Bell, Ring } from "../../src/core/bell.ts";
import { commands as commandTable } from "../../src/core/commands/index.ts";
import type { Command } from "../../src/core/commands/table.ts";
import { createEngine, type Engine } from "../../src/core/engine.ts";
import type { Inbound, InboundMessage, InboundCommand } from "../../src/core/inbound.ts";
import type { LatePostEnd } from "../../src/core/metrics.ts";
import type { Place } from "../../src/core/place.ts";
import type { ChatPlatform } from "../../src/core/platform.ts";
import type { FormBook } from "../../src/core/forms/book.ts";
import type { FormPurpose } from "../../src/core/forms/purpose.ts";
import { purposes } from "../../src/core/forms/purposes.ts";
import { createPacer } from "../../src/core/relay/pacer.ts";
import { createLog } from "../../src/log.ts";
import type { Outcome } from "../../src/core/turns/store.ts";
import { createAudit, type AuditLine } from "../../src/store/audit.ts";
import { createCounters } from "../../src/store/allowances.ts";
import { openBooks } from "../../src/store/books.ts";
import { createForgetting } from "../../src/store/forgetting.ts";
import type { StoreSchema } from "../../src/store/schema.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { createFakePlatform, type FakePlatform, type FakePlatformOptions } from "../fakes/platform.ts";
import { noLimits } from "../fakes/allowances.ts";
import { silentMetrics } from "../fakes/metrics.ts";
import { fakeAccounts } from "../fakes/accounts.ts";
import { createFakeWorkspace, fakeAgent, fakeModel, type FakeWorkspace } from "../fakes/workspace.ts";
import { openStore } from "../store/open.ts";

export const channel: Place = { platform: "fake", tenant: "t", channel: "c", thread: null };
export const thread = (name: string): Place => ({ ...channel, thread: name });
const ann = { id: "u1", name: "Ann" };

export const says = (key: string, text: string, over: Partial<InboundMessage> = {}): InboundMessage => ({
  kind: "message",
  key,
  place: thread("t1"),
  author: ann,
  at: 1,
  message: key,
  runs: [{ typed: text }],
  files: [],
  ...over,
});
export const commands = (key: string, name: string, text = "", over: Partial<InboundCommand> = {}): InboundCommand => ({
  kind: "command",
  key,
  place: thread("t1"),
  author: ann,
  at: 1,
  name,
  options: {},
  text,
  files: [],
  ...over,
});
export const presses = (key: string, action: string, turn: string): Inbound => ({
  kind: "action",
  key,
  place: thread("t1"),
  author: ann,
  at: 1,
  action,
  turn,
});

export interface World {
  readonly clock: FakeClock;
  readonly workspace: FakeWorkspace;
  readonly platform: FakePlatform;
  readonly people: ReturnType<typeof fakeAccounts>;
  readonly outcomes: Map<string, Outcome>;
  readonly log: string[];
  readonly forms: FormBook;
  /** Everything in the store, as it is on the disk. */
  stored(): Promise<string>;
  engine: Engine;
  /** True: nobody is answered. */
  refuses: boolean;
  /** Who may do what. */
  access: AccessRules;
  /** What people and channels may have; nothing is limited until a test does. */
  readonly limits: { -readonly [Name in keyof AllowanceRules]: AllowanceRules[Name] };
  receive(inbound: Inbound): Promise<"new" | "known">;
  /** What became of posts that were made too late, in order. */
  readonly latePosts: LatePostEnd[];
  /** Lets what is under way go on, a little at a time. */
  run(ms?: number): Promise<void>;
  /** The process dies at once, and another takes its place. */
  crash(): Promise<void>;
  /**
   * Asked before and after each call of a process to the store, the workspace or the platform; true: it dies there and then.
   * The first process is number 1.
   */
  dies: (process: number, moment: string) => boolean;
  /** Asked before and after each such call; it is made, or its answer heard, when what this gives resolves. Undefined: at once. */
  holds: (process: number, moment: string) => Promise<void> | undefined;
  /** Another process on the same store; `engine` goes on. */
  beside(): Promise<Engine>;
  /** What people see: text of every message, oldest first. */
  seen(): string[];
  /** The audit log, oldest first. */
  audited(): Promise<readonly AuditLine[]>;
  /** Every row of every table, and every byte of the database's files. */
  dump(): Promise<string>;
  /** Rows of a table of the store; those with this key only, where one is given. */
  rows(table: keyof StoreSchema, key?: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** The words of a document as one line. */
export function textOf(document: {
  readonly blocks: readonly unknown[];
  readonly status: string | null;
  readonly notice: string | null;
}): string {
  const words = (node: unknown): string => {
    const { value, children } = node as { value?: string; children?: unknown[] };
    return value ?? (children ?? []).map(words).join("");
  };
  return [
    document.blocks.map(words).join(" "),
    document.status === null ? "" : `[${document.status}]`,
    document.notice === null ? "" : `!${document.notice}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** How the world's platform differs from the usual fake. */
export interface PlatformOfWorld extends Pick<FakePlatformOptions, "sameKey"> {
  /** What a process writes with, in place of the fake. */
  readonly writes?: (process: number) => Partial<ChatPlatform>;
}

/** @param more what forms are for, beside the usual */
export async function createWorld(
  files: Record<string, Uint8Array> = {},
  more: readonly FormPurpose[] = [],
  moreCommands: readonly Command[] = [],
  { writes = () => ({}), ...differs }: PlatformOfWorld = {},
): Promise<World> {
  const clock = fakeClock();
  const opened = await openStore();
  const { forms } = openBooks(opened.db, opened.cipher, clock);
  const platform = createFakePlatform({ clock, files, ...differs });
  const workspace = createFakeWorkspace({
    now: () => clock.now(),
    models: [
      fakeModel(1, "Test model"),
      fakeModel(2, "Thinker", { thinking_model: true, reasoning_efforts: ["low", "high"] }),
      fakeModel(3, "Blocked", { selectable: false, restriction_reason: "not in the EU" }),
    ],
    agents: [fakeAgent(7, "research")],
    projects: [],
  });
  const people = fakeAccounts(opened, clock);
  const outcomes = new Map<string, Outcome>();
  const latePosts: LatePostEnd[] = [];
  const log: string[] = [];
  const limits = { ...noLimits };
  let processes = 0;
  const nothing = (): void => {};

  const alive = new Set<number>();
  const listeners = new Map<number, (ring: Ring) => void>();

  const begin = (exclusive = true): Engine => {
    const life = ++processes;
    alive.add(life);
    const bell: Bell = {
      ring(ring) {
        for (const [other, heard] of listeners) if (other !== life && alive.has(other) && alive.has(life)) heard(ring);
      },
      listen: (heard) => void listeners.set(life, heard),
    };
    const lives = (moment: string): boolean => {
      if (alive.has(life) && world.dies(life, moment)) alive.delete(life);
      return alive.has(life);
    };
    // A dead process does nothing any more, whatever it still had under way.
    const dies = <T extends object>(port: T): T =>
      new Proxy(port, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(target, name, receiver);
          if (typeof member === "object" && member !== null && !Array.isArray(member)) return dies(member);
          if (typeof member !== "function") return member;
          const call = String(name);
          return (...args: unknown[]) => {
            if (!lives(`before ${call}`)) return new Promise(nothing);
            const carryOut = (): unknown => (member as (...all: unknown[]) => unknown).apply(target, args);
            const given = world.holds(life, `before ${call}`)?.then(carryOut) ?? carryOut();
            if (!(given instanceof Promise)) return given;
            const heard = async (tell: () => void): Promise<void> => {
              await world.holds(life, `after ${call}`);
              if (lives(`after ${call}`)) tell();
            };
            return new Promise((resolve, reject) => {
              given.then(
                (value: unknown) => heard(() => resolve(value)),
                (thrown: unknown) => heard(() => reject(thrown as Error)),
              );
            });
          };
        },
      });
    const books = openBooks(opened.db, opened.cipher, clock);
    const written = writes(life);
    return createEngine({
      threads: dies(books.threads),
      settings: dies(books.settings),
      forms: dies(forms),
      creations: dies(books.creations),
      shares: dies(books.shares),
      buttons: dies(books.buttons),
      oversight: dies(books.oversight),
      store: dies(opened.store),
      commands: [...commandTable, ...moreCommands],
      people: dies(people.people((key) => dies(people.workspaceOf(key)))),
      accounts: dies(people.accounts(dies(workspace), (key) => dies(people.workspaceOf(key)))),
      askAbove: new Decimal(10),
      purposes: [...purposes, ...more],
      threadNames: () => undefined,
      access: () => (world.refuses ? { ...openAccess, users: [], operators: [] } : world.access),
      forgetting: dies(createForgetting(opened.db, opened.cipher)),
      allowances: dies(createAllowances(createCounters(opened.db), limits, clock)),
      audit: dies(createAudit(opened.db, clock)),
      platforms: () => [{ ...dies({ ...platform, ...written }), name: platform.name, limits: written.limits ?? platform.limits }],
      pacer: createPacer({ clock, log: { warn: nothing } }),
      owner: `process-${life}`,
      exclusive,
      bell,
      alone: createAloneHere(),
      clock,
      random: () => 0.5,
      metrics: {
        ...silentMetrics,
        turnClosed: (_platform, kind, outcome) => void outcomes.set(kind, outcome),
        latePost: (end) => void latePosts.push(end),
      },
      log: createLog("trace", { write: (line: string) => void log.push(line) }),
    });
  };

  const world: World = {
    clock,
    workspace,
    platform,
    people,
    outcomes,
    latePosts,
    log,
    forms,
    stored: async () =>
      JSON.stringify([
        await opened.db.selectFrom("turns").selectAll().execute(),
        await opened.db.selectFrom("key_values").selectAll().execute(),
      ]),
    engine: begin(),
    refuses: false,
    access: openAccess,
    limits,
    dies: () => false,
    holds: () => undefined,
    receive: (inbound) => world.engine.inbox.receive(inbound),
    async run(ms = 50) {
      for (let left = ms; left > 0; left -= 50) await clock.advance(Math.min(left, 50));
    },
    async crash() {
      alive.clear();
      world.engine = begin();
      await world.engine.start();
    },
    async beside() {
      const engine = begin(false);
      await engine.start();
      return engine;
    },
    seen: () => platform.messages.map(({ document }) => textOf(document)),
    audited: () => Array.fromAsync(createAudit(opened.db, clock).read({})),
    dump: () => opened.dump(),
    async rows(table, key) {
      const where = key === undefined ? sql`` : sql` where key = ${key}`;
      return (await sql<object>`select * from ${sql.table(table)}${where}`.execute(opened.db)).rows;
    },
    async close() {
      await world.run(100);
      alive.clear();
      await opened.close();
    },
  };
  await platform.start({ receive: (inbound) => world.receive(inbound) }, new AbortController().signal);
  await world.engine.start();
  return world;
}
