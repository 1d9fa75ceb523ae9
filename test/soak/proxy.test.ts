/** The fault proxy does to a request what it says, no more and no less. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFaultProxy, requestFaults, type FaultProxy } from "./proxy.ts";
import { createRandom } from "./random.ts";

let server: Server;
let proxy: FaultProxy;
let done: string[];
const body = JSON.stringify({ ok: true, words: "as they are" });

beforeEach(async () => {
  done = [];
  server = createServer((request, response) => {
    done.push(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy = await openFaultProxy({ target, random: createRandom(1) });
});
afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

/** @param patienceMs short only where nothing is going to come */
const ask = async (path: string, patienceMs = 60_000): Promise<string> => {
  try {
    const response = await fetch(proxy.origin + path, { method: "POST", body: "{}", signal: AbortSignal.timeout(patienceMs) });
    return `${response.status} ${await response.text()}`;
  } catch (thrown) {
    return thrown instanceof DOMException ? "silence" : "broken";
  }
};
const whole = `200 ${body}`;

test.each([
  ["reset before", "broken", false],
  ["reset after", "broken", true],
  ["cut answer", "broken", true],
  ["503 before", "503 upstream trouble", false],
  ["503 after", "503 upstream trouble", true],
  ["html before", "200 <!DOCTYPE html><html><body>Please wait…</body></html>", false],
  ["torn json after", '200 {"ok":true,"id":"1', true],
  ["delay", whole, true],
  ["silence", "silence", true],
] as const)("%s: the asker gets “%s”, and what was asked has been done: %s", async (fault, expected, carriedOut) => {
  expect(await ask("/1")).toBe(whole);
  proxy.order(fault);
  expect(await ask("/2", fault === "silence" ? 3_000 : undefined)).toBe(expected);
  expect(done.includes("/2")).toBe(carriedOut);
  expect(await ask("/3")).toBe(whole);
  expect(proxy.requests).toBe(3);
  expect([...proxy.spoiled]).toEqual([[fault, 1]]);
});

test("tells which upgraded connection it has spoiled, by the port that the target saw", async () => {
  await proxy.close();
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seen = new Promise<number | undefined>((resolve) =>
    server.once("upgrade", (_request, socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
      resolve((socket as Socket).remotePort);
    }),
  );
  // It draws the shortest life for the first connection: half a second.
  proxy = await openFaultProxy({ target, random: createRandom(266), share: 1 });
  const client = connect(Number(new URL(proxy.origin).port), "127.0.0.1");
  client.on("error", () => {}).write("GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
  const port = await seen;
  expect(proxy.spoiledLive).toEqual([]);
  await expect.poll(() => proxy.spoiledLive).toMatchObject([{ port }]);
  client.destroy();
});

test("spoils the share that it is told to, of requests and not of connections", async () => {
  const quick = requestFaults.filter((fault) => fault !== "delay" && fault !== "silence") as typeof requestFaults & string[];
  await proxy.close();
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy = await openFaultProxy({ target, random: createRandom(2), share: 0.2, faults: quick });
  for (let asked = 0; asked < 300; asked++) await ask("/");
  const spoiled = [...proxy.spoiled.values()].reduce((sum, count) => sum + count, 0);
  expect(proxy.requests).toBe(300);
  expect(spoiled).toBeGreaterThan(30);
  expect(spoiled).toBeLessThan(90);
});
