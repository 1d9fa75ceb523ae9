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
import { report, type PlatformRun } from "./platform-run.ts";
import { runSlack, type How } from "./slack-run.ts";

const runs: PlatformRun[] = [];
for (const how of ["edit", "native"] satisfies How[]) for (const replies of [1, 5, 20]) runs.push(await runSlack(how, replies));
report(runs);
