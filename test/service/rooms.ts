/** A running workspace for the tests of its rooms: real requests to a real server, in a folder of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomFillSync } from "node:crypto";
import { systemClock } from "../../src/clock.ts";
import { permissions, type Permission } from "../../src/contract/permissions.ts";
import { createLog } from "../../src/log.ts";
import { createUser } from "../../src/service/accounts.ts";
import { createKey } from "../../src/service/key-admin.ts";
import { listenService } from "../../src/service/listen.ts";
import { bestPassages } from "../../src/service/reading/passages.ts";
import { offlineProvider } from "../../src/service/providers/offline.ts";
import { createService } from "../../src/service/service.ts";

/** An answer, read. `body` is undefined where there is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Each test says what it expects to find.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** One user of the workspace. */
export interface Member {
  readonly id: number;
  readonly key: string;
  /** A request with this user's key; `body` goes out as JSON unless it is a form. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export type Rooms = Awaited<ReturnType<typeof openRooms>>;

export async function openRooms(options: { readonly fileBytes?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "parley-rooms-"));
  const random = (bytes: Uint8Array): Uint8Array => randomFillSync(bytes);
  const provider = offlineProvider({ clock: systemClock, passages: bestPassages, charactersPerSecond: 1e6 });
  const log = createLog("silent");
  const service = await createService({ dataDir: folder, providers: [provider], clock: systemClock, random, log, ...options });
  const listening = await listenService(service, { host: "127.0.0.1", port: 0 });
  const { ctx } = service;

  async function request(key: string | undefined, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    const form = body instanceof FormData || typeof body === "string";
    const response = await globalThis.fetch(path.startsWith("http") ? path : listening.url + path, {
      method,
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json") === true;
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text || undefined };
  }

  return {
    ctx,
    folder,
    url: listening.url,
    /** A request without a key. */
    anyone: (method: string, path: string): Promise<Answer> => request(undefined, method, path),
    async member(name: string, held: readonly Permission[] = permissions): Promise<Member> {
      const { id } = await createUser(ctx, name);
      const key = await createKey(ctx, { name, permissions: held, user: name });
      return { id, key, call: (method, path, body, headers) => request(key, method, path, body, headers) };
    },
    async close(): Promise<void> {
      await listening.close();
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A form with one file part for each entry, all of the name that the interface asks for. */
export function filesForm(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>, part = "upload[]"): FormData {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append(part, new Blob([content]), name);
  return form;
}
