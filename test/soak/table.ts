/** What a soak has shown, as people read it, and which bars it holds. */
import { columns, percentile } from "../../bench/figures.ts";
import { causes, type Cause } from "./acknowledging.ts";
import { boundBelow, type Figures } from "./figures.ts";
import { boundOf } from "./oracle.ts";
import type { LoopDelay } from "./probe.ts";
import type { SoakResult } from "./run.ts";
import type { Span } from "./spans.ts";
import type { Held } from "./steady.ts";

/** A line of the table: what, its figure, its bar in words, and whether it holds. */
interface Line {
  readonly name: string;
  readonly figure: string;
  /** Empty: there is none. */
  readonly bar: string;
  readonly holds: boolean;
  /** Depends on how busy the machine is. */
  readonly timing?: true;
}

/** At most so many of all questions may end without their answer, each visible to its asker. */
const givenUpShare = 0.001;
/** Of a try with no harm on its way, in ms. */
const ackMs = { p99: 500, longest: 2_500 };
/** What was not acknowledged in 3 s counts as so much. */
const inVainMs = 3_000;
/** Of those beyond the bar so many are shown one by one. */
const mostLate = 20;
const loopP99Ms = 50;
/**
 * In a stretch without kills. Answers under way hold some of the heap, and connections that were silenced stay open for a while,
 * now more of them and now fewer; what leaked with every answer or every spoiled request would be many times as much.
 */
const heapGrowth = 1.1;
const moreDescriptors = 20;
/** A shorter stretch says nothing of memory, in ms. */
const leastStretchMs = 60_000;

const seconds = (value: number | null): string =>
  value === null ? "none seen" : value === Infinity ? "more than 300 s" : `≤ ${value} s`;
const ms = (value: number): string => (Number.isFinite(value) ? `${Math.round(value)} ms` : "–");
const mb = (bytes: number): string => (bytes / 1_048_576).toFixed(1);
const plain = (name: string, figure: string): Line => ({ name, figure, bar: "", holds: true });
const listed = (list: readonly string[]): string => (list.length === 0 ? "0" : `${list.length}: ${list.slice(0, 8).join(" | ")}`);
const none = (name: string, list: readonly string[]): Line => ({
  name,
  figure: listed(list),
  bar: "0",
  holds: list.length === 0,
});

function linesOf(result: SoakResult): readonly Line[] {
  return [...verdictLines(result), ...ackLines(result), ...paceLines(result), ...memoryLines(result), ...harmLines(result)];
}

function verdictLines({ verdict, settledMs, lateRemovals }: SoakResult): readonly Line[] {
  const most = Math.floor(verdict.asked * givenUpShare);
  return [
    plain("questions asked", String(verdict.asked)),
    plain("taken in (the platform has its acknowledgement)", String(verdict.accepted)),
    plain("acknowledged by no try, and made up for", String(verdict.asked - verdict.accepted - verdict.unheard.length)),
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
      bar: `at most ${lateRemovals}, the late posts that Parley tells of`,
      holds: verdict.takenAway.length <= lateRemovals,
    },
    {
      name: "given up or unknown, said in the thread",
      figure: listed(verdict.givenUp),
      bar: `at most ${most} (0.1%)`,
      holds: verdict.givenUp.length <= most,
    },
    plain("all settled after the last question", settledMs === null ? "not within 60 s" : ms(settledMs)),
    none("the model asked twice", verdict.askedTwice),
  ];
}

const causeNames: Readonly<Record<Cause, string>> = {
  none: "acknowledgement of a try with no harm on its way",
  replica: "… whose replica was killed or frozen",
  connection: "… whose connection was broken or silent",
  store: "… while the store was down, frozen or cut off",
};

/** Every try is in one of these, by what was harmed then, however it went. */
function ackLines({ tries, talks }: SoakResult): readonly Line[] {
  const lines = causes.map((cause): Line => {
    const all = tries.filter((one) => one.cause === cause).map((one) => one.ackMs ?? inVainMs);
    const [median, p99, longest] = [percentile(all, 0.5), percentile(all, 0.99), Math.max(0, ...all)];
    const inVain = tries.filter((one) => one.cause === cause && one.ackMs === null).length;
    const unsent = tries.filter((one) => one.cause === cause && !one.sent).length;
    const toNobody = unsent === 0 ? "" : `, ${unsent} of them as no socket was open`;
    const figure = `${all.length}: ${ms(median)} / ${ms(p99)} / ${ms(longest)}; ${inVain} not in 3 s${toNobody}`;
    const name = `${causeNames[cause]}: p50 / p99 / longest`;
    if (cause !== "none") return plain(name, figure);
    const bar = `p99 at most ${ackMs.p99} ms, longest below ${ackMs.longest} ms`;
    return { name, figure, bar, holds: p99 <= ackMs.p99 && longest < ackMs.longest, timing: true };
  });
  const events = talks.flatMap((talk) => talk.ackMs);
  const figure = `${ms(percentile(events, 0.5))} / ${ms(percentile(events, 0.99))} / ${ms(Math.max(0, ...events))}`;
  return [...lines, plain("acknowledgement over all tries, with Slack's waits: p50 / p99 / longest", figure)];
}

function paceLines({ replicas, loops, ownLoop }: SoakResult): readonly Line[] {
  const figures = replicas.flatMap((replica) => replica.figures);
  const both = (of: (one: Figures) => ReadonlyMap<number, number>): string =>
    [0.5, 0.99].map((share) => seconds(boundBelow(figures.map(of), share))).join(" / ");
  const loop = (one: LoopDelay | null): string =>
    one === null ? "none seen" : `${one.p99} / ${one.worstSecond} / ${one.longest} ms of ${one.times} times`;
  return [
    plain(
      "age of unseen words, p50 / p99",
      both(({ staleness }) => staleness),
    ),
    plain(
      "first words, p50 / p99",
      both(({ firstWords }) => firstWords),
    ),
    ...loops.map(({ name, atWork }): Line => ({
      name: `event loop of ${name} at work: p99 / p99 of the worst second / longest`,
      figure: loop(atWork),
      bar: `p99 at most ${loopP99Ms} ms`,
      holds: atWork !== null && atWork.p99 <= loopP99Ms,
      timing: true,
    })),
    ...loops.map(({ name, starting, frozen }) =>
      plain(`… while it was being started`, `${loop(starting)}; ${frozen} s with a freeze in them left out (${name})`),
    ),
    plain("… of the suite itself", loop(ownLoop)),
  ];
}

function memoryLines({ steady, workspace: [start, end] }: SoakResult): readonly Line[] {
  const figure = (from: Held, to: Held): string =>
    `${mb(from.heap)} → ${mb(to.heap)} MB, ${from.descriptors} → ${to.descriptors} descriptors`;
  return [
    ...steady.map(({ name, start: from, end: to, ms: took }): Line => {
      const what = `${name}, ${Math.round(took / 1_000)} s without kills: heap after collection, descriptors`;
      if (took < leastStretchMs) return plain(what, figure(from, to));
      const holds = to.heap <= from.heap * heapGrowth && to.descriptors <= from.descriptors + moreDescriptors;
      return { name: what, figure: figure(from, to), bar: `×${heapGrowth}, +${moreDescriptors}`, holds, timing: true };
    }),
    plain("the workspace, start → end", figure(start, end)),
  ];
}

function harmLines(result: SoakResult): readonly Line[] {
  const { replicas, databaseHarmed, wanted, undone, proxies, limited, tookMs } = result;
  const line = (name: string, spans: readonly Span[]): Line =>
    plain(name, `${spans.length}, ${Math.round(spans.reduce((sum, { from, to }) => sum + to - from, 0) / 1_000)} s in all`);
  const away = (how: string): readonly Span[] => replicas.flatMap((one) => one.away).filter((span) => span.how === how);
  const harmed = (...hows: string[]): readonly Span[] => databaseHarmed.filter(({ how }) => hows.includes(how));
  const figures = replicas.flatMap((replica) => replica.figures);
  return [
    plain("turns left to another owner", String(figures.reduce((sum, { leasesLost }) => sum + leasesLost, 0))),
    line(`replicas killed (of ${wanted.kills}), until started again`, away("killed")),
    line(`replicas frozen (of ${wanted.freezes})`, away("frozen")),
    line(`database restarted in order, and with the next line ${wanted.databaseRestarts}`, harmed("restart")),
    line("database killed whole, and recovered from its log", harmed("kill")),
    line(`connections of the database cut (of ${wanted.databaseCuts})`, harmed("cut")),
    line(`database frozen (of ${wanted.databaseFreezes})`, harmed("freeze")),
    none("harm that could not be done", undone),
    {
      name: "replicas that ended by themselves",
      figure: String(replicas.reduce((sum, { fallen }) => sum + fallen, 0)),
      bar: "0",
      holds: replicas.every(({ fallen }) => fallen === 0),
    },
    ...proxies.map(({ name, requests, spoiled, spoiledLive }) => {
      const all = [...spoiled.values()].reduce((sum, count) => sum + count, 0) - spoiledLive;
      const share = ((all * 100) / Math.max(1, requests)).toFixed(1);
      return plain(`requests to ${name}, and spoiled; sockets`, `${requests}, ${all} (${share}%); ${spoiledLive}`);
    }),
    plain("requests answered with 429", String(limited)),
    plain("took", `${Math.round(tookMs / 1_000)} s`),
  ];
}

export function tableOf(result: SoakResult): string {
  const rows = linesOf(result).map(({ name, figure, bar, holds }) => [
    bar === "" ? "" : holds ? "holds" : "MISSED",
    name,
    figure,
    bar,
  ]);
  const { accepted, lost, duplicate } = result.verdict;
  const bound =
    lost.length + duplicate.length === 0
      ? `None in ${accepted}: with 95% certainty fewer than ${(boundOf(accepted) * 100).toFixed(3)}% are lost, and fewer than as many doubled.`
      : "Something was lost or doubled: there is no bound to state.";
  const late = result.tries
    .filter(({ cause, ackMs: took }) => cause === "none" && (took ?? inVainMs) > ackMs.p99)
    .toSorted((a, b) => (b.ackMs ?? inVainMs) - (a.ackMs ?? inVainMs))
    .slice(0, mostLate)
    .map(({ ackMs: took, around }) => `  ${took === null ? "not in 3 s" : ms(took)}: ${around}`);
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
    ...(late.length === 0 ? [] : ["", "Acknowledged latest with no harm on its way:", ...late]),
    ...(errors.length === 0 ? [] : ["", "Logged as errors:", ...errors]),
  ].join("\n");
}

/** Whether every line that has a bar holds; on request those alone that do not depend on how busy the machine is. */
export const passes = (result: SoakResult, { timing = true } = {}): boolean =>
  linesOf(result).every((line) => line.holds || (!timing && line.timing === true));
