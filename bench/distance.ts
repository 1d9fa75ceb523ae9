/**
 * A server that stands before another and is some way off from it: a request is there after half a round trip, and its answer back
 * after a whole one. What the other takes to answer is part of the way back, so that a slow fake is no part of a figure.
 */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

/** Headers that belong to one connection. */
const hop = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host"]);

const passed = (headers: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !hop.has(name.toLowerCase())));

/** @param origin such as `http://127.0.0.1:8080` */
export async function openDistance(origin: string, roundTripMs: number): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const arrived = performance.now();
    const forward = async (): Promise<void> => {
      const body = new Uint8Array(await buffer(request));
      await wait(roundTripMs / 2);
      const headers = passed(Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const));
      const method = request.method ?? "GET";
      const answer = await fetch(origin + (request.url ?? "/"), { method, headers, ...(body.length === 0 ? {} : { body }) });
      const bytes = Buffer.from(await answer.arrayBuffer());
      await wait(Math.max(0, arrived + roundTripMs - performance.now()));
      response.writeHead(answer.status, passed(answer.headers)).end(bytes);
    };
    forward().catch((thrown: unknown) => response.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
