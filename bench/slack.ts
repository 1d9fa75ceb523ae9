/**
 * How soon people see an answer in Slack: 1, 5 and 20 replies at once in one channel, under Slack's documented rates.
 *
 * Each reply streams for 90 s, 40 characters a second, through relay, pacer and the Slack adapter, over HTTP to a fake Slack
 * that counts calls as Slack documents and is 250 ms away by a clock of the bench's own, so that
 * the machine's speed has no part in the figures. Beside each figure stands the least possible at those rates: the
 * k-th first words after k-1 seconds, and each reply's text renewed every P = N/rate, by 50 edits or 100 appends a minute, which
 * makes its age P/2 + r in the mean and P + r at most.
 *
 * `npm run bench:slack` ends with 1 when a figure is more than 15% above the least possible.
 */
import { columns } from "./figures.ts";
import { runSlack, type How, type SlackRun } from "./slack-run.ts";

const bar = 1.15;
const figures = ["firstWordsMean", "firstWordsMax", "staleMean", "staleMax"] as const;

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
const row = (run: SlackRun): readonly string[] => [
  run.how,
  String(run.replies),
  ...figures.map((name) => `${seconds(run[name])} / ${seconds(run.least[name])}`),
  String(run.calls),
  String(run.rateLimited),
  `${run.whole}/${run.replies}`,
];

const runs: SlackRun[] = [];
for (const how of ["edit", "native"] satisfies How[]) for (const replies of [1, 5, 20]) runs.push(await runSlack(how, replies));
console.log(JSON.stringify(runs, null, 2));
const header = ["", "N", "first words: mean / least", "max / least", "age: mean / least", "max / least", "calls", "429", "whole"];
console.log(`\n${columns([header, ...runs.map(row)])}\n`);
for (const run of runs) {
  const late = figures.filter((name) => run[name] > run.least[name] * bar);
  const holds = late.length === 0 && run.rateLimited === 0 && run.whole === run.replies;
  console.log(
    `${holds ? "holds " : "MISSED"}  ${run.how}, ${run.replies} at once${late.length === 0 ? "" : `: ${late.join(", ")}`}`,
  );
  if (!holds) process.exitCode = 1;
}
