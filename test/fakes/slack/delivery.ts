/** Brings events, commands and interactions to the app: by socket, or as signed HTTP requests with retries. */
import { createHmac } from "node:crypto";
import type { SocketMode, Try } from "./socket.ts";
import { tokens, type Json } from "./state.ts";

export type Kind = "events_api" | "slash_commands" | "interactive";

export interface Delivered {
  readonly acknowledged: boolean;
  /** What the app answered with, as far as it was JSON or text. */
  readonly answer: Json;
  /** HTTP status of the last try; 0 by socket, or without an answer. */
  readonly status: number;
  readonly ms: number;
  /** Each sending by socket. */
  readonly tries: readonly Try[];
  /** Delivers the very same once more, as a retry. */
  again(): Promise<Delivered>;
}

export interface Delivery {
  readonly deliver: (kind: Kind, payload: Json, retry?: number) => Promise<Delivered>;
}

export interface DeliveryOptions {
  readonly transport: "socket" | "http";
  readonly socket: SocketMode;
  /** Where the app listens; http only. */
  readonly requestUrl: () => string;
  /** How long a request waits for its answer, in ms. */
  readonly ackMs: () => number;
  readonly now: () => number;
  /** Tries of an event that is not acknowledged. */
  readonly tries: number;
}

/** The signature of a request's raw body, as Slack makes it. */
export const signatureOf = (body: string, timestamp: string, secret: string = tokens.signing): string =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;

const bodyOf = (kind: Kind, payload: Json): { body: string; type: string } => {
  if (kind === "events_api") return { body: JSON.stringify(payload), type: "application/json" };
  const form = kind === "interactive" ? { payload: JSON.stringify(payload) } : (payload as Record<string, string>);
  return { body: new URLSearchParams(form).toString(), type: "application/x-www-form-urlencoded" };
};

const jsonOf = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text === "" ? {} : { text };
  }
};

export function createDelivery({ transport, socket, requestUrl, ackMs, now, tries }: DeliveryOptions): Delivery {
  const post = async (kind: Kind, payload: Json, retry: number): Promise<{ status: number; answer: Json }> => {
    const { body, type } = bodyOf(kind, payload);
    const timestamp = String(Math.floor(now() / 1000));
    try {
      const response = await fetch(requestUrl(), {
        method: "POST",
        body,
        headers: {
          "content-type": type,
          "x-slack-request-timestamp": timestamp,
          "x-slack-signature": signatureOf(body, timestamp),
          ...(retry === 0 ? {} : { "x-slack-retry-num": String(retry), "x-slack-retry-reason": "http_error" }),
        },
        signal: AbortSignal.timeout(ackMs()),
      });
      return { status: response.status, answer: jsonOf(await response.text()) };
    } catch {
      return { status: 0, answer: {} };
    }
  };

  const deliver = async (kind: Kind, payload: Json, retry = 0): Promise<Delivered> => {
    const began = performance.now();
    // Commands and interactions are tried once: the person sees that they failed.
    const times = kind === "events_api" ? tries : 1;
    const done = (acknowledged: boolean, answer: Json, status: number, sent: readonly Try[] = []): Delivered => ({
      acknowledged,
      answer,
      status,
      tries: sent,
      ms: performance.now() - began,
      again: () => deliver(kind, payload, retry + times),
    });
    if (transport === "socket") {
      const { ack, tries: sent } = await socket.deliver(kind, payload, { times, retry });
      return done(ack !== undefined, ack?.payload ?? {}, 0, sent);
    }
    let last = { status: 0, answer: {} as Json };
    for (let attempt = 0; attempt < times; attempt++) {
      last = await post(kind, payload, retry + attempt);
      if (last.status >= 200 && last.status < 300) return done(true, last.answer, last.status);
    }
    return done(false, last.answer, last.status);
  };
  return { deliver };
}
