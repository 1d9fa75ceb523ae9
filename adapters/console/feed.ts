/** What pages see live: numbered events, of which a page that was away gets only the newest state of each thing. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import type { Cancel, Clock } from "../../src/clock.ts";
import { newId, type Random } from "./ids.ts";
import type { FeedEvent, Frame } from "./wire.ts";

type Numbered = FeedEvent & { readonly seq: number };

/** Things whose newest state is kept for pages that come back; one that was away for longer reads everything again. */
const keptThings = 300;
/** Twice this without a sign of life, and a page or this server is taken to be gone. */
const beatMs = 15_000;

const subject = (event: FeedEvent): string => {
  switch (event.type) {
    case "message":
      return `message:${event.message.id}`;
    case "whisper":
      return `whisper:${event.whisper.id}`;
    case "whisper-gone":
      return `whisper:${event.id}`;
    case "channel":
      return `channel:${event.channel.id}`;
    case "person":
      return "person";
  }
};

/** Puts `event` in place of an older one of the same thing, as the newest of all. */
function renew(map: Map<string, Numbered>, event: Numbered): void {
  map.delete(subject(event));
  map.set(subject(event), event);
}

const frame = (value: Frame): string => JSON.stringify(value);

/** One page. While a frame is on its way, newer states replace older ones that wait: a slow page skips, it never lags. */
function createReader(socket: WebSocket) {
  const waiting = new Map<string, Numbered>();
  let sending = false;
  const pump = (): void => {
    if (sending || waiting.size === 0 || socket.readyState !== WebSocket.OPEN) return;
    const events = [...waiting.values()];
    waiting.clear();
    sending = true;
    socket.send(frame({ type: "events", events }), () => {
      sending = false;
      pump();
    });
  };
  return {
    alive: true,
    push: (event: Numbered): void => {
      renew(waiting, event);
      pump();
    },
  };
}

export interface Feed {
  publish(event: FeedEvent): void;
  /** Takes a page's connection over. The caller has checked who it is. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

export function createFeed(options: { readonly clock: Clock; readonly random: Random }): Feed {
  // Numbers begin anew with every process, so they mean something only together with this.
  const run = newId(options.random);
  const kept = new Map<string, Numbered>();
  let seq = 0;
  /** Events up to this number may be lost. */
  let forgotten = 0;
  const readers = new Map<WebSocket, ReturnType<typeof createReader>>();
  const server = new WebSocketServer({ noServer: true, maxPayload: 4096 });
  let cancelBeat: Cancel = () => undefined;

  const beat = (): void => {
    for (const [socket, reader] of readers) {
      if (!reader.alive) socket.terminate();
      reader.alive = false;
      socket.send(frame({ type: "beat" }));
    }
    cancelBeat = readers.size > 0 ? options.clock.after(beatMs, beat) : () => undefined;
  };

  function join(socket: WebSocket, query: URLSearchParams): void {
    const since = Number(query.get("since") ?? -1);
    const canResume = query.get("run") === run && since >= forgotten && since <= seq;
    const reader = createReader(socket);
    socket.on("message", () => (reader.alive = true));
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      readers.delete(socket);
      if (readers.size === 0) cancelBeat();
    });
    readers.set(socket, reader);
    if (readers.size === 1) cancelBeat = options.clock.after(beatMs, beat);
    // A page that cannot resume reads everything again; what happens meanwhile comes to it by this connection.
    socket.send(frame({ type: "hello", run, seq, resumed: canResume }));
    if (canResume) for (const event of kept.values()) if (event.seq > since) reader.push(event);
  }

  return {
    publish(event) {
      const numbered: Numbered = { ...event, seq: ++seq };
      renew(kept, numbered);
      const [oldest] = kept.values();
      if (kept.size > keptThings && oldest !== undefined) {
        kept.delete(subject(oldest));
        forgotten = oldest.seq;
      }
      for (const reader of readers.values()) reader.push(numbered);
    },
    accept(request, socket, head) {
      const { searchParams } = new URL(request.url ?? "/", "http://localhost");
      server.handleUpgrade(request, socket, head, (opened) => join(opened, searchParams));
    },
    async close() {
      cancelBeat();
      for (const socket of readers.keys()) socket.terminate();
      readers.clear();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
