/** The client against tool servers that answer exactly what a test says: sessions, forms of an answer, and every fault. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { WorkspaceFault, type WorkspaceFaultKind } from "../../src/errors.ts";
import { fakeClock } from "../fakes/clock.ts";
import { clientOf, httpServer } from "./raw-server.ts";

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params: Record<string, unknown>;
}
type Respond = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

const result = (response: ServerResponse, asked: Asked, value: unknown): void => {
  response.writeHead(200, { "content-type": "application/json", "x-correlation-id": "c-1" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: value }));
};
const saying = (text: string, more: object = {}) => ({ content: [{ type: "text", text }], ...more });

/** A tool server that opens sessions, and leaves all else to `respond`. */
async function toolServer(respond: Respond) {
  const asked: Array<Asked & { readonly path: string; readonly headers: IncomingMessage["headers"] }> = [];
  let sessions = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = JSON.parse(await textOf(request)) as Asked;
    asked.push({ ...message, path: request.url ?? "", headers: request.headers });
    if (message.method === "initialize") {
      response.setHeader("mcp-session-id", `mcp-session-${++sessions}`);
      return result(response, message, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: {} });
    }
    if (message.method === "notifications/initialized") return void response.writeHead(202).end();
    return respond(message, response, request);
  };
  const server = await httpServer((request, response) => void answer(request, response));
  return { server, asked, methods: () => asked.map(({ method }) => method) };
}

const faultOf = async (call: Promise<unknown>): Promise<WorkspaceFault> => {
  const thrown: unknown = await call.then(
    () => "no fault",
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(WorkspaceFault);
  return thrown as WorkspaceFault;
};

describe("a session", () => {
  test("is opened at the first call, beside the REST root, and told to every later one", async () => {
    const { server, asked, methods } = await toolServer((message, response) => result(response, message, { tools: [] }));
    const { tools } = clientOf(server);
    expect(await tools.list()).toEqual([]);
    expect(await tools.list()).toEqual([]);
    expect(methods()).toEqual(["initialize", "notifications/initialized", "tools/list", "tools/list"]);
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(["/mcp/"]));
    expect(asked[0]!.params).toMatchObject({ protocolVersion: "2025-11-25", clientInfo: { name: "parley" } });
    for (const { headers } of asked.slice(1))
      expect(headers).toMatchObject({ "mcp-session-id": "mcp-session-1", "mcp-protocol-version": "2025-06-18" });
    for (const { headers } of asked)
      expect(headers).toMatchObject({
        authorization: "Bearer PARLEY-API-secret",
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      });
  });

  test("is opened where the configuration says", async () => {
    const { server, asked } = await toolServer((message, response) => result(response, message, { tools: [] }));
    await clientOf({ baseUrl: "http://127.0.0.1:1/api/v1" }, { mcpUrl: `${server.origin}/other/mcp/` }).tools.list();
    expect(asked[0]!.path).toBe("/other/mcp/");
  });

  test.for([404, 400])("that the server no longer knows (%i) is opened anew, and the call repeated, once", async (status) => {
    let known = false;
    const { server, methods } = await toolServer((message, response) => {
      if (known) return result(response, message, saying("1"));
      known = true;
      return void response.writeHead(status).end();
    });
    const { tools } = clientOf(server);
    const first = await faultOf(tools.call("roll", {}));
    expect(first.status).toBe(status);
    known = false;
    expect(await tools.call("roll", {})).toBe(1);
    const opening = ["initialize", "notifications/initialized", "tools/call"];
    expect(methods()).toEqual([...opening, "tools/call", ...opening]);
  });

  test("that is lost again at once is a fault: nothing is asked for ever", async () => {
    const { server, methods } = await toolServer((_, response) => void response.writeHead(404).end());
    expect((await faultOf(clientOf(server).tools.list())).kind).toBe("not_found");
    expect(methods()).toEqual(["initialize", "notifications/initialized", "tools/list"]);
  });

  test.for([404, 405])("cannot be opened where there is no tool server (%i)", async (status) => {
    const server = await httpServer((request, response) => {
      request.resume();
      response.writeHead(status).end("nothing here");
    });
    const fault = await faultOf(clientOf(server).tools.list());
    expect(fault).toMatchObject({ kind: "malformed", status });
    expect(fault.message).toContain("expected a tool server");
  });
});

describe("the list", () => {
  test("is read page by page, and tolerantly", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const pages: Record<string, object> = {
      "": { tools: [{ name: "one", description: "First", inputSchema: schema, annotations: {} }], nextCursor: "x" },
      x: { tools: [{ name: "two" }, { description: "nameless" }, 5], nextCursor: "" },
    };
    const { server } = await toolServer(({ params, ...message }, response) =>
      result(response, { params, ...message }, pages[(params["cursor"] ?? "") as string]),
    );
    expect(await clientOf(server).tools.list()).toEqual([
      { name: "one", description: "First", inputSchema: schema },
      { name: "two", description: "", inputSchema: { type: "object" } },
    ]);
  });

  test("that never ends is no list", async () => {
    const { server, asked } = await toolServer((message, response) => result(response, message, { tools: [], nextCursor: "x" }));
    expect(await faultOf(clientOf(server).tools.list())).toMatchObject({ kind: "malformed", correlationId: "c-1" });
    expect(asked.length).toBeLessThan(110);
  });
});

describe("what a tool answers", () => {
  const answering = async (value: unknown): Promise<unknown> => {
    const { server } = await toolServer((message, response) => result(response, message, value));
    return clientOf(server).tools.call("any", { a: 1 });
  };
  test.for([
    [saying('{"items":[],"total_count":0}'), { items: [], total_count: 0 }],
    [saying("null"), null],
    [saying("plain words"), "plain words"],
    [{ content: [{ type: "image" }, { type: "text", text: "5" }, { type: "text", text: "6" }] }, 5],
  ] as const)("%j", async ([value, answer]) => expect(await answering(value)).toEqual(answer));

  test.for([[{ content: [] }], [{}], [{ content: [{ type: "text" }] }], [{ content: "text" }]])(
    "%j is no answer",
    async ([value]) => expect((await faultOf(answering(value))).kind).toBe("malformed"),
  );

  test.for([
    ['{"error":"Agent not found"}', "rejected", "Agent not found", undefined, undefined],
    ['{"error":"no","code":"SENSITIVE_DATA_BLOCKED"}', "rejected", "no", undefined, "SENSITIVE_DATA_BLOCKED"],
    ['{"error":"Quota exceeded","reason":"credit_count"}', "quota", "Quota exceeded", "credit_count", undefined],
    ["plain words", "rejected", "plain words", undefined, undefined],
    ["", "rejected", "the workspace did not accept the request (status 200)", undefined, undefined],
  ] as const)("a no: %s", async ([said, kind, message, reason, blockCode]) =>
    expect(await faultOf(answering(saying(said, { isError: true })))).toMatchObject({
      kind,
      message,
      reason,
      blockCode,
      correlationId: "c-1",
    }),
  );

  test("may come as an event stream, between other events, and is read though the stream stays open", async () => {
    const { server } = await toolServer((message, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (value: object): void => void response.write(`event: message\ndata: ${JSON.stringify(value)}\n\n`);
      send({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } });
      send({ jsonrpc: "2.0", id: (message.id ?? 0) + 1, result: saying('"not mine"') });
      send({ jsonrpc: "2.0", id: message.id, result: saying('"mine"') });
    });
    expect(await clientOf(server).tools.call("any", {})).toBe("mine");
  });

  test("a stream that breaks before the answer is lost or malformed, at once", async () => {
    const { server } = await toolServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(": nothing\n\n");
    });
    expect((await faultOf(clientOf(server).tools.call("any", {}))).kind).toBe("malformed");
  });
});

describe("faults", () => {
  test.for([
    [{ code: -32602, message: "tool 'x' not found" }, "not_found"],
    [{ code: -32602, message: "tool 'x' not found: tool not found" }, "not_found"],
    [{ code: -32602, message: "Unknown tool: x" }, "not_found"],
    [{ code: -32602, message: "limit: expected a number" }, "rejected"],
    [{ code: -32603, message: "Internal error" }, "unavailable"],
    [{ code: 5 }, "unavailable"],
  ] as const)("JSON-RPC error %j", async ([error, kind]) => {
    const { server } = await toolServer((message, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }));
    });
    expect((await faultOf(clientOf(server).tools.call("x", {}))).kind).toBe(kind);
  });

  test.for([
    [401, '{"error":"Invalid API key"}', "unauthorized"],
    [403, '{"error":"access from your region is not supported"}', "forbidden"],
    [307, "", "malformed"],
    [200, "<html>", "malformed"],
    [200, '{"jsonrpc":"2.0","id":"other","result":{}}', "malformed"],
    [503, "", "unavailable"],
  ] as const)("%i %s", async ([status, body, kind]: readonly [number, string, WorkspaceFaultKind]) => {
    const { server } = await toolServer((_, response) => {
      response.writeHead(status, { location: "/elsewhere" });
      response.end(body);
    });
    expect(await faultOf(clientOf(server).tools.list())).toMatchObject({ kind, status });
  });

  test("a call that is not answered in its time is lost, and leaves no timer", async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const { server } = await toolServer(() => asked.resolve());
    const { tools } = clientOf(server, { clock, timeouts: { answerMs: 1_000, workMs: 5_000 } });
    const call = faultOf(tools.call("slow", {}));
    await asked.promise;
    await clock.advance(4_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect((await call).kind).toBe("lost");
    expect(clock.pending).toBe(0);
  });

  test("a call that nobody wants any more ends the request itself", async () => {
    const ended = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const { server } = await toolServer((_, response) => {
      response.once("close", () => ended.resolve());
      asked.resolve();
    });
    const controller = new AbortController();
    const call = clientOf(server).tools.call("slow", {}, { signal: controller.signal });
    await asked.promise;
    controller.abort(new Error("no longer wanted"));
    await expect(call).rejects.toThrow("no longer wanted");
    await ended.promise;
  });
});
