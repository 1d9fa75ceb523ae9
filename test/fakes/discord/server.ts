/** The fake's HTTP side: who asks, how often, faults on order, and the log of what was carried out. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { limited, usedUp, type Buckets } from "./buckets.ts";
import { ApiError, refuse } from "./errors.ts";
import type { Gateway } from "./gateway.ts";
import { findRoute, type Answer, type ApiRequest, type Route } from "./routing.ts";
import type { State } from "./state.ts";

/**
 * What becomes of a request that was ordered to fail:
 * - a status with a body: answered so, and nothing is done (a string is sent as it is, such as a proxy's page);
 * - `rate_limited`: 429 with that scope;
 * - `answer_lost`: done, but the connection ends before the answer;
 * - `request_lost`: the connection ends, and nothing is done;
 * - `silence`: no answer, and nothing is done.
 */
export type Outcome =
  | { readonly status: number; readonly body: object | string }
  | { readonly rate_limited: "user" | "shared" | "global"; readonly waitMs: number }
  | "answer_lost"
  | "request_lost"
  | "silence";

export interface RestServer {
  readonly port: number;
  /** The next requests of this route come to this, one each. */
  order(route: string, ...outcomes: Outcome[]): void;
  /** 401, 403 and 429 (not shared) so far: what Discord bans for. */
  readonly refusedRequests: number;
  close(): Promise<void>;
}

export interface RestOptions {
  readonly state: State;
  readonly token: string;
  readonly routes: readonly Route[];
  readonly buckets: Buckets;
  readonly gateway: () => Gateway;
}

/** What Discord counts before it bans an address, unless the limit is shared with other bots. */
const isRefused = (status: number): boolean => status === 401 || status === 403 || status === 429;

async function readBody(request: IncomingMessage): Promise<Pick<ApiRequest, "body" | "files">> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (bytes.byteLength === 0) return { body: {}, files: [] };
  if (!type.startsWith("multipart/form-data")) return { body: JSON.parse(bytes.toString("utf8")), files: [] };
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  const files: { name: string; type: string; bytes: Uint8Array }[] = [];
  for (const [field, value] of form) {
    if (!/^files\[\d+\]$/.test(field) || typeof value === "string") continue;
    files.push({ name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  const payload = form.get("payload_json");
  return { body: typeof payload === "string" ? JSON.parse(payload) : {}, files };
}

export async function serveRest(options: RestOptions): Promise<RestServer> {
  const { state, token, routes, buckets } = options;
  const orders = new Map<string, Outcome[]>();
  let refusedRequests = 0;

  const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string>): void => {
    const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "text/html" : "application/json";
    response.writeHead(status, { ...headers, ...(text === "" ? {} : { "content-type": type }) }).end(text);
  };

  const api = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const path = url.pathname.replace(/^\/api\/v10/, "");
    const method = request.method ?? "GET";
    const given = await readBody(request);
    let route = path;
    let headers: Record<string, string> = {};
    const asked: ApiRequest = { method, path, params: {}, query: url.searchParams, ...given, pings: [] };
    const commit = (status: number, pings: readonly string[] = []): void =>
      void state.commits.push({ at: state.now(), method, route, path, status, body: given.body, pings });
    try {
      const found = findRoute(routes, method, path);
      route = found.route.name.split(" ")[1] ?? path;
      const ordered = orders.get(found.route.name)?.shift();
      if (ordered === "silence") return;
      if (ordered === "request_lost") return void request.socket.destroy();
      if (found.route.auth === "bot" && request.headers.authorization !== `Bot ${token}`) refuse(0);
      if (typeof ordered === "object" && "rate_limited" in ordered) {
        const { waitMs, rate_limited: scope } = ordered;
        throw limited(waitMs, scope, scope === "user" ? usedUp(found.route.name, waitMs) : {});
      }
      if (!route.endsWith("/callback")) headers = buckets.take(found.route.name, found.major, found.route.auth === "token");
      if (typeof ordered === "object" && "status" in ordered) {
        if (isRefused(ordered.status)) refusedRequests++;
        commit(ordered.status);
        return send(response, ordered.status, ordered.body, headers);
      }
      const carried: ApiRequest = { ...asked, params: found.params };
      const answer: Answer = found.route.answer(carried);
      commit(answer.status, carried.pings);
      if (ordered === "answer_lost") return void request.socket.destroy();
      send(response, answer.status, answer.body, headers);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const shared = thrown.headers["X-RateLimit-Scope"] === "shared";
      if (isRefused(thrown.status) && !shared) refusedRequests++;
      commit(thrown.status);
      send(response, thrown.status, thrown.body, { ...headers, ...thrown.headers });
    }
  };

  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const file = state.files.get(url.pathname);
    if (file !== undefined) return void response.writeHead(200, { "content-type": file.type }).end(file.bytes);
    if (!url.pathname.startsWith("/api/v10/")) return send(response, 404, "not found", {});
    api(request, response, url).catch((thrown: unknown) => send(response, 500, `the fake is broken: ${String(thrown)}`, {}));
  });
  server.on("upgrade", (request, socket, head) => options.gateway().accept(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    order: (route, ...outcomes) => void orders.set(route, [...(orders.get(route) ?? []), ...outcomes]),
    get refusedRequests() {
      return refusedRequests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
