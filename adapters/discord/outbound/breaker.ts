/** Stops requests long before Discord would ban the address for too many that it had to refuse: 10,000 in ten minutes. */
import type { Clock } from "../../../src/clock.ts";

/** https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans */
const windowMs = 600_000;
/** Far more than people cause, far less than the ban. */
const mostInvalid = 300;
/** How long nothing is sent once Discord has refused the bot's token, in ms. */
const tokenRefusedMs = 60_000;

export interface Breaker {
  /** Why no request may be sent now; null when it may. */
  open(): string | null;
  /** Counts an answer. */
  count(status: number, headers: Headers, auth: boolean): void;
}

export function createBreaker(clock: Clock): Breaker {
  let refused: number[] = [];
  let tokenRefusedAt = -Infinity;
  return {
    open() {
      const now = clock.now();
      if (now - tokenRefusedAt < tokenRefusedMs) return "Discord does not accept the bot's token: check DISCORD_BOT_TOKEN";
      if (refused.length < mostInvalid) return null;
      refused = refused.filter((at) => now - at < windowMs);
      return refused.length < mostInvalid ? null : "Discord has refused too many requests: nothing is sent for some minutes";
    },
    count(status, headers, auth) {
      // A limit shared with other bots is not counted against this one.
      if (status === 429 && headers.get("x-ratelimit-scope") === "shared") return;
      if (status !== 401 && status !== 403 && status !== 429) return;
      refused.push(clock.now());
      if (status === 401 && auth) tokenRefusedAt = clock.now();
    },
  };
}
