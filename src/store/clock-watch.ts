/**
 * How far this machine's clock is from the database's, which all replicas share. Leases are compared by the clocks of those
 * who hold and who want them: one that is too far ahead takes what another still has.
 */
import { sql } from "kysely";
import type { Cancel, Clock } from "../clock.ts";
import { reasonOf } from "../errors.ts";
import type { StoreDatabase } from "./schema.ts";

/** How far the clocks of two replicas may differ, in ms: what is left of the shortest lease, a duty's, when it is renewed late. */
export const clocksMayDiffer = 3_000;
/** How far each may be from the database's, so that no two of them differ by more than that, in ms. */
export const clockMayBeOff = clocksMayDiffer / 2;

/** Between two looks, in ms. */
export const clockLookMs = 10_000;

/** The time that PostgreSQL has, in ms since 1970. */
export async function databaseTime(db: StoreDatabase): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  return rows[0]?.now ?? Number.NaN;
}

/**
 * How far `clock` is ahead of the one that `ask` tells of, in ms; negative: behind. The least that it can be: what the
 * way there and back may account for is taken off, so that a slow answer is no wrong clock.
 */
export async function clockAhead(clock: Clock, ask: () => Promise<number>): Promise<number> {
  const before = clock.now();
  const there = await ask();
  const after = clock.now();
  return Math.max(0, before - there) - Math.max(0, there - after);
}

const seconds = (ms: number): string => (Math.abs(ms) / 1000).toFixed(1);
/** What is wrong with such a clock, and what to do; null where nothing is. */
export const wrongClock = (ahead: number): string | null =>
  Math.abs(ahead) <= clockMayBeOff
    ? null
    : `this machine's clock is ${seconds(ahead)} s ${ahead > 0 ? "ahead of" : "behind"} the database's, and may be ${seconds(clockMayBeOff)} s off: replicas take from each other what they still hold. Have both machines keep time (NTP)`;

export interface ClockWatchOptions {
  readonly ask: () => Promise<number>;
  readonly clock: Clock;
  readonly log: Record<"info" | "warn", (fields: object, text: string) => void>;
  /** Told of each look. */
  readonly told: (aheadMs: number) => void;
}

/** Looks now and then, and says it once when the clock is too far off, and once when it no longer is. Ends with what it returns. */
export function watchClock({ ask, clock, log, told }: ClockWatchOptions): Cancel {
  let wrong = false;
  let ended = false;
  let cancel: Cancel = () => {};
  const look = async (): Promise<void> => {
    try {
      const aheadMs = await clockAhead(clock, ask);
      told(aheadMs);
      const said = wrongClock(aheadMs);
      if (said !== null && !wrong) log.warn({ aheadMs }, said);
      if (said === null && wrong) log.info({ aheadMs }, "this machine's clock is as the database's again");
      wrong = said !== null;
    } catch (thrown) {
      log.warn({ reason: reasonOf(thrown) }, "the database could not be asked for its time");
    }
    if (!ended) cancel = clock.after(clockLookMs, () => void look());
  };
  void look();
  return () => {
    ended = true;
    cancel();
  };
}
