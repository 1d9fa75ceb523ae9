/** The live channel: whole messages, the newest always, and an end whenever the channel is of no use any more. */
import { getEventListeners, once } from "node:events";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { latest } from "../../src/client/latest.ts";
import { fakeClock } from "../fakes/clock.ts";
import { clientOf, httpServer, rawServer } from "./raw-server.ts";

const message = (ID: number, text: string) => ({ ID, isUser: false, status: "generating", text });

async function channelServer(onSocket: (socket: WebSocket) => void, options: { autoPong?: boolean } = {}) {
  const headers: Array<string | undefined> = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", path: "/api/v1/conversation/12/ws", ...options });
  await once(server, "listening");
  server.on("connection", (socket, request) => {
    headers.push(request.headers.authorization);
    onSocket(socket);
  });
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`, headers };
}

const collect = async (messages: AsyncIterable<{ text: string }>): Promise<string[]> => {
  const texts: string[] = [];
  for await (const { text } of messages) texts.push(text);
  return texts;
};

describe("following", () => {
  test("says who asks, gives whole messages of any envelope, leaves out other frames, ends when the channel closes", async () => {
    const server = await channelServer((socket) => {
      socket.send(JSON.stringify({ event: "message", data: message(1, "one") }));
      socket.send("not JSON");
      socket.send(JSON.stringify({ event: "typing" }));
      socket.send(Buffer.from(JSON.stringify(message(2, "two"))));
      socket.close();
    });
    const warned: object[] = [];
    const log = { warn: (fields: object) => void warned.push(fields) };
    const client = clientOf(server, { log });
    expect(await collect(await client.conversations.follow(12))).toEqual(["one", "two"]);
    expect(server.headers).toEqual(["Bearer PARLEY-API-secret"]);
    expect(warned).toEqual([{ conversationId: 12 }, { conversationId: 12 }]);
  });

  test("a slow reader gets the newest of each message, and the last", async () => {
    const closed = Promise.withResolvers<void>();
    const server = await channelServer((socket) => {
      socket.on("close", () => closed.resolve());
      for (let n = 0; n <= 1_000; n++) socket.send(JSON.stringify(message(1 + (n % 2), `text ${n}`)));
      socket.close();
    });
    const messages = await clientOf(server).conversations.follow(12);
    await closed.promise;
    expect(await collect(messages)).toEqual(["text 1000", "text 999"]);
  });

  test("ends with its signal, with its client, and with a reader that leaves", async () => {
    const closed: Array<Promise<unknown>> = [];
    const server = await channelServer((socket) => {
      closed.push(once(socket, "close"));
      socket.send(JSON.stringify(message(1, "one")));
    });
    const clock = fakeClock();
    const client = clientOf(server, { clock });
    const controller = new AbortController();
    const first = collect(await client.conversations.follow(12, { signal: controller.signal }));
    for await (const { text } of await client.conversations.follow(12)) {
      expect(text).toBe("one");
      break;
    }
    const third = collect(await client.conversations.follow(12));
    controller.abort();
    expect((await first).length).toBeLessThanOrEqual(1);
    const { signal } = new AbortController();
    const fourth = collect(await client.conversations.follow(12, { signal }));
    await client.close();
    await fourth;
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect((await third).length).toBeLessThanOrEqual(1);
    await Promise.all(closed);
    expect(closed).toHaveLength(4);
    expect(clock.pending).toBe(0);
  });

  test("a reader that leaves while it waits is let go at once", async () => {
    const server = await channelServer(() => {});
    const messages = (await clientOf(server).conversations.follow(12))[Symbol.asyncIterator]();
    const waiting = messages.next();
    await messages.return?.();
    expect(await waiting).toMatchObject({ done: true });
  });

  test("a broken frame and one that is too large end the channel, without a fault", async () => {
    const server = await channelServer((socket) => {
      socket.send(JSON.stringify(message(1, "one")), () => {
        (socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.from([0xff, 0xff, 0, 0]));
      });
    });
    expect(await collect(await clientOf(server).conversations.follow(12))).toEqual(["one"]);
  });
});

describe("a peer that is gone without a word", () => {
  test("is noticed within 15 s", async () => {
    const clock = fakeClock();
    const server = await channelServer(() => {}, { autoPong: false });
    const ended = collect(await clientOf(server, { clock }).conversations.follow(12));
    await clock.advance(5_000);
    expect(clock.pending).toBe(1);
    await clock.advance(10_000);
    expect(await ended).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test("one that answers pings stays", async () => {
    const clock = fakeClock();
    let pings = 0;
    // What is sent at a ping comes after its pong.
    const server = await channelServer((socket) =>
      socket.on("ping", () => socket.send(JSON.stringify(message(1, `after ping ${++pings}`)))),
    );
    const controller = new AbortController();
    const messages = await clientOf(server, { clock }).conversations.follow(12, { signal: controller.signal });
    const heard = messages[Symbol.asyncIterator]();
    for (let round = 1; round <= 4; round++) {
      await clock.advance(5_000);
      expect(await heard.next()).toMatchObject({ value: { text: `after ping ${round}` } });
    }
    controller.abort();
    expect(await heard.next()).toMatchObject({ done: true });
  });
});

describe("a channel that does not open", () => {
  test.for([
    [401, "", "unauthorized"],
    [403, '{"error":"no permission"}', "forbidden"],
    [404, "", "not_found"],
    [503, "<html>", "unavailable"],
    [200, "[]", "malformed"],
  ] as const)("answered with %i is a fault", async ([status, body, kind]) => {
    const server = await httpServer((_, response) => response.writeHead(status, { "x-correlation-id": "c-5" }).end(body));
    await expect(clientOf(server).conversations.follow(12)).rejects.toMatchObject({ kind, status, correlationId: "c-5" });
  });

  test("a refusal that trickles ends with the deadline", async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 503 Unavailable\r\ncontent-length: 1000\r\n\r\n.");
      asked.resolve();
    });
    const attempt = clientOf(server, { clock, timeouts: { answerMs: 1_000 } }).conversations.follow(12);
    const ended = attempt.then(
      () => "open",
      (fault: { kind?: unknown }) => fault.kind,
    );
    await asked.promise;
    await clock.advance(1_000);
    expect(await ended).toBe("lost");
    expect(clock.pending).toBe(0);
  });

  test("cut during the upgrade is lost; nobody there is unreachable; a signal ends the attempt", async () => {
    const cut = await rawServer((socket) => socket.destroy());
    await expect(clientOf(cut).conversations.follow(12)).rejects.toMatchObject({ kind: "lost" });
    await expect(clientOf({ baseUrl: "http://127.0.0.1:1/api/v1" }).conversations.follow(12)).rejects.toMatchObject({
      kind: "unreachable",
    });
    const asked = Promise.withResolvers<void>();
    const silent = await rawServer(() => asked.resolve());
    const controller = new AbortController();
    const attempt = clientOf(silent).conversations.follow(12, { signal: controller.signal });
    await asked.promise;
    controller.abort(new Error("no longer"));
    await expect(attempt).rejects.toThrow("no longer");
  });
});

describe("latest", () => {
  test("whatever the order of writing and reading, each key's values come in order, its last one for certain", async () => {
    const step = fc.oneof(fc.record({ key: fc.nat(3) }), fc.constant("read" as const));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const stream = latest<{ key: number; n: number }>(() => {}, 16);
        const reader = stream.values[Symbol.asyncIterator]();
        const reads: Array<Promise<IteratorResult<{ key: number; n: number }>>> = [];
        const last = new Map<number, number>();
        for (const [n, one] of steps.entries()) {
          if (one === "read") reads.push(reader.next());
          else {
            last.set(one.key, n);
            stream.put(one.key, { key: one.key, n });
          }
        }
        stream.end(false);
        const seen = new Map<number, number>();
        const note = ({ done, value }: IteratorResult<{ key: number; n: number }>): boolean => {
          if (done === true) return false;
          expect(value.n).toBeGreaterThan(seen.get(value.key) ?? -1);
          seen.set(value.key, value.n);
          return true;
        };
        for (const read of reads) note(await read);
        while (note(await reader.next()));
        expect(seen).toEqual(last);
      }),
    );
  });

  test("keeps one snapshot a key, drops the oldest key beyond its bound, and reads what waits after the end", async () => {
    const stream = latest<string>(() => {}, 2);
    for (const [key, value] of [
      [1, "a"],
      [2, "b"],
      [2, "c"],
      [3, "d"],
    ] as const)
      stream.put(key, value);
    stream.end(false);
    stream.put(4, "late");
    const values: string[] = [];
    for await (const value of stream.values) values.push(value);
    expect(values).toEqual(["c", "d"]);
  });
});
