/** Socket Mode: hello, envelopes to one of the open connections, acknowledgements, redelivery, and goodbyes. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocketServer, type WebSocket } from "ws";
import type { Json } from "./state.ts";

/** What the app answered to an envelope. */
export interface Ack {
  readonly payload: Json;
}

/** One sending of an envelope. */
export interface Try {
  /** In ms since 1970. */
  readonly at: number;
  /** Where it was sent: what the app had dialled, and the port that it, or what stands between, came from. Null: none was open. */
  readonly to: { readonly host: string; readonly port: number } | null;
  /** From the sending to the acknowledgement, in ms; null: there was none in time. */
  ackMs: number | null;
}

export interface SocketMode {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Sends an envelope to one connection and waits for its acknowledgement; sent again to another after the time for it, as Slack does with events.
   * @param times how often it is sent in all
   * @returns no ack when nobody acknowledged it
   */
  deliver(
    type: string,
    payload: Json,
    options: { readonly times: number; readonly retry?: number },
  ): Promise<{ readonly ack: Ack | undefined; readonly tries: readonly Try[] }>;
  /** Says that a connection will end: `refresh_requested`, `warning`, `link_disabled`. It stays open until the app ends it. */
  disconnect(reason: string, all?: boolean): void;
  /** Cuts every connection without a word. */
  cut(): void;
  /** Sends a frame as it stands to every connection. */
  raw(frame: string | Buffer): void;
  /** While false, new connections get no hello. */
  greets: boolean;
  /** While true, connections are open and nothing passes either way. */
  frozen: boolean;
  readonly connections: number;
  /** How many connections there have been. */
  readonly opened: number;
  close(): void;
}

export function createSocketMode({
  now,
  ackMs,
  waits,
  connectionMs,
  nextId,
}: {
  readonly now: () => number;
  readonly ackMs: () => number;
  /** Before the second try, the third and so on, in ms; none without it. */
  readonly waits: readonly number[];
  readonly connectionMs: number;
  readonly nextId: () => string;
}): SocketMode {
  const server = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 * 1024, autoPong: false });
  const sockets: WebSocket[] = [];
  const addresses = new Map<WebSocket, NonNullable<Try["to"]>>();
  const waiting = new Map<string, (ack: Ack) => void>();
  let turn = 0;

  const mode: SocketMode = {
    greets: true,
    frozen: false,
    opened: 0,
    get connections() {
      return sockets.length;
    },
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (connection) => {
        sockets.push(connection);
        addresses.set(connection, { host: request.headers.host ?? "", port: request.socket.remotePort ?? 0 });
        (mode as { opened: number }).opened++;
        connection.on("close", () => {
          sockets.splice(sockets.indexOf(connection), 1);
          addresses.delete(connection);
        });
        connection.on("ping", (data) => {
          if (!mode.frozen) connection.pong(data);
        });
        connection.on("message", (data: Buffer) => {
          if (mode.frozen) return;
          const { envelope_id: id, payload } = JSON.parse(data.toString()) as { envelope_id: string; payload?: Json };
          waiting.get(id)?.({ payload: payload ?? {} });
        });
        if (mode.greets && !mode.frozen)
          connection.send(
            JSON.stringify({
              type: "hello",
              num_connections: sockets.length,
              connection_info: { app_id: "A0PARLEY" },
              debug_info: { approximate_connection_time: connectionMs / 1000 },
            }),
          );
      });
    },
    async deliver(type, payload, { times, retry = 0 }) {
      const tries: Try[] = [];
      for (let attempt = 0; attempt < times; attempt++) {
        if (attempt > 0) await wait(waits[attempt - 1] ?? 0);
        const open = sockets.filter((one) => one.readyState === one.OPEN);
        const connection = open[turn++ % Math.max(1, open.length)];
        const id = nextId();
        const one: Try = { at: now(), to: (connection && addresses.get(connection)) ?? null, ackMs: null };
        tries.push(one);
        const began = performance.now();
        const acknowledged = new Promise<Ack | undefined>((resolve) => {
          const timer = setTimeout(() => resolve(undefined), ackMs());
          waiting.set(id, (ack) => {
            clearTimeout(timer);
            resolve(ack);
          });
        });
        const again = attempt + retry;
        if (!mode.frozen)
          connection?.send(
            JSON.stringify({
              envelope_id: id,
              type,
              payload,
              accepts_response_payload: type !== "events_api",
              ...(type === "events_api" ? { retry_attempt: again, retry_reason: again > 0 ? "timeout" : "" } : {}),
            }),
          );
        const ack = await acknowledged;
        waiting.delete(id);
        if (ack === undefined) continue;
        one.ackMs = performance.now() - began;
        return { ack, tries };
      }
      return { ack: undefined, tries };
    },
    disconnect(reason, all = false) {
      for (const connection of all ? sockets : sockets.slice(0, 1))
        connection.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "fake" } }));
    },
    cut() {
      for (const connection of sockets.slice()) connection.terminate();
    },
    raw(frame) {
      for (const connection of sockets) connection.send(frame);
    },
    close() {
      for (const connection of sockets.slice()) connection.terminate();
      server.close();
    },
  };
  return mode;
}
