/** The core over a real store, a fake platform and a fake workspace, with time standing still. */
import { openAccess } from "../../src/core/access.ts";
import { createEngine, type Engine } from "../../src/core/engine.ts";
import type { Inbound, InboundMessage, InboundCommand } from "../../src/core/inbound.ts";
import type { Place } from "../../src/core/place.ts";
import { createPacer } from "../../src/core/relay/pacer.ts";
import { createSettings, type Settings } from "../../src/core/settings.ts";
import { createThreads, type Thread } from "../../src/core/threads.ts";
import { createLog } from "../../src/log.ts";
import type { Outcome } from "../../src/core/turns/store.ts";
import { createMap } from "../../src/store/key-values.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { createFakePlatform, type FakePlatform } from "../fakes/platform.ts";
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
  readonly outcomes: Map<string, Outcome>;
  readonly log: string[];
  engine: Engine;
  receive(inbound: Inbound): Promise<"new" | "known">;
  /** Lets what is under way go on, a little at a time. */
  run(ms?: number): Promise<void>;
  /** The process dies at once, and another takes its place. */
  crash(): Promise<void>;
  /** What people see: text of every message, oldest first. */
  seen(): string[];
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

export async function createWorld(files: Record<string, Uint8Array> = {}): Promise<World> {
  const clock = fakeClock();
  const opened = await openStore();
  const platform = createFakePlatform({ clock, files });
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
  const outcomes = new Map<string, Outcome>();
  const log: string[] = [];
  let processes = 0;
  const nothing = (): void => {};

  const begin = (): Engine => {
    const life = ++processes;
    // A dead process does nothing any more, whatever it still had under way.
    const dies = <T extends object>(port: T): T =>
      new Proxy(port, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(target, name, receiver);
          if (typeof member === "object" && member !== null && !Array.isArray(member)) return dies(member);
          if (typeof member !== "function") return member;
          return (...args: unknown[]) =>
            life === processes ? (member as (...all: unknown[]) => unknown).apply(target, args) : new Promise(nothing);
        },
      });
    return createEngine({
      store: dies(opened.store),
      workspace: dies(workspace),
      threads: dies(
        createThreads(createMap<Thread>(opened.db, clock, "threads"), createMap<string>(opened.db, clock, "conversations")),
      ),
      settings: dies(createSettings(createMap<Settings>(opened.db, clock, "settings"))),
      access: () => openAccess,
      purge: () => Promise.resolve(),
      platforms: () => [{ ...dies(platform), name: platform.name, limits: platform.limits }],
      pacer: createPacer({ clock, log: { warn: nothing } }),
      owner: `process-${life}`,
      exclusive: true,
      clock,
      random: () => 0.5,
      metrics: {
        turnReceived: nothing,
        rated: nothing,
        turnClosed: (_platform, kind, outcome) => void outcomes.set(kind, outcome),
        leaseLost: nothing,
        workspaceError: nothing,
        firstWords: nothing,
        staleness: nothing,
        editSent: nothing,
        editSaved: nothing,
        finish: nothing,
      },
      log: createLog("trace", { write: (line: string) => void log.push(line) }),
    });
  };

  const world: World = {
    clock,
    workspace,
    platform,
    outcomes,
    log,
    engine: begin(),
    receive: (inbound) => world.engine.inbox.receive(inbound),
    async run(ms = 50) {
      for (let left = ms; left > 0; left -= 50) await clock.advance(Math.min(left, 50));
    },
    async crash() {
      world.engine = begin();
      await world.engine.start();
    },
    seen: () => platform.messages.map(({ document }) => textOf(document)),
    async close() {
      await world.run(100);
      processes++;
      await opened.close();
    },
  };
  await platform.start({ receive: (inbound) => world.receive(inbound) }, new AbortController().signal);
  await world.engine.start();
  return world;
}
