/** The tool server as the protocol's own client and as bare requests meet it: sessions, keys, and what is refused. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { errorTexts } from "../../src/contract/errors.ts";
import { toolServerVersion } from "../../src/contract/tools.ts";
import { listKeys, readQuota, setKeyPermissions } from "../../src/service/admin.ts";
import { faultOf, startWorkspace, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

const address = (): URL => new URL("/mcp/", workspace.url);

/** The protocol's own client with a session of the owner's. */
async function sdkClient(): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: "a test", version: "1" });
  const headers = { authorization: `Bearer ${workspace.ownerKey}` };
  const transport = new StreamableHTTPClientTransport(address(), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}

test("the protocol's own client opens a session, lists, calls, and ends it", async () => {
  const { client, transport } = await sdkClient();
  expect(transport.sessionId).toMatch(/^mcp-session-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  expect(client.getServerVersion()).toMatchObject({ version: toolServerVersion });
  expect(client.getServerCapabilities()).toEqual({ tools: {} });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("list_ai_models");
  const { content, isError } = await client.callTool({ name: "list_ai_models", arguments: { search: "plain" } });
  expect(isError).toBeUndefined();
  const [first] = content;
  expect(JSON.parse(first?.type === "text" ? first.text : "")).toMatchObject({ total_count: 1 });
  expect(await client.ping()).toEqual({});
  await transport.terminateSession();
});

const post = async (body: unknown, headers: Record<string, string> = {}, authorization = `Bearer ${workspace.ownerKey}`) => {
  const response = await fetch(address(), {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", authorization, ...headers },
    body: JSON.stringify(body),
  });
  expect(response.headers.get("x-correlation-id")).toMatch(/^\S{8,}$/);
  const text = await response.text();
  return {
    status: response.status,
    header: (name: string) => response.headers.get(name),
    body: text === "" ? null : (JSON.parse(text) as unknown),
  };
};
const clientInfo = { name: "a test", version: "1" };
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
};
const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };

test("without a key, or with one that nobody knows, nothing is answered but 401 and its word", async () => {
  for (const authorization of ["", "Basic abc", "Bearer"])
    expect(await post(initialize, {}, authorization)).toMatchObject({ status: 401, body: { error: errorTexts.unauthorized } });
  const unknown = `Bearer PARLEY-API-${"x".repeat(64)}`;
  expect(await post(initialize, {}, unknown)).toMatchObject({ status: 401, body: { error: errorTexts.invalidKey } });
});

test("a session belongs to the key that opened it", async () => {
  const id = (await post(initialize)).header("mcp-session-id") ?? "";
  expect((await post(list, { "mcp-session-id": id })).status).toBe(200);
  const { key } = await workspace.keyWith(["agents_get"]);
  expect(await post(list, { "mcp-session-id": id }, `Bearer ${key}`)).toMatchObject({
    status: 404,
    body: { error: { code: -32001 } },
  });
});

test("what is no session, no request and no event stream is refused, each in its way", async () => {
  expect((await post(list)).status).toBe(400);
  expect((await post(list, { "mcp-session-id": "mcp-session-unknown" })).status).toBe(404);
  expect((await post({ jsonrpc: "1.0" })).status).toBe(400);
  expect((await post(initialize, { accept: "application/json" })).status).toBe(406);
  const headers = { authorization: `Bearer ${workspace.ownerKey}`, accept: "text/event-stream" };
  expect((await fetch(address(), { headers })).status).toBe(405);
  for (const path of ["/mcp", "/mcp/more"]) {
    const answer = await fetch(new URL(path, workspace.url), { headers, redirect: "manual" });
    expect(answer.status).toBe(404);
    await answer.body?.cancel();
  }
});

test("a right that is taken from a key is gone within its session", async () => {
  const { client } = await workspace.keyWith(["agents_get", "files_get"]);
  expect((await client.tools.list()).map(({ name }) => name)).toEqual(["list_agents", "get_agent", "list_files", "get_file"]);
  const { ctx } = workspace.service;
  await setKeyPermissions(ctx, (await listKeys(ctx)).at(-1)!.id, ["files_get"]);
  expect((await client.tools.list()).map(({ name }) => name)).toEqual(["list_files", "get_file"]);
  expect(await faultOf(client.tools.call("list_agents", {}))).toMatchObject({ kind: "not_found" });
});

/** Resolves once the model has been asked for one more answer than `before`. */
const askedBeyond = async (asked: TestWorkspace, before: number): Promise<void> => {
  await expect.poll(() => asked.provider.requests.length).toBeGreaterThan(before);
};
const held = { name: "custom_run", arguments: { prompt: "hold", ai_model_id: 1 } };

test("a call that its client drops is not worked on any more", async () => {
  const { ctx } = workspace.service;
  const { used } = await readQuota(ctx, "owner");
  const controller = new AbortController();
  const before = workspace.provider.requests.length;
  const call = workspace.owner.tools.call(held.name, held.arguments, { signal: controller.signal });
  await askedBeyond(workspace, before);
  controller.abort(new Error("no longer wanted"));
  await expect(call).rejects.toThrow("no longer wanted");
  // What the model had said until then is paid for, as soon as it has ended.
  await expect.poll(async () => (await readQuota(ctx, "owner")).used).not.toBe(used);
});

test("a call that is cancelled in the protocol's way is answered, and its connection free", async () => {
  const id = (await post(initialize)).header("mcp-session-id") ?? "";
  const before = workspace.provider.requests.length;
  const call = post({ jsonrpc: "2.0", id: 7, method: "tools/call", params: held }, { "mcp-session-id": id });
  await askedBeyond(workspace, before);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
  expect((await post(cancelled, { "mcp-session-id": id })).status).toBe(202);
  expect(await call).toMatchObject({ status: 200, body: { id: 7, result: { isError: true } } });
});

test("a workspace that closes answers the calls that run", async () => {
  const closing = await startWorkspace();
  const call = faultOf(closing.owner.tools.call(held.name, held.arguments));
  await askedBeyond(closing, 0);
  const closed = closing.service.close();
  expect((await call).message).toContain("the call was ended");
  await closed;
  await closing.close();
});
