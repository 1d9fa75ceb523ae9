/**
 * How soon people see an answer on Discord: 1, 5 and 20 replies at once, in one channel and in a thread each.
 *
 * Each reply streams for 45 s, 25 characters a second, through relay, pacer, the Discord adapter and discord.js, over HTTP to a fake
 * Discord that counts requests in buckets as has been observed (5 posts and 5 edits in 5 s, for each channel), tells so in its
 * headers, is 250 ms away, and runs in a process of its own. Beside each figure stands the least possible at those rates; see
 * `leastOf`.
 *
 * `npm run bench:discord` takes about two minutes and ends with 1 when a figure is more than 15% above the least possible.
 */
import { setTimeout as wait } from "node:timers/promises";
import { runDiscord, type Where } from "./discord-run.ts";
import { report, type PlatformRun } from "./platform-run.ts";

/** Between the beginnings of two runs, in ms: no two have their first words at once. */
const apartMs = 1_600;

const runs: PlatformRun[] = [];
for (const where of ["in one channel", "in a thread each"] satisfies Where[]) {
  const together = [1, 5, 20].map((replies, index) => wait(index * apartMs).then(() => runDiscord(where, replies)));
  runs.push(...(await Promise.all(together)));
}
report(runs);
