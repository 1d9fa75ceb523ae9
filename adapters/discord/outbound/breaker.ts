/**
 * Stops requests long before Discord bans the address for too many that it had to refuse, which it does at 10,000 in ten minutes.
 * https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
import type { Clock } from "../../../src/clock.ts";
import { WriteFault } from "../../../src/errors.ts";
import { routeOf } from "./route.ts";

const windowMs = 600_000;
/** Refused requests in that time, after which only what Discord took at its last try is still sent. */
const mostRefused = 100;
/** Refusals of one route in a row, after which it is tried once in a while. */
const mostInARow = 5;
const probeMs = 60_000;
/** How long nothing is sent once Discord has refused the bot's token, in ms. */
const tokenRefusedMs = 60_000;

const tokenRefused = "Discord does not accept the bot's token: check DISCORD_BOT_TOKEN";
const tooMany = "Discord has refused too many requests: for some minutes only what it took at its last try is sent";

/** Of a channel's, server's or webhook's route, in the last ten minutes. */
interface Tried {
  /** Refusals since it was last taken. */
  refused: number;
  status: number;
  at: number;
}

export interface Breaker {
  /** Why not everything may be sent now; null when it may. */
  health(): string | null;
  /**
   * Sends a request, and counts its answer. Throws a `WriteFault` where none may be sent: `gone` for a route that Discord has
   * forbidden again and again, otherwise `refused`.
   * @param auth whether it is sent with the bot's token
   */
  send(method: string, url: string, auth: boolean, request: () => Promise<Response>): Promise<Response>;
}

/** A limit shared with other bots is not counted against this one. */
const isRefused = ({ status, headers }: Response): boolean =>
  status === 401 || status === 403 || (status === 429 && headers.get("x-ratelimit-scope") !== "shared");

export function createBreaker(clock: Clock): Breaker {
  let refusals: number[] = [];
  let tokenRefusedAt = -Infinity;
  /** By route, the one that was tried last at the end. */
  const routes = new Map<string, Tried>();
  /** On their way, on routes that Discord did not take at the last try: each may be refused. */
  let doubtful = 0;

  const recent = (): number => {
    const now = clock.now();
    if (refusals.length >= mostRefused) refusals = refusals.filter((at) => now - at < windowMs);
    return refusals.length;
  };
  const note = (route: string, tried: Tried): void => {
    routes.delete(route);
    routes.set(route, tried);
    for (const [old, { at }] of routes) {
      if (tried.at - at < windowMs) break;
      routes.delete(old);
    }
  };
  const triedOf = (route: string): Tried | undefined => {
    const tried = routes.get(route);
    return tried === undefined || clock.now() - tried.at >= windowMs ? undefined : tried;
  };

  const admit = (name: string, tried: Tried | undefined): void => {
    const now = clock.now();
    if (now - tokenRefusedAt < tokenRefusedMs) throw new WriteFault("refused", tokenRefused);
    if (tried?.refused === 0) return;
    if (recent() + doubtful >= mostRefused) throw new WriteFault("refused", tooMany);
    if (tried === undefined || tried.refused < mostInARow) return;
    if (now - tried.at < probeMs)
      throw new WriteFault(
        tried.status === 403 ? "gone" : "refused",
        `Discord has refused ${name} ${tried.refused} times in a row with HTTP status ${tried.status}: it is tried once a minute`,
      );
    // This one is the try.
    tried.at = now;
  };

  return {
    health() {
      if (clock.now() - tokenRefusedAt < tokenRefusedMs) return tokenRefused;
      return recent() >= mostRefused ? tooMany : null;
    },
    async send(method, url, auth, request) {
      const { route: name, major } = routeOf(method, url);
      const route = `${name} ${major}`;
      const before = triedOf(route);
      admit(name, before);
      const inDoubt = before?.refused === 0 ? 0 : 1;
      doubtful += inDoubt;
      try {
        const response = await request();
        const at = clock.now();
        const refused = isRefused(response);
        if (refused) refusals.push(at);
        if (refused && response.status === 401 && auth) tokenRefusedAt = at;
        note(route, { refused: refused ? (triedOf(route)?.refused ?? 0) + 1 : 0, status: response.status, at });
        return response;
      } finally {
        doubtful -= inDoubt;
      }
    },
  };
}
