/** What a soak has shown, as people read it, and which bars it holds. */
import { columns, percentile } from "../../bench/figures.ts";
import { boundBelow } from "./figures.ts";
import { boundOf } from "./oracle.ts";
import type { SoakResult } from "./run.ts";
import { firstTryMs } from "./slack-stage.ts";

/** A line of the table: what, its figure, what it may be at most, and whether it is. */
interface Line {
  readonly name: string;
  readonly figure: string;
  readonly bar: string;
  readonly holds: boolean;
}

/** At most so many of all questions may end without their answer, each visible to its asker. */
const givenUpShare = 0.001;
const ackP99Ms = 500;
const loopP99Ms = 50;

const seconds = (value: number | null): string =>
  value === null ? "none seen" : value === Infinity ? "more than 300 s" : `≤ ${value} s`;
const ms = (value: number): string => `${Math.round(value)} ms`;

/** What must hold for the run to pass. */
function linesOf(result: SoakResult): readonly Line[] {
  const { verdict, talks, replicas, settledMs } = result;
  const acks = talks.flatMap(({ ackMs }) => ackMs);
  const firstTries = acks.filter((one) => one < firstTryMs);
  const figures = replicas.flatMap((replica) => replica.figures);
  // The first look of a life has the start in it, when nothing is being answered.
  const loops = figures.flatMap(({ loopP99s }) => loopP99s.slice(1));
  const listed = (list: readonly string[]): string =>
    list.length === 0 ? "0" : `${list.length}: ${list.slice(0, 8).join(" | ")}`;
  const none = (name: string, list: readonly string[]): Line => ({
    name,
    figure: listed(list),
    bar: "0",
    holds: list.length === 0,
  });
  const plain = (name: string, figure: string): Line => ({ name, figure, bar: "", holds: true });
  const most = Math.floor(verdict.asked * givenUpShare);
  return [
    plain("questions asked", String(verdict.asked)),
    plain("taken in (the platform has its acknowledgement)", String(verdict.accepted)),
    plain("answered in full", String(verdict.answered)),
    none("lost", verdict.lost),
    none("neither taken in nor answered", verdict.unheard),
    none("answered twice", verdict.duplicate),
    { name: "messages beyond one for each question", figure: String(verdict.surplus), bar: "0", holds: verdict.surplus === 0 },
    none("out of order", verdict.outOfOrder),
    none("shown out of order", verdict.shownOutOfOrder),
    none("orphaned 60 s after the end", verdict.orphaned),
    none("damaged: neither a whole answer nor a notice of Parley's", verdict.damaged),
    none("posted outside of the threads", verdict.elsewhere),
    {
      // A person saw them for a moment: only a post that came after its turn was lost may be.
      name: "posted and taken away",
      figure: listed(verdict.takenAway),
      bar: `${result.lateRemovals}, the late posts that Parley tells of`,
      holds: verdict.takenAway.length <= result.lateRemovals,
    },
    {
      name: "given up or unknown, said in the thread",
      figure: listed(verdict.givenUp),
      bar: `${most} (0.1%)`,
      holds: verdict.givenUp.length <= most,
    },
    plain("all settled after the last question", settledMs === null ? "not within 60 s" : ms(settledMs)),
    none("the model asked twice", verdict.askedTwice),
    {
      name: "acknowledgement, p50 / p99 / max of the first try",
      figure: `${ms(percentile(firstTries, 0.5))} / ${ms(percentile(firstTries, 0.99))} / ${ms(Math.max(0, ...firstTries))}`,
      bar: `p99 ${ackP99Ms} ms`,
      holds: percentile(firstTries, 0.99) <= ackP99Ms,
    },
    plain("acknowledged at a later try (its replica or its socket was gone)", String(acks.length - firstTries.length)),
    plain(
      "age of unseen words, p50 / p99",
      [0.5, 0.99]
        .map((share) =>
          seconds(
            boundBelow(
              figures.map(({ staleness }) => staleness),
              share,
            ),
          ),
        )
        .join(" / "),
    ),
    plain(
      "first words, p50 / p99",
      [0.5, 0.99]
        .map((share) =>
          seconds(
            boundBelow(
              figures.map(({ firstWords }) => firstWords),
              share,
            ),
          ),
        )
        .join(" / "),
    ),
    {
      name: "event loop p99 of each 5 s: median / p95 / worst",
      figure: [0.5, 0.95, 1].map((share) => ms(percentile(loops, share))).join(" / "),
      bar: `p95 ${loopP99Ms} ms`,
      holds: percentile(loops, 0.95) <= loopP99Ms,
    },
    ...usageLines(result),
    plain("turns left to another owner", String(figures.reduce((sum, { leasesLost }) => sum + leasesLost, 0))),
    plain("kills / freezes / database harms", `${result.harm.kills} / ${result.harm.freezes} / ${result.harm.databaseRestarts}`),
    ...result.proxies.map(({ name, requests, spoiled }) => {
      const all = [...spoiled.values()].reduce((sum, count) => sum + count, 0);
      return plain(
        `requests to ${name}, and spoiled`,
        `${requests}, ${all} (${((all * 100) / Math.max(1, requests)).toFixed(1)}%)`,
      );
    }),
    plain("requests answered with 429", String(result.limited)),
    plain("took", `${Math.round(result.tookMs / 1_000)} s`),
  ];
}

function usageLines({ replicas, before, after }: SoakResult): Line[] {
  const names = [...replicas.map(({ name }) => name), "the workspace"];
  return names.map((name, index) => {
    const [from, to] = [before[index], after[index]];
    const figure =
      from === null || from === undefined || to === null || to === undefined
        ? "not known here"
        : `${from.residentMb.toFixed(0)} → ${to.residentMb.toFixed(0)} MB, ${from.descriptors} → ${to.descriptors} descriptors`;
    return { name: `${name}, start → end`, figure, bar: "", holds: true };
  });
}

export function tableOf(result: SoakResult): string {
  const rows = linesOf(result).map(({ name, figure, bar, holds }) => [
    bar === "" ? "" : holds ? "holds" : "MISSED",
    name,
    figure,
    bar === "" ? "" : `at most ${bar}`,
  ]);
  const { accepted, lost, duplicate } = result.verdict;
  const bound =
    lost.length + duplicate.length === 0
      ? `None in ${accepted}: with 95% certainty fewer than ${(boundOf(accepted) * 100).toFixed(3)}% are lost, and fewer than as many doubled.`
      : "Something was lost or doubled: there is no bound to state.";
  const errors = [...result.errors].map(([message, count]) => `  ${count} × ${message}`);
  return [
    columns(
      rows.map((cells) =>
        cells.map((cell, index) =>
          index === 0 ? cell : cell.padEnd(rows.reduce((most, row) => Math.max(most, row[index]!.length), 0)),
        ),
      ),
    ),
    "",
    bound,
    ...(errors.length === 0 ? [] : ["", "Logged as errors:", ...errors]),
  ].join("\n");
}

export const passes = (result: SoakResult): boolean => linesOf(result).every(({ holds }) => holds);
