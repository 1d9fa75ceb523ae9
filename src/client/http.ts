/** One request to the workspace: key, deadline, size bound and faults are decided here and nowhere else. */
import { Readable } from "node:stream";
import { request, type Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import { routeOf, type Method, type ServedRoute } from "../contract/routes.ts";
import { WorkspaceFault } from "../errors.ts";
import type { Breaker } from "./breaker.ts";
import { startDeadline } from "./deadline.ts";
import { faultOf, faultText, malformed, parseJson, transportFault } from "./faults.ts";
import { readAgain, readTries } from "./reads.ts";
import { watch } from "./watched.ts";

/** All in ms. */
export interface Timeouts {
  /** Until there is a connection. */
  readonly connectMs: number;
  /** Until an ordinary call is answered in full. */
  readonly answerMs: number;
  /** Until a call is answered that waits for a model's whole work. */
  readonly workMs: number;
  /** Without a byte moving, for uploads and downloads. */
  readonly silenceMs: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A number is an ID; other text is a slug. */
export type Identifier = number | string;

interface Details extends CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is read, in place of `body`. */
  readonly stream?: { readonly contentType: string; readonly content: AsyncIterable<Uint8Array> };
  readonly headers?: Readonly<Record<string, string>>;
  /** True: the answer comes only when a model's work is done. */
  readonly patient?: boolean;
  /** One of so many tries, which share the time that there is. */
  readonly share?: number;
}

interface Call extends Details {
  readonly params?: Readonly<Record<string, Identifier>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** What is known of an answer before its body is read. */
export interface Head {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly correlationId: string | undefined;
}

export interface Answer extends Head {
  /** Undefined when the answer has no body, which is no error. */
  readonly body: unknown;
}

export interface Http {
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  /** The headers that say who asks. */
  readonly authorization: Readonly<Record<string, string>>;
  call(route: ServedRoute, call?: Call): Promise<Answer>;
  /**
   * One request to any address of the workspace, within the deadline that fits `details`.
   * @param read takes the body of a success, within the same deadline
   */
  send<T>(
    method: Method,
    url: URL,
    details: Details,
    read: (body: AsyncIterable<Uint8Array>, head: Head) => Promise<T>,
  ): Promise<T>;
  /** Asks in another way than by `send`, while the workspace may be asked: throws like it otherwise. */
  beside<T>(ask: () => Promise<T>): Promise<T>;
  /** The absolute address of a route. */
  address(route: ServedRoute, call?: Pick<Call, "params" | "query">): URL;
  /** The base address, ending with a slash. */
  readonly base: URL;
}

// The largest answer is a page of messages; an answer beyond this is an accident or an attack.
const largestAnswer = 64 * 1024 * 1024;

/** @param base REST root, with or without a slash at its end */
export function createHttp(options: {
  base: string;
  apiKey: string;
  dispatcher: Dispatcher;
  clock: Clock;
  timeouts: Timeouts;
  breaker?: Breaker;
}): Http {
  const { apiKey, clock, dispatcher, timeouts, breaker } = options;
  const base = new URL(options.base.endsWith("/") ? options.base : `${options.base}/`);
  const authorization = { authorization: `Bearer ${apiKey}` };

  const address: Http["address"] = (route, { params = {}, query = {} } = {}) => {
    const path = routeOf(route).path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const url = new URL(path.slice(1), base);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    return url;
  };

  const send: Http["send"] = (...asked) => (breaker === undefined ? ask(...asked) : breaker.through(apiKey, () => ask(...asked)));
  const ask: Http["send"] = async (method, url, details, read) => {
    const { stream, body, signal } = details;
    signal?.throwIfAborted();
    const whole = stream !== undefined ? timeouts.silenceMs : details.patient === true ? timeouts.workMs : timeouts.answerMs;
    const limit = whole / (details.share ?? 1);
    const deadline = startDeadline(clock, limit, signal);
    const source = stream === undefined ? undefined : watch(stream.content, () => deadline.extend());
    let seen: Head | undefined;
    try {
      const response = await request(url, {
        method,
        dispatcher,
        signal: deadline.signal,
        headers: {
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(stream !== undefined && { "content-type": stream.contentType }),
          ...details.headers,
          ...authorization,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(source !== undefined && { body: Readable.from(source.content) }),
      });
      const header = (name: string): string | undefined => [response.headers[name]].flat()[0];
      const head: Head = { status: response.statusCode, header, correlationId: header("x-correlation-id") };
      seen = head;
      if (head.status >= 200 && head.status < 300) return await read(response.body, head);
      throw faultOf(head.status, await readText(response.body, head), header, clock.now());
    } catch (thrown) {
      if (source?.failure !== undefined) throw source.failure.reason;
      if (signal?.aborted === true) throw signal.reason;
      if (deadline.passed) {
        throw new WorkspaceFault("lost", `${faultText("lost")} (within ${limit} ms)`, {
          ...(seen && { status: seen.status, correlationId: seen.correlationId }),
          cause: thrown,
        });
      }
      throw transportFault(thrown, seen?.correlationId, seen?.status);
    } finally {
      deadline.clear();
    }
  };

  const once: Http["call"] = (route, details = {}) =>
    send(routeOf(route).method, address(route, details), details, async (body, head) => {
      const text = await readText(body, head);
      const value = parseJson(text);
      if (value === undefined && text.trim() !== "")
        throw malformed("expected JSON, got something else", head.status, head.correlationId);
      return { ...head, body: value };
    });

  const call: Http["call"] = (route, details = {}) =>
    routeOf(route).method === "GET" && details.patient !== true
      ? readAgain(() => once(route, { ...details, share: readTries }), { clock, random: Math.random, signal: details.signal })
      : once(route, details);

  const beside: Http["beside"] = (ask) => (breaker === undefined ? ask() : breaker.beside(apiKey, ask));

  return { timeouts, clock, dispatcher, authorization, base, address, call, send, beside };
}

/** The body as it comes; throws a fault `malformed` once it is longer than any answer. */
export async function* bounded(body: AsyncIterable<Uint8Array>, head: Head): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestAnswer)
      throw malformed(`expected at most ${largestAnswer} bytes, got more`, head.status, head.correlationId);
    yield chunk;
  }
}

/** The whole body as text. */
export async function readText(body: AsyncIterable<Uint8Array>, head: Head): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(body, head)) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}
