/** The one HTTP server: who is let in, what is not there, and what a failing part looks like from outside. */
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { openFront, type Front, type FrontOptions, type Part } from "../../src/front/server.ts";
import { alive, metricsPage, ready } from "../../src/front/health.ts";
import { createLog } from "../../src/log.ts";
import { ask, upgradeHeaders } from "./ask.ts";

const opened: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const lines: string[] = [];
const log = createLog("debug", { write: (line) => void lines.push(line) });

const guarded: Part = {
  fetch: async (request) =>
    request.method === "POST" ? new Response(`got ${(await request.text()).length}`) : new Response("let in"),
  upgrade(_request, socket) {
    socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    return true;
  },
};
const broken: Part = {
  fetch: () => {
    throw new Error("canary: what went wrong inside");
  },
};

async function open(loopback: boolean, options: Partial<FrontOptions> = {}): Promise<Front> {
  const front = await openFront({
    host: "127.0.0.1",
    port: 0,
    rules: { loopback },
    log,
    partOf(path) {
      if (path === "/open") return { part: alive, checkOrigin: false };
      if (path === "/broken") return { part: broken, checkOrigin: true };
      return path.startsWith("/guarded") ? { part: guarded, checkOrigin: true } : undefined;
    },
    ...options,
  });
  opened.push(front);
  return front;
}

describe("on loopback", () => {
  const own = (port: number): string[] => [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`];

  test("its own names are let in, with a page of the same origin or none", async () => {
    const { port } = await open(true);
    const statuses = await Promise.all(
      own(port).map(async (host) => [
        (await ask(port, "/guarded", { host })).status,
        (await ask(port, "/guarded", { host, origin: `http://${host.toLowerCase()}` })).status,
        (await ask(port, "/guarded", { host, ...upgradeHeaders })).status,
      ]),
    );
    expect(statuses).toEqual(own(port).map(() => [200, 200, 101]));
  });

  test.for(["parley.example", "127.0.0.1.example", "10.0.0.1", "localhost.example:3000", "user@localhost", "a b"])(
    "the host name %s is refused, for requests and upgrades alike",
    async (host) => {
      const { port } = await open(true);
      const answer = await ask(port, "/guarded", { host });
      expect([400, 403]).toContain(answer.status);
      expect(answer.text).not.toContain("let in");
      expect((await ask(port, "/guarded", { host, ...upgradeHeaders })).status).toBe(403);
    },
  );

  test.for([
    "https://elsewhere.example",
    "http://localhost:1",
    "http://elsewhere.localhost",
    "null",
    "chrome-extension://abc",
    "x",
  ])("a page of %s is refused, for requests and upgrades alike", async (origin) => {
    const { port } = await open(true);
    const host = `localhost:${port}`;
    expect((await ask(port, "/guarded", { host, origin }, "POST")).status).toBe(403);
    expect((await ask(port, "/guarded", { host, origin, ...upgradeHeaders })).status).toBe(403);
  });
});

test("beyond loopback any host name is its own, and a page of another origin is still refused", async () => {
  const { port } = await open(false);
  expect((await ask(port, "/guarded", { host: "parley.example" })).status).toBe(200);
  // A proxy in front speaks TLS: the scheme of the page is not the server's to know.
  expect((await ask(port, "/guarded", { host: "parley.example", origin: "https://parley.example" })).status).toBe(200);
  const refused = await ask(port, "/guarded", { host: "parley.example", origin: "https://elsewhere.example" });
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.text)).toEqual({ error: "pages of another origin may not use this server" });
});

test("what is nobody's is not found, for requests and upgrades alike", async () => {
  const { port } = await open(true);
  expect((await ask(port, "/nothing")).status).toBe(404);
  expect((await ask(port, "/nothing", upgradeHeaders)).status).toBe(404);
  expect((await ask(port, "/open", upgradeHeaders)).status).toBe(404);
});

test("health is for every name and page", async () => {
  const { port } = await open(true);
  const answer = await ask(port, "/open", { host: "probe.example", origin: "https://elsewhere.example" });
  expect(answer.status).toBe(200);
});

test("a part that fails gives 500 without the reason, which the log has", async () => {
  const { port } = await open(true);
  const answer = await ask(port, "/broken");
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain("canary");
  expect(lines.at(-1)).toContain("canary: what went wrong inside");
});

test("a port that is taken, and an address that is not this machine's, are told with what to do", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  opened.push({ close: () => new Promise((resolve) => other.close(() => resolve())) });
  const { port } = other.address() as AddressInfo;
  await expect(open(true, { port })).rejects.toMatchObject({ code: "listen", message: expect.stringMatching(`${port}.*PORT`) });
  // 192.0.2.0/24 is kept for documentation: no machine has it.
  await expect(open(true, { host: "192.0.2.1" })).rejects.toMatchObject({
    code: "listen",
    message: expect.stringContaining("HOST"),
  });
});

describe("readiness", () => {
  const answerOf = async (checks: Parameters<typeof ready>[0]) => {
    const response = await ready(checks).fetch(new Request("http://localhost/readyz"));
    return { status: response.status, body: (await response.json()) as unknown };
  };

  test("is 200 when every check is ready", async () => {
    expect(await answerOf({ one: () => null, two: () => Promise.resolve(null) })).toEqual({
      status: 200,
      body: { status: "ready", checks: { one: "ready", two: "ready" } },
    });
  });

  test("is 503 with each reason when one is not", async () => {
    expect(await answerOf({ one: () => null, two: () => Promise.resolve("it does not answer") })).toEqual({
      status: 503,
      body: { status: "not ready", checks: { one: "ready", two: "it does not answer" } },
    });
  });
});

test("metrics beyond loopback are for the bearer of the token", async () => {
  const part = metricsPage({ text: () => Promise.resolve("parley_x 1"), contentType: "text/plain" }, "s3cret");
  const statusWith = async (headers: Record<string, string>): Promise<number> =>
    (await part.fetch(new Request("http://localhost/metrics", { headers }))).status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ authorization: "Bearer s3cre" })).toBe(401);
  expect(await statusWith({ authorization: "Basic s3cret" })).toBe(401);
  expect(await statusWith({ authorization: "Bearer s3cret" })).toBe(200);
});
