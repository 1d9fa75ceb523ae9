/** Discord's REST, one request a call: no retries and no waiting of discord.js' own, a deadline on each, failures as `WriteFault`. */
import { REST, type RESTOptions } from "discord.js";
import type { Clock } from "../../../src/clock.ts";
import type { OutboundFile } from "../../../src/core/platform.ts";
import { Fault, WriteFault } from "../../../src/errors.ts";
import { believed } from "./believed.ts";
import { createBreaker } from "./breaker.ts";
import { writeFaultOf } from "./faults.ts";
import { createRates, type Rates } from "./rates.ts";

export interface DiscordCall {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Behind the version: `/channels/1/messages`. */
  readonly route: `/${string}`;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Sent along as `files[n]`. */
  readonly files?: readonly OutboundFile[];
  /** False: without the bot's token, for webhook routes, which carry a token of their own. */
  readonly auth?: boolean;
}

export interface DiscordRest {
  /** Discord's answer, unchecked; an empty buffer where it has none. Throws `WriteFault`. */
  call(call: DiscordCall, signal: AbortSignal): Promise<unknown>;
  readonly rates: Rates;
  /** For discord.js' client, so that its requests are counted with these. */
  readonly options: Partial<RESTOptions>;
  /** Why nothing can be sent now; null when it can. */
  health(): string | null;
  /** Takes down discord.js' own timers. */
  close(): void;
}

export interface RestOptions {
  readonly token: string;
  /** `https://discord.com/api` unless it was changed; without a version. */
  readonly apiUrl: string;
  readonly clock: Clock;
}

/** How long Discord may take to answer, and to take in files, in ms. */
const callMs = 15_000;
const uploadMs = 120_000;

/** A route without ids and tokens, for logs. */
const nameOf = ({ method, route }: DiscordCall): string =>
  `${method} ${route
    .replace(/^\/webhooks\/\d+\/[^/]+/, "/webhooks")
    .replace(/^(\/interactions\/\d+)\/[^/]+/, "$1")
    .replace(/\/\d+/g, "/:id")}`;

const isTokenRoute = (url: string): boolean => /\/webhooks\/\d+\/|\/interactions\/\d+\//.test(url);

export function createRest({ token, apiUrl, clock }: RestOptions): DiscordRest {
  const rates = createRates(clock);
  const breaker = createBreaker(clock);

  /**
   * Node's own fetch: discord.js brings a copy of undici, the project another, and the two fight over the process's dispatcher,
   * so that uploads through discord.js' copy throw or hang.
   */
  const request = async (url: string, init: object): Promise<Response> => {
    const { method = "GET" } = init as RequestInit;
    return breaker.send(method, url, !isTokenRoute(url), async () => {
      const sent = clock.now();
      const response = believed(await fetch(url, init as RequestInit));
      rates.observe(method, url, response.headers, clock.now() - sent);
      return response;
    });
  };

  const options: Partial<RESTOptions> = {
    api: apiUrl.replace(/\/+$/, ""),
    version: "10",
    makeRequest: request as unknown as RESTOptions["makeRequest"],
    retries: 0,
    rejectOnRateLimit: () => true,
    timeout: uploadMs,
  };
  const rest = new REST(options);
  /**
   * What is written with an interaction's token is not bound to the bot's 50 requests a second, which discord.js counts by itself
   * and for everything alike: in a busy second it would refuse to acknowledge. https://docs.discord.com/developers/topics/rate-limits
   */
  const byToken = new REST({ ...options, globalRequestsPerSecond: Infinity });

  /** Runs `work` with a signal that also ends at the deadline. */
  const within = async <T>(ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    if (signal.aborted) throw new WriteFault("refused", "not sent: it was no longer wanted", { cause: signal.reason });
    const late = new AbortController();
    const cancel = clock.after(ms, () => late.abort(new Fault("discord_timeout", "no answer before the deadline")));
    try {
      return await work(AbortSignal.any([signal, late.signal]));
    } finally {
      cancel();
    }
  };

  return {
    rates,
    options,
    health: () => breaker.health(),
    close() {
      for (const one of [rest, byToken]) {
        one.clearHashSweeper();
        one.clearHandlerSweeper();
      }
    },
    call: (call, signal) =>
      within(call.files === undefined ? callMs : uploadMs, signal, async (until) => {
        const { method, route, query, body, files, auth = true } = call;
        // discord.js drops the token after one 401; the breaker is what stops requests here.
        rest.setToken(token);
        try {
          const answer = await (auth ? rest : byToken).request({
            method: method as never,
            fullRoute: route,
            auth,
            signal: until,
            ...(query === undefined
              ? {}
              : {
                  query: new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])),
                }),
            ...(body === undefined ? {} : { body }),
            ...(files === undefined
              ? {}
              : {
                  files: files.map(({ name, mediaType, bytes }) => ({ name, contentType: mediaType, data: Buffer.from(bytes) })),
                }),
          });
          // Discord answers with JSON or with nothing. What else comes, as a proxy's page with 200, tells of nothing done.
          if (answer instanceof ArrayBuffer && answer.byteLength > 0)
            throw new WriteFault("unknown", `the answer to ${nameOf(call)} was not Discord's`);
          return answer;
        } catch (thrown) {
          if (thrown instanceof WriteFault) throw thrown;
          throw writeFaultOf(thrown, nameOf(call), (...request) => rates.keyOf(...request));
        }
      }),
  };
}
