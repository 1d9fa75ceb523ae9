/** The one HTTP server: routes each path to its part, after the checks that all parts share. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { Fault } from "../errors.ts";
import type { Log } from "../log.ts";
import { refuseOrigin, type OriginRules } from "./origin.ts";

/** Something that answers requests and upgrades. */
export interface Part {
  fetch(request: Request): Response | Promise<Response>;
  /** Takes the socket over, or returns false without touching it. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

export interface FrontOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly rules: OriginRules;
  /** The part that serves `path`; undefined: not found. */
  readonly partOf: (path: string) => { readonly part: Part; readonly checkOrigin: boolean } | undefined;
  readonly log: Log;
}

export interface Front {
  readonly port: number;
  /** Its origin, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Takes no new connections and ends the open ones. */
  close(): Promise<void>;
}

// A request's head and body must arrive within these, in ms, or the connection is ended; an upload that moves may take longer.
const headersTimeout = 15_000;
const requestTimeout = 30 * 60_000;

/** An address that a URL can hold. */
const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);
const pathOf = (url: string | undefined): string => (url ?? "/").split("?", 1)[0] ?? "/";
const plain = (status: number, error: string): Response => Response.json({ error }, { status });

async function answer({ partOf, rules }: FrontOptions, request: Request): Promise<Response> {
  const found = partOf(new URL(request.url).pathname);
  if (found === undefined) return plain(404, "there is nothing here");
  const refused = found.checkOrigin ? refuseOrigin(request.headers, rules) : null;
  return refused === null ? found.part.fetch(request) : plain(403, refused);
}

function upgrade({ partOf, rules }: FrontOptions, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const end = (status: string): void => void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  const found = partOf(pathOf(request.url));
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])) as Array<
      [string, string]
    >,
  );
  if (found?.checkOrigin === true && refuseOrigin(headers, rules) !== null) return end("403 Forbidden");
  if (found?.part.upgrade?.(request, socket, head) !== true) end("404 Not Found");
}

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      reject(
        new Fault(
          "listen",
          taken
            ? `port ${port} of ${host} is taken: stop what uses it, or set PORT`
            : `cannot listen on ${host}:${port} (HOST, PORT): ${cause.message}`,
          { cause },
        ),
      );
    });
    server.listen(port, host, () => resolve());
  });

/** Listens. Throws a Fault `listen` when the port is taken or the address is not this machine's. */
export async function openFront(options: FrontOptions): Promise<Front> {
  const listener = getRequestListener((request) => answer(options, request), {
    overrideGlobalObjects: false,
    errorHandler: (thrown) => {
      if (thrown instanceof RequestError) return plain(400, "expected an HTTP request with a valid address");
      options.log.error({ err: thrown }, "a request failed");
      return plain(500, "something went wrong; the operator's log has the reason");
    },
  });
  const server = createServer({ headersTimeout, requestTimeout }, (request, response) => void listener(request, response));
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", (thrown) => options.log.debug({ err: thrown }, "an upgraded connection broke"));
    upgrade(options, request, socket, head);
  });
  await listening(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${inUrl(options.host)}:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((failure) => (failure === undefined ? resolve() : reject(failure)));
        server.closeAllConnections();
      }),
  };
}
