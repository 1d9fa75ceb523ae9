/** An embedded workspace on a port of its own, in a folder of its own, with clients of any permissions. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request, type Dispatcher } from "undici";
import { expect } from "vitest";
import { createClient, type Client } from "../../src/client/index.ts";
import { systemClock } from "../../src/clock.ts";
import { permissions, type Permission } from "../../src/contract/permissions.ts";
import { WorkspaceFault } from "../../src/errors.ts";
import { createLog } from "../../src/log.ts";
import { createKey, createUser, ensureOwner } from "../../src/service/admin.ts";
import { listenService } from "../../src/service/listen.ts";
import type { MediaProvider } from "../../src/service/providers/media/port.ts";
import type { ModelProvider } from "../../src/service/providers/port.ts";
import { createService, type Service } from "../../src/service/service.ts";
import { testMediaProvider, type TestMediaProvider } from "./media-provider.ts";
import { testProvider, type TestProvider } from "./provider.ts";

/** An answer as it came, for what the client would not send or would not show. */
interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly header: (name: string) => string | undefined;
}

interface RawRequest {
  /** The owner's key where it is left out; null sends no header. */
  readonly authorization?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: Dispatcher.RequestOptions["body"];
}

export interface TestWorkspace {
  /** The REST root. */
  readonly url: string;
  readonly service: Service;
  /** What the server has answered so far; an accepted upgrade counts as 101. */
  readonly answered: ReadonlyArray<{ readonly method: string; readonly path: string; readonly status: number }>;
  readonly provider: TestProvider;
  readonly media: TestMediaProvider;
  /** Acts as the owner, with every permission. */
  readonly owner: Client;
  readonly ownerKey: string;
  /** The ID of the test model with this key, such as `test:plain`. */
  modelId(key: string): Promise<number>;
  /** The same of a media model, such as `test:film`. */
  mediaModelId(key: string): Promise<number>;
  /** A new key of `user` (the owner unless named, made when there is none) and a client that acts with it. */
  keyWith(held: readonly Permission[], user?: string): Promise<{ key: string; client: Client }>;
  /** Another user's client, with every permission. */
  member(name: string): Promise<{ id: number; client: Client }>;
  /** Asks without the client; every answer must have a correlation id. */
  ask(method: string, path: string, asked?: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface WorkspaceOptions {
  /** In place of the test provider. */
  readonly providers?: readonly ModelProvider[];
  /** In place of the test provider of media. */
  readonly mediaProviders?: readonly MediaProvider[];
  /** A folder to work in, not removed at the end; without it one of its own. */
  readonly dataDir?: string;
}

export async function startWorkspace(options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "parley-workspace-")));
  const provider = testProvider();
  const media = testMediaProvider();
  const random = (bytes: Uint8Array): Uint8Array => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  const log = createLog("silent");
  const service = await createService({
    dataDir,
    providers: options.providers ?? [provider],
    media: options.mediaProviders ?? [media],
    clock: systemClock,
    random,
    log,
  });
  const answered: Array<{ method: string; path: string; status: number }> = [];
  const listening = await listenService(
    {
      ...service,
      async fetch(request) {
        const response = await service.fetch(request);
        answered.push({ method: request.method, path: new URL(request.url).pathname, status: response.status });
        return response;
      },
      upgrade(request, socket, head) {
        const taken = service.upgrade(request, socket, head);
        if (taken) answered.push({ method: "GET", path: request.url ?? "", status: 101 });
        return taken;
      },
    },
    { host: "127.0.0.1", port: 0 },
  );
  const { ctx } = service;
  const ownerUser = await ensureOwner(ctx);
  const dispatcher = new Agent();
  const clients: Client[] = [];
  const clientOf = (apiKey: string): Client => {
    const client = createClient({ baseUrl: listening.url, apiKey });
    clients.push(client);
    return client;
  };
  const ownerKey = await createKey(ctx, { name: "owner", permissions });
  const owner = clientOf(ownerKey);

  const keyWith: TestWorkspace["keyWith"] = async (held, user = ownerUser.name) => {
    if (user !== ownerUser.name) await createUser(ctx, user);
    const key = await createKey(ctx, { name: `key of ${user}`, permissions: held, user });
    return { key, client: clientOf(key) };
  };

  return {
    url: listening.url,
    service,
    answered,
    provider,
    media,
    owner,
    ownerKey,
    keyWith,
    async modelId(key) {
      const row = await ctx.db.selectFrom("models").select("id").where("key", "=", key).executeTakeFirstOrThrow();
      return row.id;
    },
    async mediaModelId(key) {
      const row = await ctx.db.selectFrom("media_models").select("id").where("key", "=", key).executeTakeFirstOrThrow();
      return row.id;
    },
    async member(name) {
      const { client } = await keyWith(permissions, name);
      const { id } = await ctx.db.selectFrom("users").select("id").where("name", "=", name).executeTakeFirstOrThrow();
      return { id, client };
    },
    async ask(method, path, { authorization = `Bearer ${ownerKey}`, headers = {}, body = null } = {}) {
      const answer = await request(`${listening.url}${path}`, {
        method: method as Dispatcher.HttpMethod,
        dispatcher,
        headers: { ...(authorization !== null && { authorization }), ...headers },
        body,
      });
      const text = await answer.body.text();
      const header = (name: string): string | undefined => [answer.headers[name]].flat()[0];
      expect(header("x-correlation-id")).toMatch(/^\S{8,}$/);
      return { status: answer.statusCode, header, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await dispatcher.close();
      await listening.close();
      await service.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true });
    },
  };
}

/** The fault that `call` ends with; it must be one of the workspace's, with a correlation id. */
export async function faultOf(call: Promise<unknown>): Promise<WorkspaceFault> {
  const thrown: unknown = await call.then(
    (value) => ({ value }),
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(WorkspaceFault);
  expect((thrown as WorkspaceFault).correlationId).toMatch(/^\S{8,}$/);
  return thrown as WorkspaceFault;
}

export async function* bytesOf(...chunks: ReadonlyArray<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
}

/** Everything of a stream as text. */
export async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Uploads a text file and gives its ID. */
export const uploadText = async (client: Client, name: string, text: string): Promise<number> =>
  (await client.files.upload(name, "text/plain", bytesOf(text))).ID;
