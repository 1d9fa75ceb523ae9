/**
 * How soon people see an answer on Discord: 1, 5 and 20 replies at once, in one channel and in a thread each.
 *
 * Each reply streams for 45 s, 25 characters a second, through relay, pacer, the Discord adapter and discord.js, over HTTP to a fake
 * Discord that counts requests in buckets as has been observed (5 posts and 5 edits in 5 s, for each channel), tells so in its
 * headers, and is 250 ms away. Beside each figure stands the least possible at those rates; see `leastOf`.
 *
 * `npm run bench:discord` takes about two minutes and ends with 1 when a figure is more than 15% above the least possible; of
 * figures of a few hundred milliseconds, more than 60 ms above it, as that is what the fake in the same process takes to answer
 * the 26 requests of all runs at once.
 */
import { columns } from "./figures.ts";
import { runDiscord, type DiscordRun, type Where } from "./discord-run.ts";

const bar = 1.15;
const ownMs = 60;
const figures = ["firstWordsMean", "firstWordsMax", "staleMean", "staleMax"] as const;

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
const row = (run: DiscordRun): readonly string[] => [
  run.where,
  String(run.replies),
  ...figures.map((name) => `${seconds(run[name])} / ${seconds(run.least[name])}`),
  String(run.calls),
  String(run.rateLimited),
  `${run.whole}/${run.replies}`,
];

const runs: DiscordRun[] = [];
for (const where of ["channel", "threads"] satisfies Where[]) {
  runs.push(...(await Promise.all([1, 5, 20].map((replies) => runDiscord(where, replies)))));
}
console.log(JSON.stringify(runs, null, 2));
const header = ["", "N", "first words: mean / least", "max / least", "age: mean / least", "max / least", "calls", "429", "whole"];
console.log(`\n${columns([header, ...runs.map(row)])}\n`);
for (const run of runs) {
  const late = figures.filter((name) => run[name] > Math.max(run.least[name] * bar, run.least[name] + ownMs));
  const holds = late.length === 0 && run.rateLimited === 0 && run.whole === run.replies;
  const where = run.where === "channel" ? "in one channel" : "in a thread each";
  console.log(`${holds ? "holds " : "MISSED"}  ${run.replies} ${where}${late.length === 0 ? "" : `: ${late.join(", ")}`}`);
  if (!holds) process.exitCode = 1;
}
