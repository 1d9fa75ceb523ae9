/** Rate limits as Discord counts them: buckets per route and channel, one for all, and the ban for too many refused requests. */
import { createHash } from "node:crypto";
import { ApiError } from "./errors.ts";

export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

export interface BucketOptions {
  /** By route template with its method, such as `PATCH /channels/:channel/messages/:message`. */
  readonly rates: Readonly<Record<string, Rate>>;
  readonly otherwise: Rate;
  /** Of all requests but those of interactions. */
  readonly global: Rate;
  readonly now: () => number;
}

export interface Buckets {
  /** Counts a request; throws the 429 that it gets. @returns the headers of its answer */
  take(route: string, major: string, interaction: boolean): Record<string, string>;
}

interface Window {
  used: number;
  endsAt: number;
}

/** The name by which headers call a bucket. */
const nameOf = (route: string): string => createHash("sha256").update(route).digest("hex").slice(0, 32);
const seconds = (ms: number): string => (ms / 1000).toFixed(3);

export function createBuckets({ rates, otherwise, global, now }: BucketOptions): Buckets {
  const windows = new Map<string, Window>();
  const open = (key: string, rate: Rate): Window => {
    const at = now();
    const known = windows.get(key);
    if (known !== undefined && known.endsAt > at) return known;
    const fresh = { used: 0, endsAt: at + rate.windowMs };
    windows.set(key, fresh);
    return fresh;
  };
  return {
    take(route, major, interaction) {
      const rate = rates[route] ?? otherwise;
      const bucket = open(`${route}:${major}`, rate);
      const all = interaction ? undefined : open("global", global);
      const headers = (): Record<string, string> => {
        const left = Math.max(0, bucket.endsAt - now());
        return {
          "X-RateLimit-Limit": String(rate.count),
          "X-RateLimit-Remaining": String(Math.max(0, rate.count - bucket.used)),
          "X-RateLimit-Reset": seconds(bucket.endsAt),
          "X-RateLimit-Reset-After": seconds(left),
          "X-RateLimit-Bucket": nameOf(route),
        };
      };
      if (all !== undefined && all.used >= global.count) throw limited(all.endsAt - now(), "global", {});
      if (bucket.used >= rate.count) throw limited(bucket.endsAt - now(), "user", headers());
      if (all !== undefined) all.used++;
      bucket.used++;
      return headers();
    },
  };
}

/** What the headers say of a bucket in which nothing is left for so long. */
export const usedUp = (route: string, waitMs: number): Record<string, string> => ({
  "X-RateLimit-Limit": "5",
  "X-RateLimit-Remaining": "0",
  "X-RateLimit-Reset-After": seconds(waitMs),
  "X-RateLimit-Bucket": nameOf(route),
});

/** A 429 as Discord writes it. */
export function limited(waitMs: number, scope: "user" | "shared" | "global", headers: Record<string, string>): ApiError {
  const wait = Math.max(1, waitMs) / 1000;
  return new ApiError(
    429,
    { message: "You are being rate limited.", retry_after: wait, global: scope === "global" },
    {
      ...headers,
      "Retry-After": String(Math.ceil(wait)),
      "X-RateLimit-Scope": scope,
      ...(scope === "global" ? { "X-RateLimit-Global": "true" } : {}),
    },
  );
}
