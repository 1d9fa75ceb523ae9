/**
 * A strict Slack on 127.0.0.1: Web API, Socket Mode, signed HTTP events, files, and a record of everything that was done.
 * It keeps to Slack's documented limits and errors, and fails on order.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createDelivery, type Delivery } from "./delivery.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createPeople, type Person } from "./people.ts";
import { createRates } from "./rates.ts";
import { createSocketMode, type SocketMode } from "./socket.ts";
import { createState, tokens, type FakeMessage, type Json, type State } from "./state.ts";
import { createWebApi, type Call, type Commit } from "./web-api.ts";

export interface FakeSlackOptions {
  /** How events reach the app. */
  readonly transport?: "socket" | "http";
  /** Where the app listens; http only, and may be set later. */
  readonly requestUrl?: string;
  /** Milliseconds since 1970; the real time without it. */
  readonly now?: () => number;
  /** True: documented rate limits hold, and calls beyond them get a 429. */
  readonly rates?: boolean;
  /** So many times as fast as documented. */
  readonly rateSpeed?: number;
  /** How long a native stream lives, in ms. */
  readonly streamMs?: number;
  /** `ackMs` at the beginning. */
  readonly ackMs?: number;
  /** Tries of an event that is not acknowledged, in all. */
  readonly tries?: number;
  /** By socket: how long Slack waits before the second of them, the third and so on, in ms; not at all without it. */
  readonly tryWaits?: readonly number[];
}

export interface FakeSlack {
  /** For `SLACK_API_URL`: ends in `/api/`. */
  readonly apiUrl: string;
  readonly origin: string;
  readonly tokens: typeof tokens;
  readonly state: State;
  readonly socket: SocketMode;
  readonly faults: Faults;
  /** Every call, also refused ones, in order. */
  readonly calls: readonly Call[];
  /** What was done, in order: the oracle. */
  readonly commits: readonly Commit[];
  readonly delivery: Delivery;
  requestUrl: string;
  /**
   * How long an event waits for its acknowledgement, and a gesture for its modal, in ms. Slack gives them 3 s; here it is longer, as
   * a busy machine is slow and nothing else. A test makes it short where nobody is going to acknowledge.
   */
  ackMs: number;
  person(id: string): Person;
  /** Delivers any event. */
  tell(event: Json): ReturnType<Delivery["deliver"]>;
  /** Messages of the channel and thread that Parley posted, oldest first. */
  answers(channel: string, thread?: string | null): readonly FakeMessage[];
  /** Holds every call of a method, or the next `calls` of them, until the returned function is called. */
  hold(method: string, calls?: number): () => void;
  close(): Promise<void>;
}

export async function openFakeSlack(options: FakeSlackOptions = {}): Promise<FakeSlack> {
  const now = options.now ?? Date.now;
  const state = createState(now);
  const faults = createFaults();
  const calls: Call[] = [];
  const commits: Commit[] = [];
  const held = new Map<string, { readonly over: Promise<void>; calls: number }>();
  const slack = { requestUrl: options.requestUrl ?? "", ackMs: options.ackMs ?? 15_000 };
  const socket = createSocketMode({
    now,
    ackMs: () => slack.ackMs,
    waits: options.tryWaits ?? [],
    connectionMs: 3_600_000,
    nextId: () => state.nextId("envelope-"),
  });
  let tickets = 0;
  const delivery = createDelivery({
    transport: options.transport ?? "socket",
    socket,
    requestUrl: () => slack.requestUrl,
    ackMs: () => slack.ackMs,
    now,
    tries: options.tries ?? 1,
  });
  const people = createPeople(state, delivery, () => `${state.origin}/response/${state.nextId("r")}`);
  const listens = (): boolean => (options.transport === "http" ? slack.requestUrl !== "" : socket.connections > 0);
  const webApi = createWebApi({
    world: {
      state,
      streamMs: options.streamMs ?? 300_000,
      ackMs: () => slack.ackMs,
      announce: (event) => {
        if (listens()) people.announce(event);
      },
      ticket: (host) => `ws://${host}/link/?ticket=${++tickets}`,
    },
    faults,
    rates: options.rates === true ? createRates(now, options.rateSpeed) : null,
    calls,
    commits,
    delay(method) {
      const hold = held.get(method);
      return hold === undefined || --hold.calls < 0 ? Promise.resolve() : hold.over;
    },
  });

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://slack.invalid").pathname;
    const serve = async (): Promise<void> => {
      if (path.startsWith("/api/")) return webApi(request, response, path.slice(5));
      if (path.startsWith("/upload/v1/")) return upload(request, response, path.slice(11));
      if (path.startsWith("/files-pri/")) return download(request, response, path);
      if (path.startsWith("/response/")) return respond(request, response, path);
      response.writeHead(404).end();
    };
    serve().catch(() => request.socket.destroy());
  });
  server.on("upgrade", (request, connection, head) => socket.upgrade(request, connection, head));

  const read = async (request: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  const upload = async (request: IncomingMessage, response: ServerResponse, id: string): Promise<void> => {
    const bytes = await read(request);
    const file = state.files.get(id);
    if (file === undefined || file.complete) return void response.writeHead(404).end();
    file.bytes = bytes;
    response.writeHead(200).end(`OK - ${bytes.byteLength}`);
  };
  const download = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const fault = faults.take("files-pri");
    if (fault !== undefined) {
      if (fault.how === "reset") return void request.socket.destroy();
      if (fault.how === "silence") return;
      return void response.writeHead(fault.how.status, fault.how.headers).end(fault.how.body);
    }
    const id = /T\w+-(F\w+)\//.exec(path)?.[1] ?? "";
    const file = state.files.get(id);
    // Without a token of the right scope Slack shows its sign-in page, with 200.
    if (request.headers.authorization !== `Bearer ${tokens.bot}`)
      return void response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end("<!DOCTYPE html><html><body>Sign in to Slack</body></html>");
    if (file?.bytes === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": file.mimetype, "content-length": String(file.bytes.byteLength) }).end(file.bytes);
  };
  const respond = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const body = JSON.parse((await read(request)).toString()) as Json;
    state.responses.push({ url: path, body });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ok: true }));
  };

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = (state.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return Object.assign(slack, {
    apiUrl: `${origin}/api/`,
    origin,
    tokens,
    state,
    socket,
    faults,
    calls,
    commits,
    delivery,
    person: people.person,
    tell: people.tell,
    answers: (channel: string, thread: string | null = null) =>
      state.messages.filter(
        (message) =>
          message.channel === channel &&
          message.user === "U0PARLEY" &&
          (thread === null || (message.thread_ts ?? null) === thread),
      ),
    hold(method: string, calls = Infinity) {
      const { promise: over, resolve: release } = Promise.withResolvers<void>();
      held.set(method, { over, calls });
      return () => {
        held.delete(method);
        release();
      };
    },
    async close() {
      socket.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
