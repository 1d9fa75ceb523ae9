/** One session of the tool server, spoken by the protocol's own library, which is loaded at the first session. */
import type { CallToolResult, RequestId } from "@modelcontextprotocol/server";
import { toolNotFound } from "../../contract/errors.ts";
import type { Permission } from "../../contract/permissions.ts";
import { toolServerVersion } from "../../contract/tools.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { Session } from "./sessions.ts";
import type { ServiceTool, ToolCall } from "./tool.ts";

export interface OfferedTool extends ServiceTool {
  readonly name: string;
  readonly permission: Permission;
}

interface SessionOptions {
  readonly id: string;
  readonly keyId: number;
  readonly offered: readonly OfferedTool[];
  /** Called once a client has opened the session. */
  readonly onOpen: (session: Session) => Promise<void>;
  /** Called when the client ends it. */
  readonly onEnd: () => void;
}

const answered = (value: unknown, isError = false): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value ?? null) }],
  ...(isError && { isError }),
});

const ended = { error: "the call was ended before the tool was done" };

/** What a tool answers; a "no" is an answer too, marked as an error. */
async function run(tool: OfferedTool, call: ToolCall, args: Readonly<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    return answered(await tool.run(call, args));
  } catch (thrown) {
    if (thrown instanceof HttpError) return answered(thrown.body, true);
    if (call.signal.aborted) return answered(ended, true);
    call.ctx.log.error({ error: thrown, tool: tool.name }, "a tool failed");
    return answered({ error: "internal server error" }, true);
  }
}

/** Resolves with `work`, or once `signal` is aborted with an answer that says so: a call without an answer holds its connection. */
function unlessEnded(work: Promise<CallToolResult>, signal: AbortSignal): Promise<CallToolResult> {
  const { promise, resolve } = Promise.withResolvers<CallToolResult>();
  const end = (): void => resolve(answered(ended, true));
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", end));
}

/** A session that waits for its client to open it; until then nothing keeps it. */
export async function openSession(ctx: ServiceContext, options: SessionOptions): Promise<Session> {
  const { ProtocolError, Server, WebStandardStreamableHTTPServerTransport } = await import("@modelcontextprotocol/server");
  const { id, keyId, offered } = options;
  /** Who asks: each request comes with a key of its own, whose rights may have changed since the session was opened. */
  const callers = new WeakMap<Request, Caller>();
  const running = new Map<RequestId, AbortController>();
  const answering = new Set<Promise<Response>>();

  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    enableJsonResponse: true,
    onsessioninitialized: () => options.onOpen(session),
    onsessionclosed: options.onEnd,
  });
  const server = new Server({ name: "parley-workspace", version: toolServerVersion }, { capabilities: { tools: {} } });
  const asking = (request: Request | undefined): { caller: Caller; request: Request } => {
    const caller = request === undefined ? undefined : callers.get(request);
    if (request === undefined || caller === undefined) throw new RangeError("expected a request with a caller");
    return { caller, request };
  };

  server.setRequestHandler("tools/list", (_, { http }) => {
    const { caller } = asking(http?.req);
    const allowed = offered.filter(({ permission }) => caller.permissions.has(permission));
    return {
      tools: allowed.map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema: { ...inputSchema(), type: "object" as const },
      })),
    };
  });
  server.setRequestHandler("tools/call", async ({ params }, { http, mcpReq }) => {
    const { caller, request } = asking(http?.req);
    const tool = offered.find(({ name }) => name === params.name);
    if (tool === undefined || !caller.permissions.has(tool.permission))
      throw new ProtocolError(-32602, toolNotFound(params.name));
    const ending = new AbortController();
    running.set(mcpReq.id, ending);
    const signal = AbortSignal.any([ending.signal, request.signal]);
    try {
      return await unlessEnded(run(tool, { ctx, caller, signal }, params.arguments ?? {}), signal);
    } finally {
      running.delete(mcpReq.id);
    }
  });
  // The library's own way would leave the cancelled call's request without an answer, and open.
  server.setNotificationHandler("notifications/cancelled", ({ params }) => {
    if (params.requestId !== undefined) running.get(params.requestId)?.abort();
  });
  await server.connect(transport);

  const session: Session = {
    keyId,
    async fetch(request, caller) {
      callers.set(request, caller);
      const answer = transport.handleRequest(request);
      answering.add(answer);
      try {
        return await answer;
      } finally {
        answering.delete(answer);
      }
    },
    busy: () => answering.size > 0,
    async close() {
      for (const ending of running.values()) ending.abort();
      await Promise.allSettled(answering);
      await server.close();
    },
  };
  return session;
}
