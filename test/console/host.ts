/** A console on a real port, with an inbox that a test decides, and everything taken down again at the end. */
import { randomFillSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { serve } from "@hono/node-server";
import type { Kysely } from "kysely";
import { consoleMigrations, createConsole, type Console } from "../../adapters/console/console.ts";
import { systemClock, type Clock } from "../../src/clock.ts";
import type { CommandInfo, Directory } from "../../src/core/commands/types.ts";
import type { Form } from "../../src/core/forms.ts";
import type { Inbound, Inbox } from "../../src/core/inbound.ts";
import { formsFor, noForms } from "../fakes/forms.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openSqlite } from "../../src/database/sqlite.ts";

export const commands: readonly CommandInfo[] = [
  { name: "help", help: "What Parley can do", options: [] },
  {
    name: "style",
    help: "How answers are written",
    options: [
      {
        name: "style",
        help: "The style",
        type: "choice",
        required: false,
        choices: [
          { value: "brief", label: "Brief" },
          { value: "formal", label: "Formal" },
        ],
      },
    ],
  },
  {
    name: "model",
    help: "Which model answers here",
    options: [{ name: "model", help: "The model", type: "text", required: false, source: "models" }],
  },
];

const directory: Directory = {
  ...noForms,
  commands,
  suggest: (source, query) =>
    Promise.resolve(
      (source === "agents"
        ? [
            { value: "@legal", label: "@legal", detail: "Legal advisor" },
            { value: "@lead", label: "@lead", detail: "Tech lead" },
          ]
        : [{ value: "small-1", label: "Small 1", detail: "Fast" }]
      ).filter((one) => one.value.includes(query)),
    ),
};

/** Keeps what it gets, once by key; throws while `failure` is set. */
export function recordingInbox(): Inbox & { readonly received: Inbound[]; failure: Error | null } {
  const received: Inbound[] = [];
  return {
    received,
    failure: null,
    receive(inbound) {
      if (this.failure !== null) return Promise.reject(this.failure);
      if (received.some((one) => one.key === inbound.key)) return Promise.resolve("known");
      received.push(inbound);
      return Promise.resolve("new");
    },
  };
}

type RecordingInbox = ReturnType<typeof recordingInbox>;

export interface Host {
  readonly url: string;
  readonly console: Console;
  readonly inbox: RecordingInbox;
  // The console's tables, seen from outside.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly db: Kysely<any>;
  readonly dir: string;
  /** Ends this process's part, as a kill would, and starts another on the same data and port. */
  restart(inbox?: RecordingInbox): Promise<Host>;
  /** Ends the server; the data stays until `close` of the last. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface HostOptions {
  readonly token?: string;
  readonly clock?: Clock;
  readonly inbox?: RecordingInbox;
  readonly started?: boolean;
  /** What the core says otherwise than usual. */
  readonly directory?: Partial<Directory>;
  /** Those that the core has for the person. */
  readonly forms?: ReadonlyMap<string, Form>;
}

export async function openHost(options: HostOptions = {}, dir?: string, port = 0): Promise<Host> {
  const folder = dir ?? (await mkdtemp(join(tmpdir(), "parley-console-")));
  // oxlint-disable-next-line typescript/no-explicit-any
  const db = openSqlite<any>(join(folder, "parley.sqlite"));
  await migrate(db, consoleMigrations);
  const inbox = options.inbox ?? recordingInbox();
  const console = createConsole({
    db,
    filesDir: join(folder, "console"),
    directory: { ...directory, ...formsFor("you", options.forms ?? new Map()), ...options.directory },
    clock: options.clock ?? systemClock,
    random: (bytes) => randomFillSync(bytes),
    log: { error: () => undefined },
    ...(options.token === undefined ? {} : { token: options.token }),
  });
  const stop = new AbortController();
  if (options.started !== false) await console.platform.start(inbox, stop.signal);
  const server = serve({ fetch: console.app.fetch, hostname: "127.0.0.1", port }) as Server;
  await new Promise<void>((resolve) => (server.listening ? resolve() : server.once("listening", () => resolve())));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!console.upgrade(request, socket, head)) socket.destroy();
  });
  const address = server.address() as AddressInfo;
  let stopped = false;
  const end = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    stop.abort();
    await console.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await db.destroy();
  };
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    console,
    inbox,
    db,
    dir: folder,
    async restart(next) {
      await end();
      return openHost({ ...options, ...(next === undefined ? { inbox } : { inbox: next }) }, folder, address.port);
    },
    stop: end,
    async close() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let ids = 0;
/** An id of the shape that the page makes. */
export const pageId = (): string => `test-${String(Date.now())}-${String(++ids)}`;

/** One request of the page. */
export async function call(host: Host, method: string, path: string, body?: unknown) {
  const response = await fetch(`${host.url}/console/api${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as any };
}

/** Says something as the page does. */
export const say = (
  host: Host,
  text: string,
  more: { id?: string; channel?: string; thread?: string | null; files?: string[] } = {},
) => call(host, "POST", "/messages", { id: pageId(), channel: "general", thread: null, text, files: [], ...more });
