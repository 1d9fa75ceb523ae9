/** One Socket Mode connection: dialled once, guarded against malformed frames, and watched; it never reconnects by itself. */
import { SocketModeClient } from "@slack/socket-mode";
import type { Clock } from "../../../src/clock.ts";
import { Fault } from "../../../src/errors.ts";
import { isPayload, textIn, type Payload } from "../payload.ts";
import { silentLogger } from "../silent-logger.ts";
import { isWellFormed } from "./shape.ts";

/** In ms. */
export interface SocketTimes {
  /** From dialling to Slack's hello. */
  readonly hello: number;
  /** Without an answer to a ping for this long, a connection is dead; the SDK pings three times in it. */
  readonly pong: number;
  /** An old connection stays open this long behind the new one's hello, for what is under way on it. */
  readonly overlap: number;
}

/** Every trouble is found, and a connection dialled again, within 15 s. */
export const socketTimes: SocketTimes = { hello: 10_000, pong: 8_000, overlap: 2_000 };

export interface SocketEvents {
  readonly receive: (body: unknown, ack: (answer?: unknown) => Promise<void>, retryNum: number | undefined) => void;
  /** Slack is about to end the connection: another should be opened first. */
  readonly goingAway: (reason: string) => void;
  readonly ended: () => void;
}

export interface SocketOptions {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly times: SocketTimes;
}

/** The SDK emits a frame's type, and the type of an event's inner event; of any other frame only that it came is passed on. */
const isPassable = (frame: Payload): boolean =>
  frame["type"] === "events_api"
    ? isWellFormed(frame["payload"]) && isPayload(frame["payload"]["event"])
    : ["hello", "slash_commands", "interactive"].includes(textIn(frame, "type"));

/** `onWebSocketMessage` would throw, unheard, on a frame without an inner event, and would close on `disconnect` before a new connection is there. */
class GuardedSocket extends SocketModeClient {
  override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    if (isBinary || typeof data !== "string") return;
    let frame: unknown;
    try {
      frame = JSON.parse(data);
    } catch {
      return;
    }
    if (!isPayload(frame)) return;
    if (frame["type"] === "disconnect") {
      this.emit("going_away", String(frame["reason"]));
      return;
    }
    if (frame["type"] !== "hello" && typeof frame["envelope_id"] !== "string") return;
    await super.onWebSocketMessage(isPassable(frame) ? data : JSON.stringify({ ...frame, type: "other" }), isBinary);
  }
}

export interface Socket {
  /** Closes without waiting. Calls `ended` no more. */
  close(): void;
}

/** Resolves at Slack's hello. Throws a Fault `slack_socket` when there is none in time, or the connection cannot be made. */
export async function openSocket(
  { appToken, apiUrl, clock, times }: SocketOptions,
  events: SocketEvents,
  signal: AbortSignal,
): Promise<Socket> {
  const client = new GuardedSocket({
    appToken,
    autoReconnectEnabled: false,
    logger: silentLogger,
    clientPingTimeout: times.pong,
    clientOptions: {
      slackApiUrl: apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: times.hello,
    },
  });
  let closed = false;
  const close = (): void => {
    closed = true;
    client.disconnect().catch(() => {});
  };
  client.on("slack_event", (event: { body: unknown; ack: (answer?: unknown) => Promise<void>; retry_num?: number }) => {
    if (!closed) events.receive(event.body, event.ack, event.retry_num);
  });
  client.on("going_away", (reason: string) => {
    if (!closed) events.goingAway(reason);
  });
  client.on("disconnected", () => {
    if (!closed) {
      closed = true;
      events.ended();
    }
  });

  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(times.hello, () => reject(new Fault("slack_socket", "Slack's socket gave no hello in time")));
  });
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  try {
    await Promise.race([client.start(), late, aborted]);
    return { close };
  } catch (thrown) {
    close();
    signal.throwIfAborted();
    throw thrown instanceof Error ? thrown : new Fault("slack_socket", "Slack's socket was closed before its hello");
  } finally {
    cancel();
  }
}
