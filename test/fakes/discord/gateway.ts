/** The gateway, version 10: sessions, heartbeats, resuming with what was missed, and what each session may see. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";

type Json = Record<string, unknown>;

export const intents = { guilds: 1, guildMessages: 512, directMessages: 4096, messageContent: 32_768 };

interface Session {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [number, number];
  socket: WebSocket | null;
  /** Every event, as it is replayed on resuming. */
  readonly events: { readonly s: number; readonly t: string; readonly d: unknown }[];
  /** The last sequence number that the client said it has. */
  heard: number;
}

/** One event for those sessions that may have it. */
export interface Dispatch {
  readonly type: string;
  readonly data: Json;
  /** Null for direct messages, which the first shard gets. */
  readonly guild: string | null;
  /** The intent that it needs; null: everybody who is connected. */
  readonly intent: number | null;
}

export interface GatewayOptions {
  readonly token: string;
  readonly url: () => string;
  /** What READY carries beside the session, and what comes right behind it. */
  readonly ready: () => Json;
  readonly guilds: () => readonly Json[];
  /** Whether a message's words may be seen without the Message Content intent: the bot's own, direct ones, mentions. */
  readonly open: (message: Json) => boolean;
  readonly heartbeatMs: number;
}

export interface Gateway {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  dispatch(event: Dispatch): void;
  /** Sends the last event of this type once more, as a twin with a new number. */
  repeat(type: string): void;
  /** Sends these raw frames to every connection. */
  raw(...frames: (string | Buffer)[]): void;
  /** Ends every connection: without a word (no code), or with this close code. Sessions can be resumed. */
  drop(code?: number): void;
  /** Tells every client to reconnect (opcode 7). */
  askToReconnect(): void;
  /** A session that is resumed is sent so many events once more that it had heard, before those that it missed. */
  replay(events: number): void;
  /** From now on no session that is there can be resumed. */
  forgetSessions(): void;
  /** These intents are refused with 4014 at the next identify. */
  disallow(mask: number): void;
  /** So many of the next connections are opened, and told nothing. */
  sayNothing(connections: number): void;
  /** While true, connections are refused before the handshake. */
  refuseConnections(refuse: boolean): void;
  readonly connections: number;
  /** Identifies and resumes so far. */
  readonly identifies: number;
  readonly resumes: number;
  readonly seenIntents: number;
  close(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const server = new WebSocketServer({ noServer: true, maxPayload: 4096 });
  const sessions = new Map<string, Session>();
  let made = 0;
  let identifies = 0;
  let resumes = 0;
  let disallowed = 0;
  let refusing = false;
  let silent = 0;
  let seenIntents = 0;
  let replayed = 0;

  const send = (socket: WebSocket, frame: Json): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  const push = (session: Session, type: string, data: unknown): void => {
    const s = (session.events.at(-1)?.s ?? 0) + 1;
    session.events.push({ s, t: type, d: data });
    if (session.socket !== null) send(session.socket, { op: 0, s, t: type, d: data });
  };

  const mayHave = (session: Session, { guild, intent }: Dispatch): boolean => {
    if (intent !== null && (session.intents & intent) === 0) return false;
    const [shard, count] = session.shard;
    return shard === (guild === null ? 0 : Number((BigInt(guild) >> 22n) % BigInt(count)));
  };
  const seenBy = (session: Session, { type, data }: Dispatch): Json => {
    const isMessage = type === "MESSAGE_CREATE" || type === "MESSAGE_UPDATE";
    if (!isMessage || (session.intents & intents.messageContent) !== 0 || options.open(data)) return data;
    return { ...data, content: "", attachments: [], embeds: [], components: [] };
  };

  const identify = (socket: WebSocket, d: Json): Session | undefined => {
    identifies++;
    const wanted = Number(d["intents"]);
    seenIntents = wanted;
    if (d["token"] !== options.token) {
      socket.close(4004, "Authentication failed.");
      return undefined;
    }
    if ((wanted & disallowed) !== 0) {
      socket.close(4014, "Disallowed intent(s).");
      return undefined;
    }
    const shard = Array.isArray(d["shard"]) ? (d["shard"] as [number, number]) : ([0, 1] as const);
    const session: Session = { id: `session${++made}`, intents: wanted, shard, socket, events: [], heard: 0 };
    sessions.set(session.id, session);
    const guilds = options.guilds().filter(({ id }) => mayHave(session, { type: "", data: {}, guild: String(id), intent: null }));
    push(session, "READY", {
      v: 10,
      session_id: session.id,
      resume_gateway_url: options.url(),
      shard,
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      ...options.ready(),
    });
    if ((wanted & intents.guilds) !== 0) for (const guild of guilds) push(session, "GUILD_CREATE", guild);
    return session;
  };
  const resume = (socket: WebSocket, d: Json): Session | undefined => {
    resumes++;
    const session = sessions.get(String(d["session_id"]));
    if (session === undefined || d["token"] !== options.token) {
      send(socket, { op: 9, d: false });
      return undefined;
    }
    session.socket = socket;
    const since = Number(d["seq"]);
    const opening = ["READY", "GUILD_CREATE", "RESUMED"];
    const again = replayed === 0 ? [] : session.events.filter(({ s, t }) => s <= since && !opening.includes(t)).slice(-replayed);
    const missed = session.events.filter(({ s }) => s > since);
    for (const event of [...again, ...missed]) send(socket, { op: 0, ...event });
    push(session, "RESUMED", {});
    return session;
  };

  const join = (socket: WebSocket): void => {
    let session: Session | undefined;
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      if (session?.socket === socket) session.socket = null;
    });
    socket.on("message", (data) => {
      const { op, d } = JSON.parse((data as Buffer).toString("utf8")) as { op: number; d: unknown };
      if (op === 1) {
        if (session !== undefined) session.heard = Number(d ?? 0);
        send(socket, { op: 11 });
      } else if (op === 2) {
        if (session === undefined) session = identify(socket, d as Json);
        else socket.close(4005, "Already authenticated.");
      } else if (op === 6) {
        session = resume(socket, d as Json);
      } else if (session === undefined) {
        socket.close(4003, "Not authenticated.");
      }
    });
    if (silent > 0) return void silent--;
    send(socket, { op: 10, d: { heartbeat_interval: options.heartbeatMs } });
  };

  return {
    accept(request, socket, head) {
      if (refusing) return void socket.destroy();
      server.handleUpgrade(request, socket, head, join);
    },
    dispatch(event) {
      for (const session of sessions.values()) if (mayHave(session, event)) push(session, event.type, seenBy(session, event));
    },
    repeat(type) {
      for (const session of sessions.values()) {
        const last = session.events.findLast((event) => event.t === type);
        if (last !== undefined) push(session, type, last.d);
      }
    },
    raw(...frames) {
      for (const socket of server.clients) for (const frame of frames) socket.send(frame);
    },
    drop(code) {
      for (const socket of server.clients) {
        if (code === undefined) socket.terminate();
        else socket.close(code);
      }
    },
    askToReconnect() {
      for (const socket of server.clients) send(socket, { op: 7, d: null });
    },
    replay: (events) => void (replayed = events),
    forgetSessions: () => sessions.clear(),
    disallow: (mask) => void (disallowed = mask),
    sayNothing: (count) => void (silent = count),
    refuseConnections: (refuse) => void (refusing = refuse),
    get connections() {
      return server.clients.size;
    },
    get identifies() {
      return identifies;
    },
    get resumes() {
      return resumes;
    },
    get seenIntents() {
      return seenIntents;
    },
    async close() {
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
