/** The tool server at `/mcp/`: sessions, which tools a key may call, and calling them (MCP, Streamable HTTP). */
import { randomUUID } from "node:crypto";
import { tools as table, type ServedTool, type Tool } from "../../contract/tools.ts";
import { authenticate } from "../authenticate.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { correlated } from "../http.ts";
import { json } from "../responses.ts";
import { openSession, type OfferedTool } from "./session.ts";
import { createSessions, type Session } from "./sessions.ts";
import type { Tools } from "./tool.ts";

/** Where the tool server is, beside the REST root. Without its slash it is another address, and nothing is there. */
export const toolRoot = "/mcp/";

export interface ToolServer {
  fetch(request: Request): Promise<Response>;
  /** Ends every session; calls that run are answered that the workspace is closing. */
  close(): Promise<void>;
}

const offers = (implemented: Tools): OfferedTool[] =>
  table
    .filter(({ status }) => status === "served")
    .map((row: Tool) => {
      const found = implemented[row.name as ServedTool];
      if (found === undefined) throw new RangeError(`expected an implementation of the tool ${row.name}, got none`);
      return { name: row.name, permission: row.permission, ...found };
    });

/** Throws a RangeError when a served tool has no implementation. */
export function createToolServer(ctx: ServiceContext, implemented: Tools): ToolServer {
  const offered = offers(implemented);
  const sessions = createSessions(ctx.clock);

  const found = async (request: Request, caller: Caller): Promise<Session | undefined> => {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) return sessions.find(id, caller.keyId);
    const opened = `mcp-session-${randomUUID()}`;
    return openSession(ctx, {
      id: opened,
      keyId: caller.keyId,
      offered,
      onOpen: (session) => sessions.keep(opened, session),
      onEnd: () => sessions.forget(opened),
    });
  };

  return {
    fetch: (request) =>
      correlated(ctx, request, async () => {
        const caller = await authenticate(ctx, request.headers.get("authorization"));
        if (new URL(request.url).pathname !== toolRoot) return json(404, { error: "there is no such route" });
        // The server has nothing to say by itself, and would hold a connection for each client to say it on.
        if (request.method === "GET") return json(405, { error: "this server sends no events" }, { Allow: "POST, DELETE" });
        const session = await found(request, caller);
        if (session !== undefined) return session.fetch(request, caller);
        return json(404, { jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null });
      }),
    close: () => sessions.close(),
  };
}
