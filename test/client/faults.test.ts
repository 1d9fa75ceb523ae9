/** Whatever goes wrong between client and workspace is one kind of fault, which says whether the request can have been acted on. */
import { getEventListeners, once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAgent } from "../../src/client/agent.ts";
import { WorkspaceFault, type WorkspaceFaultKind } from "../../src/errors.ts";
import { fakeClock } from "../fakes/clock.ts";
import { clientOf, httpServer, jsonServer, rawServer, type RawServer } from "./raw-server.ts";

const faultOf = async (call: Promise<unknown>): Promise<WorkspaceFault> => {
  const thrown: unknown = await call.then(
    () => "no fault",
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(WorkspaceFault);
  return thrown as WorkspaceFault;
};

const asking = (server: Pick<RawServer, "baseUrl">) => faultOf(clientOf(server).models.list());

describe("no connection", () => {
  test("a port where nobody listens: the workspace is unreachable", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const fault = await asking({ baseUrl: `http://127.0.0.1:${port}/api/v1` });
    expect(fault).toMatchObject({ kind: "unreachable", status: 0, code: "workspace_unreachable" });
    expect(fault.message).toContain("ECONNREFUSED");
  });

  test("a server that does not speak TLS: nothing was sent, so it is unreachable", async () => {
    const server = await httpServer((_, response) => response.end("[]"));
    const fault = await asking({ baseUrl: server.baseUrl.replace("http:", "https:") });
    expect(fault.kind).toBe("unreachable");
  });
});

test("a connection that came too late carries no request: whoever was paused meanwhile may have been followed by another", async () => {
  let asked = 0;
  const server = await httpServer((_, response) => {
    asked++;
    response.end("[]");
  });
  // The process sleeps a minute between its wish for a connection and the connection's coming.
  const times = [0, 60_000];
  const dispatcher = createAgent(5_000, () => times.shift() ?? 60_000);
  onTestFinished(() => dispatcher.close());
  const fault = await faultOf(clientOf(server, { dispatcher }).conversations.followUp(1, { message: "hello" }));
  expect(fault).toMatchObject({ kind: "unreachable", status: 0 });
  expect({ asked, connections: server.sockets.length }).toEqual({ asked: 0, connections: 1 });
  // The next connection is in time.
  expect(await clientOf(server, { dispatcher }).models.list()).toEqual([]);
});

describe("a connection and no whole answer", () => {
  const cuts: Record<string, (server: { write(text: string): void; end(): void; reset(): void }) => void> = {
    "closes without a word": (socket) => socket.end(),
    resets: (socket) => socket.reset(),
    "closes within the head": (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-ty");
      socket.end();
    },
    "closes before the promised length": (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[");
      socket.end();
    },
    "closes within a chunked body": (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n[{}");
      socket.end();
    },
  };
  test.for(Object.entries(cuts))("%s: lost, and asked once", async ([, cut]) => {
    const server = await rawServer((socket) =>
      cut({ write: (text) => socket.write(text), end: () => socket.end(), reset: () => socket.resetAndDestroy() }),
    );
    const client = clientOf(server);
    const fault = await faultOf(client.conversations.start({ message: "hi" }));
    expect(fault.kind).toBe("lost");
    expect(server.sockets).toHaveLength(1);
  });

  test("an answer that never comes ends with the deadline, and leaves no timer", async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const server = await rawServer(() => asked.resolve());
    const call = faultOf(clientOf(server, { clock, timeouts: { answerMs: 1_000 } }).conversations.start({ message: "hi" }));
    await asked.promise;
    await clock.advance(1_000);
    expect((await call).kind).toBe("lost");
    expect(clock.pending).toBe(0);
  });

  test("an answer that trickles ends with the deadline too", async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx-correlation-id: c-7\r\n\r\n1\r\n[\r\n");
      asked.resolve();
    });
    const call = faultOf(clientOf(server, { clock, timeouts: { answerMs: 1_000 } }).conversations.start({ message: "hi" }));
    await asked.promise;
    for (let tick = 0; tick < 4; tick++) {
      server.sockets[0]!.write("1\r\n \r\n");
      await clock.advance(250);
    }
    expect((await call).kind).toBe("lost");
  });

  test("a call that waits for the model's work has a longer deadline", async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const server = await rawServer(() => asked.resolve());
    const call = clientOf(server, { clock, timeouts: { answerMs: 1_000, workMs: 5_000 } }).run("think");
    await asked.promise;
    await clock.advance(4_999);
    server.sockets[0]!.end('HTTP/1.1 200 OK\r\ncontent-length: 22\r\n\r\n{"ID":0,"text":"done"}');
    expect(await call).toMatchObject({ ID: 0, text: "done", status: "finished", ai_style: "prompty" });
  });
});

describe("an answer that is not of the interface", () => {
  test.for([
    ["HTML", "text/html", "<html><body>Welcome, s3cret</body></html>"],
    ["cut JSON", "application/json", '[{"ID":1,"name":"s3cret"'],
    ["JSON of another shape", "application/json", '{"s3cret":true}'],
    ["rows without IDs", "application/json", '[{"name":"s3cret"}]'],
    ["a bare text", "application/json", '"s3cret"'],
  ] as const)("%s is malformed, and none of it is in the message", async ([, type, body]) => {
    const server = await httpServer((_, response) => {
      response.writeHead(200, { "content-type": type, "x-correlation-id": "c-2" });
      response.end(body);
    });
    const fault = await asking(server);
    expect(fault).toMatchObject({ kind: "malformed", status: 200, correlationId: "c-2" });
    expect(fault.message).not.toContain("s3cret");
  });

  test("what is not HTTP is malformed", async () => {
    const server = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    expect((await asking(server)).kind).toBe("malformed");
  });

  test("a redirect is not followed: the key stays here", async () => {
    const other = await jsonServer([]);
    const server = await jsonServer({}, 302, { location: `${other.origin}/api/v1/ai_model` });
    expect(await asking(server)).toMatchObject({ kind: "malformed", status: 302 });
    expect(other.sockets).toHaveLength(0);
  });

  test("an endless answer is cut off", async () => {
    const server = await httpServer((request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = (): void => {
        while (response.write(chunk));
      };
      response.on("drain", more);
      request.on("close", () => response.off("drain", more));
      more();
    });
    expect((await asking(server)).kind).toBe("malformed");
  });
});

describe("an error of the interface", () => {
  const table: ReadonlyArray<readonly [number, unknown, WorkspaceFaultKind, Partial<WorkspaceFault>]> = [
    [400, { error: "invalid body" }, "rejected", { message: "invalid body" }],
    [400, { error: "blocked", code: "EU_INFERENCE_REQUIRED" }, "rejected", { blockCode: "EU_INFERENCE_REQUIRED" }],
    [400, { error: "blocked", error_code: "SENSITIVE_DATA_BLOCKED" }, "rejected", { blockCode: "SENSITIVE_DATA_BLOCKED" }],
    [401, { error: "Invalid API key" }, "unauthorized", { message: "Invalid API key" }],
    [403, { error: "not yours" }, "forbidden", { message: "not yours" }],
    [404, { error: "File not found" }, "not_found", { message: "File not found" }],
    [409, { error: "exists" }, "rejected", {}],
    [413, { error: "too large" }, "rejected", {}],
    [429, { error: "Quota exceeded", reason: "trial_expired" }, "quota", { reason: "trial_expired" }],
    [429, { error: "Quota exceeded", reason: "a new one" }, "quota", { reason: "unknown" }],
    [429, { error: "slow down" }, "rate_limited", { reason: undefined }],
    [500, { error: "Failed to create agent" }, "unavailable", { message: "Failed to create agent" }],
    [502, { error: "Failed to delete file" }, "unavailable", {}],
    [503, { error: "no AI model is selected, try reselecting model" }, "unavailable", {}],
  ];
  test.for(table)("%i %j is %s", async ([status, body, kind, details]) => {
    const fault = await asking(await jsonServer(body, status));
    expect(fault).toMatchObject({ ...details, kind, status, correlationId: "c-1" });
  });

  test.for([
    [401, "unauthorized"],
    [404, "not_found"],
    [429, "rate_limited"],
    [500, "unavailable"],
  ] as const)("%i with an empty body is %s, with a text that says what to do", async ([status, kind]) => {
    const server = await httpServer((_, response) => response.writeHead(status, { "x-correlation-id": "c-3" }).end());
    const fault = await asking(server);
    expect(fault).toMatchObject({ kind, status, correlationId: "c-3" });
    expect(fault.message).toMatch(/workspace.*\(status/);
  });

  test("a proxy's page is an outage, and none of it is in the message", async () => {
    const server = await httpServer((_, response) => response.writeHead(502).end("<h1>Bad gateway s3cret</h1>"));
    const fault = await asking(server);
    expect(fault).toMatchObject({ kind: "unavailable", status: 502, correlationId: undefined, foreign: true });
    expect(fault.message).not.toContain("s3cret");
  });

  test("the key is in no fault", async () => {
    const fault = await asking(await jsonServer({ error: "Invalid API key" }, 401));
    expect(inspect(fault)).not.toContain("PARLEY-API-secret");
  });
});

describe("a caller that no longer wants the answer", () => {
  test("and one whose signal goes on: nothing listens to it after the call", async () => {
    const { signal } = new AbortController();
    const client = clientOf(await jsonServer([]));
    await client.models.list({ signal });
    for await (const _ of await client.files.download("/x", { signal }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("gets its signal's reason, and no timer is left", async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const server = await rawServer(() => asked.resolve());
    const controller = new AbortController();
    const call = clientOf(server, { clock }).models.list({ signal: controller.signal });
    await asked.promise;
    const reason = new Error("no longer wanted");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  test("asks nothing when the signal has ended before", async () => {
    const server = await jsonServer([]);
    await expect(clientOf(server).models.list({ signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
    expect(server.sockets).toHaveLength(0);
  });

  test("closing the client ends what is under way", async () => {
    const asked = Promise.withResolvers<void>();
    const server = await rawServer(() => asked.resolve());
    const client = clientOf(server);
    const call = faultOf(client.models.list());
    await asked.promise;
    await client.close();
    expect((await call).kind).toBe("lost");
  });
});
