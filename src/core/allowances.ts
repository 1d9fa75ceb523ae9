/** How much a person and a channel may have of the workspace: turns a minute, credits a day. */
import type { Decimal } from "decimal.js";
import type { Clock } from "../clock.ts";
import type { Inbound } from "./inbound.ts";
import { holderOf } from "./links.ts";
import { channelOf, placeKey } from "./place.ts";
import { refusal, type Refusal } from "./refusal.ts";

/** Whose allowance something counts against. */
export type Spender = Pick<Inbound, "place" | "author" | "direct">;

/** Null: without a limit. */
export interface AllowanceRules {
  /** Turns in a minute by the clock. */
  readonly personTurns: number | null;
  readonly channelTurns: number | null;
  /** Credits in a day, from midnight UTC. */
  readonly personCredits: Decimal | null;
  readonly channelCredits: Decimal | null;
}

/** One counter: of a person or a channel, in one period. */
export interface Counter {
  readonly platform: string;
  readonly tenant: string;
  /** `person:<id>` or `channel:<id>`. */
  readonly subject: string;
  readonly period: "minute" | "day";
  /** When the period began, in ms since 1970. */
  readonly startsAt: number;
}

/** Where counters are kept: for all replicas, and over restarts. */
export interface CounterStore {
  /** Adds one turn; gives how many there are now. */
  addTurn(counter: Counter): Promise<number>;
  addCredits(counter: Counter, credits: Decimal): Promise<void>;
  credits(counter: Counter): Promise<Decimal>;
}

export interface Allowances {
  /** Takes one turn of what is allowed. Otherwise the refusal, which says when it ends; nothing is taken of credits, as nobody knows yet what a turn will cost. */
  take(spender: Spender): Promise<{ readonly refusal: Refusal } | null>;
  /** Counts what was spent. The turn that goes over a limit is still finished; the next is refused. */
  spend(spender: Spender, credits: Decimal): Promise<void>;
}

const lengths = { minute: 60_000, day: 24 * 60 * 60_000 } as const;
type Period = keyof typeof lengths;
const startOf = (period: Period, now: number): number => now - (now % lengths[period]);

const many = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** When a period is over, as somebody reads it. */
function until(period: Period, now: number): string {
  const seconds = Math.ceil((startOf(period, now) + lengths[period] - now) / 1000);
  if (period === "minute") return `in ${many(seconds, "second")}`;
  const minutes = Math.ceil(seconds / 60);
  return `at 00:00 UTC, in ${minutes < 60 ? many(minutes, "minute") : many(Math.ceil(minutes / 60), "hour")}`;
}

export function createAllowances(store: CounterStore, rules: AllowanceRules, clock: Clock): Allowances {
  const counterOf = (spender: Spender, whose: "person" | "channel", period: Period): Counter => {
    const { platform, tenant, person } = holderOf(spender);
    const startsAt = startOf(period, clock.now());
    if (whose === "person") return { platform, tenant, subject: `person:${person}`, period, startsAt };
    return { platform, tenant: spender.place.tenant, subject: `channel:${placeKey(channelOf(spender.place))}`, period, startsAt };
  };
  const you = (text: string): { readonly refusal: Refusal } => refusal("limit", text);
  /** In a direct message the person and the channel are the same. */
  const limits = ({ direct }: Spender) =>
    [
      { whose: "person", turns: rules.personTurns, credits: rules.personCredits, who: "You have", yours: "Your" },
      ...(direct === true
        ? []
        : [
            {
              whose: "channel",
              turns: rules.channelTurns,
              credits: rules.channelCredits,
              who: "This channel has",
              yours: "This channel's",
            } as const,
          ]),
    ] as const;

  return {
    async take(spender) {
      for (const { whose, credits, yours } of limits(spender)) {
        if (credits === null) continue;
        const spent = await store.credits(counterOf(spender, whose, "day"));
        if (spent.gte(credits))
          return you(
            `${yours} credits of today are used up: ${spent.toString()} of ${credits.toString()}. There are new ones ${until("day", clock.now())}.`,
          );
      }
      for (const { whose, turns, who } of limits(spender)) {
        if (turns === null) continue;
        if ((await store.addTurn(counterOf(spender, whose, "minute"))) > turns)
          return you(
            `${who} asked as often as is allowed in a minute: ${many(turns, "time")}. Ask again ${until("minute", clock.now())}.`,
          );
      }
      return null;
    },
    async spend(spender, credits) {
      if (credits.lte(0)) return;
      for (const { whose } of limits(spender)) await store.addCredits(counterOf(spender, whose, "day"), credits);
    },
  };
}
