/** A workspace in a process of its own: its memory, its sudden end, and its management beside it. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClient, type Client } from "../../src/client/index.ts";
import { systemClock } from "../../src/clock.ts";
import { permissions } from "../../src/contract/permissions.ts";
import { createKey, openWorkspace, revokeKey, setQuota } from "../../src/service/admin.ts";
import { faultOf } from "./server.ts";

let dataDir: string;
let children: ChildProcess[];
let clients: Client[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-process-"));
  children = [];
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const child of children) await kill(child);
  await rm(dataDir, { recursive: true });
});

async function serve(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(new URL("serve.ts", import.meta.url), [dataDir], { execArgv: [] });
  children.push(child);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return { child, url };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** What the command line does, in another process than the server's. */
async function beside<T>(work: (ctx: Parameters<typeof createKey>[0]) => Promise<T>): Promise<T> {
  const db = await openWorkspace(dataDir);
  try {
    const random = (bytes: Uint8Array): Uint8Array => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
    return await work({ db, clock: systemClock, random });
  } finally {
    await db.destroy();
  }
}

function clientOf(url: string, apiKey: string): Client {
  const client = createClient({ baseUrl: url, apiKey });
  clients.push(client);
  return client;
}

test("200 MB are taken in and given back within 300 MB of memory, byte for byte", async () => {
  const { child, url } = await serve();
  const client = clientOf(url, await beside((ctx) => createKey(ctx, { name: "k", permissions })));
  const size = 200 * 1024 * 1024;
  const chunk = new Uint8Array(256 * 1024);
  async function* content(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < size; sent += chunk.length) {
      chunk.fill((sent / chunk.length) % 251);
      yield chunk.slice();
    }
  }
  const mine = process.memoryUsage().rss;
  const stored = await client.files.upload("large.bin", "application/octet-stream", content());
  let read = 0;
  let wrong = 0;
  for await (const piece of await client.files.download(stored.path)) {
    for (let at = 0; at < piece.length; at += 4096) if (piece[at] !== Math.floor((read + at) / chunk.length) % 251) wrong++;
    read += piece.length;
  }
  expect({ read, wrong }).toEqual({ read: size, wrong: 0 });
  child.send("peak");
  const [{ peak }] = (await once(child, "message")) as [{ peak: number }];
  expect(peak).toBeLessThan(300 * 1024 * 1024);
  // The client streams too: far less than the file is held here.
  expect(process.memoryUsage().rss - mine).toBeLessThan(100 * 1024 * 1024);
});

test("after a sudden end its unfinished message is finished with a text and a reference, and can be retried", async () => {
  const first = await serve();
  const key = await beside((ctx) => createKey(ctx, { name: "k", permissions }));
  const before = clientOf(first.url, key);
  const { conversationId } = await before.conversations.start({ message: "hold", ai_model_id: 1 });
  await expect.poll(async () => (await before.conversations.messages(conversationId)).items[0]?.text).toBe("You ");
  await kill(first.child);
  expect(await before.models.list().catch((fault: unknown) => fault)).toMatchObject({ kind: "unreachable" });

  const { conversations } = clientOf((await serve()).url, key);
  const [broken, question] = (await conversations.messages(conversationId)).items;
  expect(question).toMatchObject({ isUser: true, text: "hold" });
  expect(broken).toMatchObject({ status: "finished", text: "You ", error_text: expect.any(String) as string });
  expect(broken!.error_id).toMatch(/^[a-z0-9]{10}$/);
  const messages = await conversations.follow(conversationId);
  await conversations.retry(conversationId, broken!.ID);
  for await (const message of messages) {
    expect(message).toMatchObject({ ID: broken!.ID, error_text: null });
    if (message.text === "You ") break;
  }
});

test("a sudden end within an upload leaves no record, and its bytes are swept away", async () => {
  const first = await serve();
  const key = await beside((ctx) => createKey(ctx, { name: "k", permissions }));
  const started = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; ; sent++) {
      if (sent === 100) started.resolve();
      yield new Uint8Array(64 * 1024);
    }
  }
  const upload = faultKind(clientOf(first.url, key).files.upload("half.bin", "text/plain", endless()));
  await started.promise;
  await kill(first.child);
  expect(await upload).toBe("lost");
  const again = clientOf((await serve()).url, key);
  expect((await again.files.list()).total).toBe(0);
  await expect.poll(() => readdir(join(dataDir, "objects"))).toEqual([]);
});

const faultKind = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no fault",
    (fault: { kind?: unknown }) => fault.kind,
  );

test("keys and quota change beside the running server, and count from the next request on", async () => {
  const { url } = await serve();
  const client = clientOf(url, await beside((ctx) => createKey(ctx, { name: "k", permissions })));
  expect(await client.run("hi", { modelId: 1 })).toMatchObject({ text: "You said: hi" });
  await beside((ctx) => setQuota(ctx, "owner", { reason: "user_count" }));
  expect(await faultOf(client.run("hi", { modelId: 1 }))).toMatchObject({ kind: "quota", reason: "user_count" });
  await beside((ctx) => setQuota(ctx, "owner", { reason: null }));
  expect(await client.models.list()).toHaveLength(5);
  await beside((ctx) => revokeKey(ctx, 1));
  expect(await faultOf(client.models.list())).toMatchObject({ kind: "unauthorized" });
});
