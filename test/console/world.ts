/** Parley's core with the console before it, in real time, and what the page does by its own requests. */
import { randomFillSync } from "node:crypto";
import { join } from "node:path";
import { consoleMigrations, createConsole } from "../../adapters/console/console.ts";
import type { MessageView, WhisperView } from "../../adapters/console/wire.ts";
import { systemClock } from "../../src/clock.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openCore, type CoreOptions, type CoreWorld } from "../fakes/core.ts";
import { textOf } from "../core/engine.ts";
import { pageId } from "./host.ts";

export interface World extends CoreWorld {
  /** A request of the page. */
  readonly request: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Says something as the page does. @returns the message's id */
  readonly says: (text: string, at?: { readonly channel?: string; readonly thread?: string }) => Promise<string>;
  readonly presses: (message: Pick<WhisperView, "id" | "document">, label: string) => Promise<number>;
  /** What only the person is shown, oldest first. */
  readonly whispers: () => Promise<readonly WhisperView[]>;
  /** What Parley shows in a thread or channel. */
  readonly shown: (at: { readonly channel: string } | { readonly thread: string }) => Promise<readonly MessageView[]>;
  /** Waits until `look` gives something. */
  readonly soon: <T>(look: () => Promise<T | undefined>) => Promise<T>;
  close(): Promise<void>;
}

export const wordsOf = ({ document }: { readonly document: MessageView["document"] }): string =>
  document === null ? "" : textOf(document);

/** @param options `access` over the console's own rules, under which everybody is the operator */
export async function openWorld(options: CoreOptions & { readonly token?: string } = {}): Promise<World> {
  const core = await openCore(options, { operators: null });
  const { opened } = core;
  // Every room sees its own tables of the one database.
  await migrate(opened.db as never, consoleMigrations);
  const engine = core.engine({ platforms: () => [console.platform], threadNames: () => undefined });
  const console = createConsole({
    db: opened.db as never,
    filesDir: join(opened.folder, "console"),
    directory: engine.directory,
    clock: systemClock,
    random: (bytes) => randomFillSync(bytes),
    log: core.log,
    ...(options.token === undefined ? {} : { token: options.token }),
  });
  const end = new AbortController();
  await console.platform.start(core.inbox(engine), end.signal);
  await engine.start();

  const request: World["request"] = async (method, path, body) => {
    const sent = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await console.app.request(`http://localhost/console/api${path}`, { method, ...sent });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as unknown) };
  };
  const get = async <T>(path: string): Promise<T> => (await request("GET", path)).body as T;
  return {
    ...core.world,
    request,
    async says(text, { channel = "general", thread } = {}) {
      const message = { id: pageId(), channel, thread: thread ?? null, text, files: [] };
      const { status, body } = await request("POST", "/messages", message);
      if (status !== 200) throw new Error(`not sent: ${status} ${JSON.stringify(body)}`);
      return (body as { message: MessageView }).message.id;
    },
    async presses({ id: message, document }, label) {
      const button = document.actions.find((action) => action.label === label);
      if (button === undefined) throw new Error(`there is no button ${label}`);
      const { action, turn } = button;
      return (await request("POST", "/actions", { id: pageId(), message, action, turn })).status;
    },
    whispers: async () => (await get<{ whispers: WhisperView[] }>("/state")).whispers,
    shown: async (at) => {
      const path = "thread" in at ? `/threads/${at.thread}` : `/channels/${at.channel}/messages`;
      return (await get<{ messages: MessageView[] }>(path)).messages.filter(({ author }) => author.id === "parley");
    },
    async soon(look) {
      for (let tries = 0; tries < 12_000; tries++) {
        const found = await look();
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error(`waited in vain; Parley logged:\n${core.world.log.slice(-15).join("")}`);
    },
    async close() {
      end.abort(new Error("the test is over"));
      await console.platform.stop();
      await engine.drain();
      await console.close();
      await opened.close();
    },
  };
}
