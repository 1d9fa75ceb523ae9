/** One request to the workspace: key, deadline, size bound and faults are decided here and nowhere else. */
import { Readable } from "node:stream";
import { Agent, buildConnector, request, type Dispatcher } from "undici";
import type { Clock } from "../clock.ts";
import { routeOf, type ServedRoute } from "../contract/routes.ts";
import { startDeadline } from "./deadline.ts";
import { ConnectFailure, faultOf, faultText, malformed, parseJson, transportFault } from "./faults.ts";
import { WorkspaceFault } from "../errors.ts";

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

interface Call extends CallOptions {
  readonly params?: Readonly<Record<string, Identifier>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is read, in place of `body`. */
  readonly stream?: { readonly contentType: string; readonly content: AsyncIterable<Uint8Array> };
  readonly headers?: Readonly<Record<string, string>>;
  /** True: the answer comes only when a model's work is done. */
  readonly patient?: boolean;
}

export interface Answer {
  /** Undefined when the answer has no body, which is no error. */
  readonly body: unknown;
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly correlationId: string | undefined;
}

export interface Http {
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  /** The headers that say who asks. */
  readonly authorization: Readonly<Record<string, string>>;
  call(route: ServedRoute, call?: Call): Promise<Answer>;
  /** The absolute address of a route. */
  address(route: ServedRoute, call?: Pick<Call, "params" | "query">): URL;
  /** The base address, ending with a slash. */
  readonly base: URL;
}

// The largest answer is a page of messages; an answer beyond this is an accident or an attack.
const largestAnswer = 64 * 1024 * 1024;

/** An Agent of our own, whose connection failures can be told from lost answers. */
export function createAgent(connectMs: number): Agent {
  const connect = buildConnector({ timeout: connectMs, allowH2: false });
  return new Agent({
    allowH2: false,
    // Deadlines are ours, by the injected clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) =>
        error === null ? callback(null, socket) : callback(new ConnectFailure(error), null),
      ),
  });
}

/** @param base REST root, with or without a slash at its end */
export function createHttp(options: {
  base: string;
  apiKey: string;
  dispatcher: Dispatcher;
  clock: Clock;
  timeouts: Timeouts;
}): Http {
  const { clock, dispatcher, timeouts } = options;
  const base = new URL(options.base.endsWith("/") ? options.base : `${options.base}/`);
  const authorization = { authorization: `Bearer ${options.apiKey}` };

  const address: Http["address"] = (route, { params = {}, query = {} } = {}) => {
    const path = routeOf(route).path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const url = new URL(path.slice(1), base);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    return url;
  };

  const call: Http["call"] = async (route, details = {}) => {
    const { stream, body, signal } = details;
    signal?.throwIfAborted();
    const limit = stream !== undefined ? timeouts.silenceMs : details.patient === true ? timeouts.workMs : timeouts.answerMs;
    const deadline = startDeadline(clock, limit, signal);
    const source = stream === undefined ? undefined : watch(stream.content, () => deadline.extend());
    let seen: { status: number; correlationId: string | undefined } | undefined;
    try {
      const response = await request(address(route, details), {
        method: routeOf(route).method,
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
      const correlationId = header("x-correlation-id");
      const status = response.statusCode;
      seen = { status, correlationId };
      const text = await readText(response.body, seen);
      if (status < 200 || status >= 300) throw faultOf(status, text, correlationId);
      const value = parseJson(text);
      if (value === undefined && text.trim() !== "") throw malformed("expected JSON, got something else", status, correlationId);
      return { body: value, status, header, correlationId };
    } catch (thrown) {
      if (source?.failure !== undefined) throw source.failure.reason;
      if (signal?.aborted === true) throw signal.reason;
      if (deadline.passed)
        throw new WorkspaceFault("lost", `${faultText("lost")} (within ${limit} ms)`, { ...seen, cause: thrown });
      throw transportFault(thrown, seen?.correlationId, seen?.status);
    } finally {
      deadline.clear();
    }
  };

  return { timeouts, clock, dispatcher, authorization, base, address, call };
}

async function readText(
  body: AsyncIterable<Uint8Array>,
  seen: { status: number; correlationId: string | undefined },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestAnswer)
      throw malformed(`expected at most ${largestAnswer} bytes, got more`, seen.status, seen.correlationId);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

interface Watched {
  readonly content: AsyncIterable<Uint8Array>;
  /** What the source itself threw: that is no fault of the workspace. */
  readonly failure: { readonly reason: unknown } | undefined;
}

function watch(source: AsyncIterable<Uint8Array>, moved: () => void): Watched {
  let failure: Watched["failure"];
  async function* content(): AsyncGenerator<Uint8Array> {
    const chunks = source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await chunks.next().catch((reason: unknown) => {
          failure = { reason };
          throw reason;
        });
        if (next.done === true) return;
        moved();
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  return {
    content: content(),
    get failure() {
      return failure;
    },
  };
}
