/** Keeps Socket Mode connected: a new connection says hello before an old one is left, and a lost one is dialled again. */
import { WebAPIPlatformError } from "@slack/web-api";
import { sleep } from "../../../src/clock.ts";
import { Fault, reasonOf } from "../../../src/errors.ts";
import { openSocket, type Socket, type SocketEvents, type SocketOptions } from "./socket.ts";

export interface SocketsOptions extends SocketOptions {
  readonly receive: SocketEvents["receive"];
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

export interface Sockets {
  /** Resolves at the first hello, or when that is only delayed. Throws when Slack does not accept the token. */
  start(signal: AbortSignal): Promise<void>;
  stop(): void;
  /** Null when connected, else why not. */
  health(): string | null;
}

/** Refusals of the token, which trying again does not change. */
const refusals: ReadonlySet<string> = new Set([
  "account_inactive",
  "invalid_auth",
  "missing_scope",
  "not_allowed_token_type",
  "not_authed",
  "team_access_not_granted",
  "token_expired",
  "token_revoked",
]);
const isRefused = (thrown: unknown): boolean => thrown instanceof WebAPIPlatformError && refusals.has(thrown.data.error);

/** Waits between dials, in ms: doubled from the first to the last, each with up to a quarter more. */
const firstWait = 500;
const lastWait = 20_000;

export function createSockets(options: SocketsOptions): Sockets {
  const { clock, log, random, times } = options;
  const serving = new Set<Socket>();
  /** Those that Slack will end: what still comes on them is taken. */
  const leaving = new Set<Socket>();
  const ended = new AbortController();
  let trouble = "not connected yet";
  let keeping: Promise<void> | undefined;

  /** Opens a connection; resolves at its hello. */
  const dial = async (): Promise<void> => {
    // Known once it serves; until then nothing comes in on it.
    const own: { socket?: Socket } = {};
    const events: SocketEvents = {
      receive: options.receive,
      goingAway: (reason) => {
        log.info({ reason }, "Slack will end a socket; another is opened first");
        if (own.socket !== undefined && serving.delete(own.socket)) leaving.add(own.socket);
        ensure();
      },
      ended: () => {
        trouble = "the socket was lost and is dialled again";
        if (own.socket === undefined) return;
        leaving.delete(own.socket);
        if (serving.delete(own.socket)) ensure();
      },
    };
    own.socket = await openSocket(options, events, ended.signal);
    serving.add(own.socket);
    for (const old of leaving) clock.after(times.overlap, () => leave(old));
  };
  const leave = (old: Socket): void => {
    if (leaving.delete(old)) old.close();
  };

  /** Dials until a connection serves. */
  const keep = async (): Promise<void> => {
    for (let wait = firstWait; serving.size === 0 && !ended.signal.aborted; wait = Math.min(wait * 2, lastWait)) {
      try {
        await dial();
      } catch (thrown) {
        if (ended.signal.aborted) return;
        trouble = `Slack's socket cannot be opened: ${reasonOf(thrown)}`;
        log.warn({ reason: reasonOf(thrown), waitMs: wait }, "a socket to Slack could not be opened; it is tried again");
        await sleep(clock, wait * (1 + random() / 4), ended.signal).catch(() => {});
      }
    }
  };
  const ensure = (): void => {
    keeping ??= keep().finally(() => {
      keeping = undefined;
      if (serving.size === 0 && !ended.signal.aborted) ensure();
    });
  };

  const stop = (): void => {
    if (ended.signal.aborted) return;
    trouble = "stopped";
    ended.abort(new Fault("slack_socket", "the sockets were stopped"));
    for (const socket of [...serving, ...leaving]) socket.close();
    serving.clear();
    leaving.clear();
  };

  return {
    async start(signal) {
      signal.addEventListener("abort", stop, { once: true });
      try {
        await dial();
      } catch (thrown) {
        if (isRefused(thrown))
          throw new Fault("slack_socket", `Slack does not accept SLACK_APP_TOKEN: ${reasonOf(thrown)}`, { cause: thrown });
        trouble = `Slack's socket cannot be opened: ${reasonOf(thrown)}`;
        log.warn({ reason: reasonOf(thrown) }, "a socket to Slack could not be opened; it is tried again");
        ensure();
      }
    },
    stop,
    health: () => (serving.size + leaving.size > 0 ? null : trouble),
  };
}
