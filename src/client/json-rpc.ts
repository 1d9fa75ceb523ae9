/**
 * JSON-RPC over HTTP as the tool server speaks it (MCP, Streamable HTTP): a request out, its response back, in a session.
 * Written on the client's own requests and not on an SDK: only three methods are called, and here a deadline or an abort
 * ends the exchange itself, where the SDK would leave it open and keep time by a clock of its own.
 */
import { WorkspaceFault } from "../errors.ts";
import { eventData } from "./event-stream.ts";
import { malformed, parseJson, rpcFault } from "./faults.ts";
import { isObject } from "./fields.ts";
import { bounded, readText, type CallOptions, type Head, type Http } from "./http.ts";

/** Asked for when a session is opened; the three methods are alike in every version, so whatever the server answers will do. */
const protocolVersion = "2025-11-25";

export interface RpcOptions extends CallOptions {
  /** True: the answer comes only when a model's or a tool's work is done. */
  readonly patient?: boolean;
}

export interface RpcAnswer {
  readonly result: Record<string, unknown>;
  readonly head: Head;
}

export type Rpc = (method: string, params: object, options?: RpcOptions) => Promise<RpcAnswer>;

type Headers = Readonly<Record<string, string>>;

/** Calls in one session, which is opened at the first call, and again, once a call, when the server no longer knows it. */
export function createRpc(http: Http, url: URL): Rpc {
  let ids = 0;
  let session: Headers | undefined;

  const ask = (method: string, params: object, headers: Headers, options: RpcOptions): Promise<RpcAnswer> => {
    const id = ++ids;
    const details = {
      body: { jsonrpc: "2.0", id, method, params },
      headers: { accept: "application/json, text/event-stream", ...headers },
      ...options,
    };
    return http.send("POST", url, details, async (body, head) => ({
      result: resultIn(await response(body, head, id), head),
      head,
    }));
  };

  const open = async (options: CallOptions): Promise<Headers> => {
    const client = { capabilities: {}, clientInfo: { name: "parley", version: "1.0.0" } };
    const { result, head } = await ask("initialize", { protocolVersion, ...client }, {}, options).catch((thrown: unknown) => {
      const missing = thrown instanceof WorkspaceFault && (thrown.status === 404 || thrown.status === 405);
      throw missing ? malformed("expected a tool server", thrown.status, thrown.correlationId, thrown) : thrown;
    });
    const id = head.header("mcp-session-id");
    const version = result["protocolVersion"];
    const opened = {
      ...(id !== undefined && { "mcp-session-id": id }),
      ...(typeof version === "string" && { "mcp-protocol-version": version }),
    };
    const details = { body: { jsonrpc: "2.0", method: "notifications/initialized" }, ...options };
    const headers = { accept: "application/json, text/event-stream", ...opened };
    await http.send("POST", url, { ...details, headers }, readText);
    return opened;
  };

  return async (method, params, options = {}) => {
    const { signal } = options;
    for (let opened = session === undefined; ; opened = true) {
      // Two first calls at once open two sessions: one is never used again, and ages away.
      const used = (session ??= await open({ ...(signal && { signal }) }));
      try {
        return await ask(method, params, used, options);
      } catch (thrown) {
        if (opened || !isLost(thrown, used)) throw thrown;
        if (session === used) session = undefined;
      }
    }
  };
}

/**
 * True when the server no longer knows the session, so that nothing was done: after a restart, or after a long rest.
 * The protocol says 404; some servers say 400.
 */
const isLost = (thrown: unknown, session: Headers): boolean =>
  "mcp-session-id" in session && thrown instanceof WorkspaceFault && (thrown.status === 404 || thrown.status === 400);

/** The response to request `id`: the JSON body, or one of the events of a stream. */
async function response(body: AsyncIterable<Uint8Array>, head: Head, id: number): Promise<Record<string, unknown>> {
  if (head.header("content-type")?.includes("text/event-stream") === true) {
    for await (const data of eventData(bounded(body, head))) {
      const message = parseJson(data);
      if (isResponse(message, id)) return message;
    }
  } else {
    const message = parseJson(await readText(body, head));
    if (isResponse(message, id)) return message;
  }
  throw malformed("expected a JSON-RPC response", head.status, head.correlationId);
}

const isResponse = (message: unknown, id: number): message is Record<string, unknown> =>
  isObject(message) && message["id"] === id && ("result" in message || "error" in message);

function resultIn(message: Record<string, unknown>, head: Head): Record<string, unknown> {
  const { result, error } = message;
  if (isObject(error)) throw rpcFault(error, head);
  if (!isObject(result)) throw malformed("expected the result of a JSON-RPC request", head.status, head.correlationId);
  return result;
}
