/** A conversation's live channel: whole messages as they grow, over a WebSocket that is known to be alive. */
import type { IncomingMessage } from "node:http";
import { WebSocket, type RawData } from "ws";
import { messageIn } from "../contract/live.ts";
import type { Message } from "../contract/records.ts";
import type { Cancel, Clock } from "../clock.ts";
import { WorkspaceFault } from "../errors.ts";
import { faultOf, faultText, parseJson, transportFault } from "./faults.ts";
import type { CallOptions, Http } from "./http.ts";
import { latest } from "./latest.ts";
import { readMessage } from "./records.ts";

export interface ClientLog {
  warn(fields: object, text: string): void;
}

export interface Live {
  follow(conversationId: number, options?: CallOptions): Promise<AsyncIterable<Message>>;
  /** Ends every open channel. */
  close(): void;
}

// A dead peer is noticed after at most 5 s until the ping and 10 s without its pong.
const pingEveryMs = 5_000;
const pongWithinMs = 10_000;
// A whole message with its parts; a longer frame closes the channel, and polling goes on.
const largestFrame = 32 * 1024 * 1024;
// Messages of one conversation that change at the same time: one or two.
const mostWaiting = 256;
const errorBytes = 64 * 1024;

export function openLive(http: Http, log?: ClientLog): Live {
  const open = new Set<WebSocket>();

  const follow: Live["follow"] = (...asked) => http.beside(() => dial(...asked));
  const dial: Live["follow"] = async (conversationId, { signal } = {}) => {
    signal?.throwIfAborted();
    const url = http.address("GET /conversation/:id/ws", { params: { id: conversationId } });
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url, {
      headers: http.authorization,
      handshakeTimeout: http.timeouts.connectMs,
      maxPayload: largestFrame,
      perMessageDeflate: false,
    });
    open.add(socket);
    const channel = latest<Message>(() => socket.terminate(), mostWaiting);
    const onAbort = (): void => {
      channel.end(true);
      socket.terminate();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    let alive: Cancel = () => {};
    socket.on("message", (data) => {
      const message = messageIn(parseJson(textOf(data)));
      if (message === undefined) log?.warn({ conversationId }, "a frame of the live channel without a message was left out");
      else channel.put(message.ID, readMessage(message));
    });
    socket.on("close", () => {
      alive();
      signal?.removeEventListener("abort", onAbort);
      open.delete(socket);
      channel.end(false);
      socket.removeAllListeners();
    });
    const cancelOpening = http.clock.after(http.timeouts.answerMs, () => socket.terminate());
    try {
      await opened(socket, http.clock);
    } catch (thrown) {
      socket.terminate();
      if (signal?.aborted === true) throw signal.reason;
      throw thrown;
    } finally {
      cancelOpening();
    }
    // From here on an error is followed by a close, which is all that a reader needs to know.
    socket.on("error", (error) => log?.warn({ conversationId, reason: error.message }, "the live channel broke"));
    alive = heartbeat(socket, http.clock);
    return channel.values;
  };

  return {
    follow,
    close() {
      for (const socket of open) socket.terminate();
    },
  };
}

/** Resolves once the channel is open; every way of not opening is a WorkspaceFault. */
function opened(socket: WebSocket, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: unknown): void => reject(transportFault(error));
    // Stays for good: an error that nobody listens to would end the process.
    socket.on("error", refused);
    socket.once("close", () => reject(new WorkspaceFault("lost", faultText("lost"))));
    socket.once("unexpected-response", (_, response) => {
      refusal(response, clock.now()).then(reject, refused);
    });
    socket.once("open", () => resolve());
  });
}

async function refusal(response: IncomingMessage, now: number): Promise<WorkspaceFault> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk as string;
    if (text.length > errorBytes) break;
  }
  return faultOf(response.statusCode ?? 0, text, (name) => [response.headers[name]].flat()[0], now);
}

/** Pings, and ends the socket when no pong follows. */
function heartbeat(socket: WebSocket, clock: Http["clock"]): Cancel {
  let cancel: Cancel;
  const ping = (): void => {
    socket.ping();
    cancel = clock.after(pongWithinMs, () => socket.terminate());
  };
  const rest = (): void => {
    cancel = clock.after(pingEveryMs, ping);
  };
  socket.on("pong", () => {
    cancel();
    rest();
  });
  rest();
  return () => cancel();
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
