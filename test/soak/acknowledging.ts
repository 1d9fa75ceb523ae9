/** Why an event was acknowledged late, or not at all: what was being harmed at that moment, on its way and no other. */
import { overlaps, type Span } from "./spans.ts";
import type { Try } from "./stage.ts";

/**
 * - `replica`: that which it was sent to was killed or frozen, or there was none to send it to for that;
 * - `connection`: the fault proxy had broken or silenced it, or there was none for that;
 * - `store`: the database was down, frozen or cut off;
 * - `none`: no harm was in force. Parley has no excuse.
 */
export const causes = ["none", "replica", "connection", "store"] as const;
export type Cause = (typeof causes)[number];

/** What was done to one replica, by the address that it dials Slack at. */
export interface ReplicaHarm {
  readonly host: string;
  readonly away: readonly Span[];
  readonly spoiledLive: readonly { readonly port: number; readonly at: number }[];
}

/** By then the store has answered, or Parley has given it up: what is harmed later explains nothing. In ms. */
export const takingMs = 1_000;
/** Parley finds out that a connection is gone, and has another, within this, in ms (`socketTimes`). */
const dialledMs = 15_000;

/** The cause is what was in force, also for a try that went well in spite of it: no try is chosen by how it went. */
export function causeOf({ at, to, ackMs }: Try, replicas: readonly ReplicaHarm[], store: readonly Span[]): Cause {
  const until = at + Math.min(ackMs ?? Infinity, takingMs);
  if (to === null) {
    const gone = replicas.filter(({ away }) => overlaps(away, at - dialledMs, at));
    const deaf = replicas.filter(({ spoiledLive }) => spoiledLive.some((one) => one.at <= at && one.at > at - dialledMs));
    if (replicas.every((one) => gone.includes(one) || deaf.includes(one))) return gone.length > 0 ? "replica" : "connection";
  } else {
    const replica = replicas.find(({ host }) => host === to.host);
    if (replica !== undefined && overlaps(replica.away, at, until)) return "replica";
    if (replica?.spoiledLive.some((one) => one.port === to.port && one.at <= until)) return "connection";
  }
  return overlaps(store, at, until) ? "store" : "none";
}

/** What was last harmed before a try, and how long before: for whoever looks for the cause of one that has no excuse. */
export function aroundOf({ at, to }: Try, replicas: readonly ReplicaHarm[], store: readonly Span[]): string {
  const own = replicas.findIndex(({ host }) => host === to?.host);
  const before = (spans: readonly Span[], whose: string): string[] => {
    const last = spans.findLast(({ from }) => from <= at);
    if (last === undefined) return [];
    const away = `${Math.abs((at - last.to) / 1_000).toFixed(1)} s`;
    return [`${whose} ${last.how} ${last.to > at ? `for ${away} more` : `until ${away} before`}`];
  };
  return [
    own === -1 ? "to nobody" : `to replica ${own + 1}`,
    ...replicas.flatMap(({ away }, index) => before(away, index === own ? "it" : `replica ${index + 1}`)),
    ...before(store, "store"),
  ].join(", ");
}
