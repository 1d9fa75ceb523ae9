/** Slack's Web API, one request a call: no retries and no queue of the SDK's, a deadline on each, and failures as `WriteFault`. */
import { WebClient, type WebAPICallResult } from "@slack/web-api";
import type { Clock } from "../../../src/clock.ts";
import { Fault, WriteFault } from "../../../src/errors.ts";
import { silentLogger } from "../silent-logger.ts";
import { writeFaultOf } from "./faults.ts";

/** What Slack answered: `ok`, and the method's own fields, unchecked. */
export type SlackAnswer = WebAPICallResult & Readonly<Record<string, unknown>>;

export interface SlackWeb {
  /**
   * Calls a method. Throws `WriteFault`.
   * @param budgetKey the budget that a 429 closes
   */
  call(method: string, options: Readonly<Record<string, unknown>>, signal: AbortSignal, budgetKey?: string): Promise<SlackAnswer>;
  /** Calls a method that has only so many ms, and that nobody calls off. Throws `WriteFault`. */
  callWithin(ms: number, method: string, options: Readonly<Record<string, unknown>>): Promise<SlackAnswer>;
  /** Puts a file's bytes where `files.getUploadURLExternal` said. The token is not sent. Throws `WriteFault`. */
  upload(url: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
}

export interface WebOptions {
  /** A bot token; an app token for Socket Mode's own calls. */
  readonly token: string;
  /** `https://slack.com/api/` unless it was changed. */
  readonly apiUrl: string;
  readonly clock: Clock;
}

/** How long Slack may take to answer a call, and to take in a file, in ms. */
const callMs = 15_000;
const uploadMs = 120_000;

export function createWeb({ token, apiUrl, clock }: WebOptions): SlackWeb {
  /** Runs `work` with a signal that also ends at the deadline. */
  const within = async <T>(ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    if (signal.aborted) throw new WriteFault("refused", "not sent: it was no longer wanted", { cause: signal.reason });
    const late = new AbortController();
    const cancel = clock.after(ms, () => late.abort(new Fault("slack_timeout", "no answer before the deadline")));
    try {
      return await work(AbortSignal.any([signal, late.signal]));
    } finally {
      cancel();
    }
  };

  const request = async (
    method: string,
    options: Readonly<Record<string, unknown>>,
    until: AbortSignal,
    budgetKey?: string,
  ): Promise<SlackAnswer> => {
    let status = 0;
    // A client is a small object; one for each call carries that call's signal into its request.
    const client = new WebClient(token, {
      slackApiUrl: apiUrl,
      allowAbsoluteUrls: false,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: silentLogger,
      fetch: async (url, init) => {
        const response = await fetch(url, { ...init, signal: until });
        status = response.status;
        return response;
      },
    });
    try {
      return (await client.apiCall(method, { ...options })) as SlackAnswer;
    } catch (thrown) {
      throw writeFaultOf(thrown, method, budgetKey, status);
    }
  };

  return {
    call: (method, options, signal, budgetKey) => within(callMs, signal, (until) => request(method, options, until, budgetKey)),

    callWithin: (ms, method, options) => within(ms, new AbortController().signal, (until) => request(method, options, until)),

    upload: (url, bytes, signal) =>
      within(uploadMs, signal, async (until) => {
        let response: Response;
        try {
          response = await fetch(url, {
            method: "POST",
            body: bytes as Uint8Array<ArrayBuffer>,
            redirect: "error",
            signal: until,
          });
          await response.arrayBuffer();
        } catch (thrown) {
          throw writeFaultOf(thrown, "the upload of a file", undefined, 0);
        }
        if (!response.ok) throw new WriteFault("refused", `Slack refused a file's bytes with HTTP status ${response.status}`);
      }),
  };
}
