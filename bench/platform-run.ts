/** What the runs against the fake platforms share: how replies are opened, what is counted of them, and how it is judged. */
import type { Clock } from "../src/clock.ts";
import type { Place } from "../src/core/place.ts";
import { createPacer } from "../src/core/relay/pacer.ts";
import { emptyDelivery, openRelay, type Relay, type RelayOptions } from "../src/core/relay/relay.ts";
import type { Log } from "../src/log.ts";
import { silentRelayMetrics } from "../test/fakes/metrics.ts";
import { columns } from "./figures.ts";
import { staleness, type Shown } from "./seen.ts";

/** How far both platforms are away, in ms. */
export const roundTripMs = 250;

/** Times in ms. */
export interface Figures {
  readonly firstWordsMean: number;
  readonly firstWordsMax: number;
  readonly staleMean: number;
  readonly staleMax: number;
}

export interface PlatformRun extends Figures {
  /** In words: how, or where, the replies were shown. */
  readonly kind: string;
  readonly replies: number;
  /** The least possible at the platform's rates. */
  readonly least: Figures;
  readonly calls: number;
  readonly rateLimited: number;
  readonly whole: number;
}

/** Opens replies on a platform, all on one pacer, with nothing stored. */
export function replying(platform: RelayOptions["platform"], clock: Clock, log: Log): (place: Place, key: string) => Relay {
  const pacer = createPacer({ clock, log });
  return (place, key) =>
    openRelay({
      platform,
      place,
      key,
      delivery: emptyDelivery,
      resumed: false,
      pacer,
      guard: { permit: () => new AbortController().signal, acknowledged: () => {}, lost: () => false },
      journal: () => Promise.resolve(),
      onStray: () => {},
      clock,
      random: Math.random,
      metrics: silentRelayMetrics,
      log,
    });
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/**
 * What people saw of all messages.
 * @param began when the replies had their first words
 */
export function figuresOf(messages: readonly (readonly Shown[])[], began: number): Figures {
  const first = messages.map(([one]) => (one?.seen ?? Number.NaN) - began);
  const stale = messages.map(staleness);
  return {
    firstWordsMean: mean(first),
    firstWordsMax: Math.max(...first),
    staleMean: sum(stale.map(({ area }) => area)) / sum(stale.map(({ time }) => time)),
    staleMax: Math.max(...stale.map(({ most }) => most)),
  };
}

/** A figure may be this much of the least possible. */
const bar = 1.15;
const names = ["firstWordsMean", "firstWordsMax", "staleMean", "staleMax"] as const;
const seconds = (ms: number): string => (ms / 1_000).toFixed(2);

/** Prints the runs, and what holds; the process ends with 1 where a figure is above its bar, a call was refused or a reply is not whole. */
export function report(runs: readonly PlatformRun[]): void {
  console.log(JSON.stringify(runs, null, 2));
  const header = [
    "",
    "N",
    "first words: mean / least",
    "max / least",
    "age: mean / least",
    "max / least",
    "calls",
    "429",
    "whole",
  ];
  const rows = runs.map((run) => [
    run.kind,
    String(run.replies),
    ...names.map((name) => `${seconds(run[name])} / ${seconds(run.least[name])}`),
    String(run.calls),
    String(run.rateLimited),
    `${run.whole}/${run.replies}`,
  ]);
  console.log(`\n${columns([header, ...rows])}\n`);
  for (const run of runs) {
    const late = names.filter((name) => run[name] > run.least[name] * bar);
    const holds = late.length === 0 && run.rateLimited === 0 && run.whole === run.replies;
    console.log(
      `${holds ? "holds " : "MISSED"}  ${run.kind}, ${run.replies} at once${late.length === 0 ? "" : `: ${late.join(", ")}`}`,
    );
    if (!holds) process.exitCode = 1;
  }
}
