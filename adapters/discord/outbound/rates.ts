/** Discord's rates, learned from the headers of its answers: for each bucket and channel. https://docs.discord.com/developers/topics/rate-limits */
import type { Clock } from "../../../src/clock.ts";
import type { Place } from "../../../src/core/place.ts";
import type { Budget, WriteMethod } from "../../../src/core/platform.ts";
import { routeOf } from "./route.ts";

/** Until Discord has told more. */
const cautious = { count: 1, windowMs: 1_000 };
/** Of 50 a second in all; the rest is for what is not paced. */
const overall: Budget = { key: "discord", count: 45, windowMs: 1_000, burst: 45 };
/** What is left of a window is counted from the answer on, and a little longer than discord.js does, in ms. */
const lateMs = 55;
/** How much the newest round trip counts among those before it. */
const newest = 0.2;
/** Buckets that no answer has named for so long are forgotten, in ms. */
const keptMs = 600_000;
const leastSweep = 512;

interface Bucket extends Budget {
  count: number;
  windowMs: number;
  burst: number;
  closedUntil: number;
  usedAt: number;
}

interface Rate {
  count: number;
  windowMs: number;
}

export interface Rates {
  /** The budgets of a write, the tightest first. Their figures change as Discord tells them. */
  budgets(method: WriteMethod, place: Place): readonly Budget[];
  /**
   * Takes in the headers of an answer.
   * @param tookMs from the request to the answer
   */
  observe(method: string, url: string, headers: Headers, tookMs: number): void;
  /** The budget that a refused request has used up. */
  keyOf(method: string, url: string, global: boolean): string;
}

/** A thread is a channel of its own. */
export const channelOf = ({ channel, thread }: Place): string => thread ?? channel;

const routes: Readonly<Record<WriteMethod, string>> = {
  post: "POST /channels/:id/messages",
  edit: "PATCH /channels/:id/messages/:id",
};

export function createRates(clock: Clock): Rates {
  /** Which bucket a route is in, and what a bucket allows. */
  const hashes = new Map<string, string>();
  const learned = new Map<string, Rate>();
  const buckets = new Map<string, Bucket>();
  let sweepAt = leastSweep;
  let roundTripMs = 0;

  const sweep = (): void => {
    const old = clock.now() - keptMs;
    for (const [name, { usedAt, closedUntil }] of buckets) if (Math.max(usedAt, closedUntil) < old) buckets.delete(name);
    sweepAt = Math.max(leastSweep, 2 * buckets.size);
  };

  const put = (bucket: Bucket, hash: string | undefined, route: string): void => {
    const { count, windowMs } = (hash === undefined ? undefined : learned.get(hash)) ?? cautious;
    bucket.count = count;
    // Seen from here a window is longer by the way to Discord and back: what is evenly spaced over that never waits at its end.
    bucket.windowMs = Math.ceil(windowMs + roundTripMs + lateMs);
    // Posts begin replies, so that a whole window is used at once; edits are spread over it, so that text flows.
    bucket.burst = route === routes.post ? count : 1;
  };

  const bucketOf = (route: string, major: string): Bucket => {
    const hash = hashes.get(route);
    const name = `${hash ?? route}:${major}`;
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      if (buckets.size >= sweepAt) sweep();
      // What was used before the bucket had its name still counts.
      const unnamed = `${route}:${major}`;
      bucket = buckets.get(unnamed) ?? { key: `discord:${unnamed}`, ...cautious, burst: 1, closedUntil: 0, usedAt: 0 };
      buckets.delete(unnamed);
      buckets.set(name, bucket);
    }
    put(bucket, hash, route);
    bucket.usedAt = clock.now();
    return bucket;
  };

  return {
    budgets: (method, place) => [bucketOf(routes[method], channelOf(place)), overall],

    observe(method, url, headers, tookMs) {
      roundTripMs = roundTripMs === 0 ? tookMs : roundTripMs + newest * (tookMs - roundTripMs);
      const [count, remaining, resetAfter] = ["limit", "remaining", "reset-after"].map((name) =>
        Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
      ) as [number, number, number];
      const hash = headers.get("x-ratelimit-bucket");
      if (hash === null || !(count >= 1) || !(remaining >= 0) || !(resetAfter >= 0)) return;
      const { route, major } = routeOf(method, url);
      const bucket = bucketOf(route, major);
      hashes.set(route, hash);
      const before = learned.get(hash);
      const windowMs = Math.ceil(resetAfter * 1_000);
      // The first answer of a window has the whole of it to go; others have less.
      const whole = remaining >= count - 1 || before === undefined || before.count !== count;
      if (windowMs > 0) learned.set(hash, { count, windowMs: whole ? windowMs : Math.max(before.windowMs, windowMs) });
      put(bucketOf(route, major), hash, route);
      if (remaining < 1) bucket.closedUntil = clock.now() + windowMs + lateMs;
    },

    keyOf(method, url, global) {
      if (global) return overall.key;
      const { route, major } = routeOf(method, url);
      return bucketOf(route, major).key;
    },
  };
}
