/** What only reads is tried again when nothing of the workspace's own came; what writes never is. */
import { expect, test } from "vitest";
import { readTries } from "../../src/client/reads.ts";
import { fakeClock } from "../fakes/clock.ts";
import { clientOf, httpServer, rawServer } from "./raw-server.ts";

type Answer = readonly [status: number, body: string];
const models = [200, "[]"] as const;
const page = [503, "<h1>Bad gateway</h1>"] as const;

/** Answers each request with the next of these, and the last for ever. */
async function answering(...answers: [Answer, ...Answer[]]) {
  let asked = 0;
  const server = await httpServer((_, response) => {
    const [status, body] = answers[Math.min(asked++, answers.length - 1)]!;
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  return { client: clientOf(server), asked: () => asked };
}

test.each<[string, Answer]>([
  ["a proxy's page", page],
  ["HTML with 200", [200, "<html>"]],
  ["half of an answer", [200, '[{"ID":1']],
])("%s: the read is tried again", async (_, first) => {
  const { client, asked } = await answering(first, models);
  expect(await client.models.list()).toEqual([]);
  expect(asked()).toBe(2);
});

test("a connection that is cut: the read is tried again", async () => {
  let asked = 0;
  const server = await rawServer((socket) => {
    if (asked++ === 0) socket.resetAndDestroy();
    else socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]");
  });
  expect(await clientOf(server).models.list()).toEqual([]);
});

test(`after ${readTries} tries in vain it fails`, async () => {
  const { client, asked } = await answering(page);
  await expect(client.models.list()).rejects.toMatchObject({ kind: "unavailable", foreign: true });
  expect(asked()).toBe(readTries);
});

test.each<Answer>([
  [503, '{"error":"no AI model is selected"}'],
  [500, ""],
  [404, "{}"],
  [401, '{"error":"Invalid API key"}'],
  [429, '{"error":"no credits","reason":"credit_count"}'],
])("the workspace's own no (%i %s) is taken at its word", async (...answer) => {
  const { client, asked } = await answering(answer);
  await expect(client.models.list()).rejects.toMatchObject({ foreign: false });
  expect(asked()).toBe(1);
});

test("a write is never sent twice, whatever comes", async () => {
  const { client, asked } = await answering(page);
  await expect(client.conversations.start({ message: "hi" })).rejects.toMatchObject({ foreign: true });
  expect(asked()).toBe(1);
});

test("all tries together take no longer than one may", async () => {
  const clock = fakeClock();
  const sockets: unknown[] = [];
  const server = await rawServer((socket) => void sockets.push(socket));
  const call = clientOf(server, { clock, timeouts: { answerMs: 3_000 } }).models.list();
  const outcome = call.then(
    () => "answered",
    (thrown: { kind: string }) => thrown.kind,
  );
  for (let tries = 1; tries <= readTries; tries++) {
    await expect.poll(() => sockets.length).toBe(tries);
    // The try's share of the time, and the longest wait before the next.
    await clock.advance(1_000);
    if (tries < readTries) await clock.advance(1_000);
  }
  expect(await outcome).toBe("lost");
  expect(clock.pending).toBe(0);
});

test("for somebody who no longer wants it nothing is tried again", async () => {
  const clock = fakeClock();
  let asked = 0;
  const server = await httpServer((_, response) => {
    asked++;
    response.writeHead(503).end();
  });
  const end = new AbortController();
  const call = clientOf(server, { clock }).models.list({ signal: end.signal });
  const outcome = call.catch((thrown: unknown) => thrown);
  await expect.poll(() => asked).toBe(1);
  const reason = new Error("no longer");
  end.abort(reason);
  expect(await outcome).toBe(reason);
  expect(asked).toBe(1);
  expect(clock.pending).toBe(0);
});
