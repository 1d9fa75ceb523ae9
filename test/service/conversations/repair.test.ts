import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../src/clock.ts";
import { permissions } from "../../../src/contract/permissions.ts";
import type { Message } from "../../../src/contract/records.ts";
import { createLog } from "../../../src/log.ts";
import { createKey } from "../../../src/service/admin.ts";
import { createService, type Service } from "../../../src/service/service.ts";
import { testProvider } from "../../workspace/provider.ts";

let dataDir: string;
const services: Service[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-repair-"));
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  await rm(dataDir, { recursive: true });
});

async function open(): Promise<Service> {
  const random = (bytes: Uint8Array): Uint8Array => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  const log = createLog("silent");
  const service = await createService({ dataDir, providers: [testProvider()], clock: systemClock, random, log });
  services.push(service);
  return service;
}

async function ask<T>(service: Service, key: string, method: string, path: string, body?: unknown): Promise<T> {
  const init = {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const response = await service.fetch(new Request(`http://workspace.test/api/v1${path}`, init));
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

/** A conversation whose answer stands at its first word, and is stored so. */
async function halfAnswered(service: Service, key: string): Promise<number> {
  const body = { message: "hold", ai_model_id: 1 };
  const { conversation_context_id: id } = await ask<{ conversation_context_id: number }>(
    service,
    key,
    "POST",
    "/conversation/stream",
    body,
  );
  await expect.poll(async () => (await newest(service, key, id)).text).toBe("You ");
  return id;
}

const newest = async (service: Service, key: string, conversation: number): Promise<Message> => {
  const [message] = await ask<Message[]>(service, key, "GET", `/conversation/${conversation}?size=1`);
  if (message === undefined) throw new Error("expected a message");
  return message;
};

test("what a dead process left half said is finished as failed, keeps its words, and can be retried", async () => {
  const dead = await open();
  const key = await createKey(dead.ctx, { name: "test", permissions });
  const id = await halfAnswered(dead, key);
  expect(await newest(dead, key, id)).toMatchObject({ status: "generating", error_text: null });

  const next = await open();
  const repaired = await newest(next, key, id);
  expect(repaired).toMatchObject({ status: "finished", text: "You ", isUser: false });
  expect(repaired.error_text).toContain("stopped");
  expect(repaired.error_id).toMatch(/^[a-z0-9]{10}$/);

  await ask(next, key, "POST", `/conversation/${id}/retry`, {});
  await expect.poll(async () => (await newest(next, key, id)).status).toBe("generating");
  expect(await newest(next, key, id)).toMatchObject({ ID: repaired.ID, error_text: null, error_id: null });
});

test("a workspace that closes in order finishes its replies the same way", async () => {
  const first = await open();
  const key = await createKey(first.ctx, { name: "test", permissions });
  const id = await halfAnswered(first, key);
  services.splice(0);
  await first.close();
  const next = await open();
  expect(await newest(next, key, id)).toMatchObject({
    status: "finished",
    text: "You ",
    error_id: expect.stringMatching(/^.{10}$/),
  });
});

test("finished messages are left alone", async () => {
  const first = await open();
  const key = await createKey(first.ctx, { name: "test", permissions });
  const answer = await ask<Message>(first, key, "POST", "/conversation", { message: "hello", ai_model_id: 1 });
  const next = await open();
  expect(await newest(next, key, answer.conversation_context_id ?? 0)).toMatchObject({
    text: "You said: hello",
    error_text: null,
    UpdatedAt: answer.UpdatedAt,
  });
});
