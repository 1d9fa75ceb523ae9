/** The Web API over HTTP: who calls, may they call now, what is done, and what goes wrong on order. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { SlackRefusal } from "./errors.ts";
import type { Faults } from "./faults.ts";
import { chat } from "./methods/chat.ts";
import { conversations } from "./methods/conversations.ts";
import { files } from "./methods/files.ts";
import type { Args, Method, World } from "./methods/method.ts";
import { streams } from "./methods/streams.ts";
import { surfaces } from "./methods/surfaces.ts";
import type { Rates } from "./rates.ts";
import { tokens, type Json, str } from "./state.ts";

const methods: Readonly<Record<string, Method>> = { ...chat, ...streams, ...conversations, ...files, ...surfaces };

/** A call as it was made, with what it was answered. */
export interface Call {
  readonly method: string;
  readonly args: Args;
  readonly at: number;
  /** `ok`, the error's code, `ratelimited`, or the fault on order. */
  readonly answer: string;
}

/** Something that was done: what an honest history of the workspace would show. */
export interface Commit {
  readonly method: string;
  readonly args: Args;
  readonly at: number;
  readonly channel: string;
  readonly ts: string;
}

export interface WebApiOptions {
  readonly world: World;
  readonly faults: Faults;
  /** Null: calls are not counted. */
  readonly rates: Rates | null;
  readonly calls: Call[];
  readonly commits: Commit[];
  /** Before each answer: lets a test hold a call. */
  readonly delay: (method: string) => Promise<void>;
}

const writes = /^(chat\.(?!getPermalink)|files\.complete|views\.|reactions\.)/;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const structured = new Set(["blocks", "metadata", "chunks", "view", "files", "attachments", "prompts", "loading_messages"]);

function formValue(name: string, value: string): unknown {
  if (structured.has(name)) {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  return value === "true" ? true : value === "false" ? false : value;
}

function argsOf(request: IncomingMessage, body: Buffer): Args {
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("application/json")) return JSON.parse(body.toString() || "{}") as Args;
  const query = new URL(request.url ?? "/", "http://slack.invalid").searchParams;
  const form = new URLSearchParams(body.toString());
  return Object.fromEntries([...query, ...form].map(([name, value]) => [name, formValue(name, value)]));
}

const json = (response: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(JSON.stringify(body));
};

export function createWebApi({ world, faults, rates, calls, commits, delay }: WebApiOptions) {
  const carryOut = (method: string, args: Args, host: string): Json => {
    const known = methods[method];
    if (known === undefined) return { ok: false, error: "unknown_method" };
    try {
      const result = known(args, world, host);
      if (writes.test(method)) {
        const channel = str(result["channel"] ?? args["channel"] ?? args["channel_id"] ?? "");
        commits.push({ method, args, at: world.state.now(), channel, ts: str(result["ts"] ?? args["ts"] ?? "") });
      }
      return { ok: true, ...result };
    } catch (thrown) {
      if (!(thrown instanceof SlackRefusal)) throw thrown;
      return { ok: false, error: thrown.code, ...thrown.more };
    }
  };

  return async (request: IncomingMessage, response: ServerResponse, method: string): Promise<void> => {
    const args = argsOf(request, await bodyOf(request));
    const record = (answer: string): void => void calls.push({ method, args, at: world.state.now(), answer });
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? args["token"];
    delete args["token"];
    await delay(method);
    if (given !== (method === "apps.connections.open" ? tokens.app : tokens.bot)) {
      record("invalid_auth");
      return json(response, 200, { ok: false, error: given === undefined ? "not_authed" : "invalid_auth" });
    }
    const fault = faults.take(method);
    const wait = fault === undefined ? (rates?.take(method, str(args["channel"] ?? "")) ?? null) : null;
    if (wait !== null) {
      record("ratelimited");
      return json(response, 429, { ok: false, error: "ratelimited" }, { "retry-after": String(wait) });
    }
    if (fault === undefined || fault.when === "after") {
      const result = carryOut(method, args, request.headers.host ?? "");
      if (fault === undefined) {
        record(result["ok"] === true ? "ok" : str(result["error"]));
        return json(response, 200, result, { "x-oauth-scopes": world.state.scopes.join(",") });
      }
    }
    record(`fault: ${JSON.stringify(fault.how)}`);
    if (fault.how === "reset") return void request.socket.destroy();
    // Silence: the connection stays open until either side gives up.
    if (fault.how === "silence") return;
    response.writeHead(fault.how.status, fault.how.headers).end(fault.how.body);
  };
}
