/**
 * A TCP proxy on 127.0.0.1 that spoils a share of the requests passing through it, whatever is spoken above.
 * It knows of HTTP/1.1 only where a request begins: at the first bytes after an answer. An upgraded connection is spoiled as a whole.
 */
import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Random } from "./random.ts";

/** `after` means: what was asked has been done, and its answer is what goes wrong. */
export const requestFaults = [
  "reset before",
  "reset after",
  "cut answer",
  "503 before",
  "503 after",
  "html before",
  "torn json after",
  "delay",
  "silence",
] as const;
export type RequestFault = (typeof requestFaults)[number];

const tunnelFaults = ["reset", "silence"] as const;

export interface FaultProxy {
  readonly origin: string;
  /** The share of requests that are spoiled, 0 to 1. */
  share: number;
  /** The next requests come to these, whatever the share is. */
  order(...faults: RequestFault[]): void;
  /** While true, connections stay open and nothing passes either way. */
  frozen: boolean;
  readonly requests: number;
  readonly spoiled: ReadonlyMap<string, number>;
  /** Upgraded connections that were spoiled: the port that the target saw them come from, and since when, in ms since 1970. */
  readonly spoiledLive: readonly { readonly port: number; readonly at: number }[];
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** Such as `http://127.0.0.1:8080`. */
  readonly target: string;
  readonly random: Random;
  readonly share?: number;
  /** Those that are drawn from; all without it. */
  readonly faults?: readonly [RequestFault, ...RequestFault[]];
}

const delayMs = { least: 200, most: 2_000 };
/** An upgraded connection that is to be spoiled lives between these. */
const tunnelMs = { least: 500, most: 20_000 };
/** A silent connection that its client does not give up is ended after this, as the system's own keep-alive would some time. */
const silenceMs = 25_000;

const answer = (status: string, type: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
const unavailable = answer("503 Service Unavailable", "text/plain", "upstream trouble");
const page = answer("200 OK", "text/html; charset=utf-8", "<!DOCTYPE html><html><body>Please wait…</body></html>");
const torn = answer("200 OK", "application/json", '{"ok":true,"id":"1');

const between = ({ least, most }: { least: number; most: number }, random: Random): number =>
  least + random.next() * (most - least);

export async function openFaultProxy({
  target,
  random,
  share = 0,
  faults = requestFaults,
}: FaultProxyOptions): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const spoiled = new Map<string, number>();
  const spoiledLive: { port: number; at: number }[] = [];
  const ordered: RequestFault[] = [];
  const proxy = { origin: "", share, frozen: false, requests: 0, spoiled, spoiledLive };
  const note = (fault: string): void => void spoiled.set(fault, (spoiled.get(fault) ?? 0) + 1);
  const later = (ms: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };

  const join = (client: Socket): void => {
    const upstream = connect(Number(port), hostname);
    // The first bytes of all begin a request, as do those behind an answer.
    let answered = true;
    let tunnel = false;
    let fault: RequestFault | undefined;
    let silent = false;
    let held: Promise<void> = Promise.resolve();
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay();
      // The other side is told by its own end.
      socket.on("error", () => {});
      socket.on("close", () => void sockets.delete(socket));
    }
    const reset = (): void => {
      client.resetAndDestroy();
      upstream.destroy();
    };
    const instead = (text: string): void => {
      client.end(text);
      upstream.destroy();
      client.resume();
    };
    const beginTunnel = (): void => {
      tunnel = true;
      if (!random.chance(proxy.share)) return;
      const how = random.pick(tunnelFaults);
      later(between(tunnelMs, random), () => {
        if (client.destroyed) return;
        note(`live: ${how}`);
        spoiledLive.push({ port: upstream.localPort ?? 0, at: Date.now() });
        if (how === "reset") return reset();
        silent = true;
        later(silenceMs, reset);
      });
    };
    const begin = (chunk: Buffer): void => {
      answered = false;
      if (/^upgrade: websocket/im.test(chunk.toString("latin1"))) return beginTunnel();
      proxy.requests++;
      fault = ordered.shift() ?? (random.chance(proxy.share) ? random.pick(faults) : undefined);
      if (fault === undefined) return;
      note(fault);
      if (fault === "delay") held = new Promise((resolve) => later(between(delayMs, random), resolve));
      if (fault === "silence") later(silenceMs, reset);
    };
    client.on("data", (chunk: Buffer) => {
      if (proxy.frozen) return;
      if (answered && !tunnel) begin(chunk);
      if (fault === "reset before") return reset();
      if (fault === "503 before") return instead(unavailable);
      if (fault === "html before") return instead(page);
      if (silent) return;
      void held.then(() => upstream.write(chunk));
    });
    upstream.on("data", (chunk: Buffer) => {
      if (proxy.frozen || silent) return;
      answered = true;
      switch (fault) {
        case "reset after":
          return reset();
        case "503 after":
          return instead(unavailable);
        case "torn json after":
          return instead(torn);
        case "cut answer":
          client.write(chunk.subarray(0, Math.floor(chunk.length / 2)), reset);
          return;
        case "silence":
          return;
        case "delay":
        case "reset before":
        case "503 before":
        case "html before":
        case undefined:
          fault = undefined;
          client.write(chunk);
      }
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => {
      if (fault !== "silence" && !silent) client.end();
    });
  };

  const server = createServer(join);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(proxy, {
    order: (...next: RequestFault[]) => void ordered.push(...next),
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  });
}
