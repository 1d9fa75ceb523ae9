/** How long a reply goes on trying against a platform that takes no writes. */

const firstDelayMs = 500;
const longestDelayMs = 30_000;

/** After this long without one accepted write a reply is given up, in ms. */
const giveUpAfterMs = 900_000;

export interface Patience {
  /** A write failed. @returns how long to wait before the next, in ms; null: long enough tried */
  failed(now: number): number | null;
  succeeded(): void;
}

/** Doubling delays, each spread over half to one and a half of itself so that replies do not return in step. */
export function createPatience(random: () => number): Patience {
  let failures = 0;
  let since = 0;
  return {
    failed(now) {
      if (failures === 0) since = now;
      const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** failures) * (0.5 + random());
      failures++;
      return now - since > giveUpAfterMs ? null : delay;
    },
    succeeded() {
      failures = 0;
    },
  };
}
