/**
 * What one and two replicas make of budgets that are shared, against what one makes of them that shares nothing.
 *
 * Each budget is at the rate that the platform documents, with more wanted than it allows; the time is simulated, and the table of
 * divisions answers after 5 ms, as PostgreSQL does on a busy machine. Ends with 1 when a write was over budget or a pace is missed.
 */
import type { Budget } from "../src/core/platform.ts";
import { slackLimits } from "../adapters/slack/outbound/limits.ts";
import { overBudget, startReplica, type Replica, type Write } from "../test/core/relay/fleet.ts";
import { fakeClock, type FakeClock } from "../test/fakes/clock.ts";
import { createFakeDivisions } from "../test/fakes/divisions.ts";
import { columns } from "./figures.ts";

const place = { platform: "slack", tenant: "T", channel: "C", thread: "1" };
const [channel, workspace] = slackLimits.budgets("post", place);
const [edits] = slackLimits.budgets("edit", place);
if (channel === undefined || workspace === undefined || edits === undefined) throw new Error("expected Slack's budgets");
const cases: readonly (readonly [name: string, budgets: readonly Budget[], writes: number])[] = [
  ["posts in a channel", [channel, workspace], 3],
  ["posts in a workspace", [workspace], 30],
  ["edits in a workspace", [edits], 10],
  ["starts of streams", [{ key: "starts", count: 20, windowMs: 60_500, burst: 20 }], 10],
  ["edits in a Discord channel", [{ key: "edits", count: 5, windowMs: 5_250, burst: 1 }], 4],
  ["all of Discord", [{ key: "discord", count: 45, windowMs: 1_000, burst: 45 }], 30],
];

const minutes = 3;
interface Fleet {
  readonly clock: FakeClock;
  readonly start: () => Replica;
  readonly writes: readonly Write[];
}
/** What happens, with `wish` for each replica that wants to write from then on. Takes `minutes` in all. */
const scenes: readonly (readonly [name: string, play: (fleet: Fleet, wish: (replica: Replica) => void) => Promise<void>])[] = [
  [
    "both all the time",
    async ({ clock, start }, wish) => {
      for (const one of [start(), start()]) wish(one);
      await clock.advance(minutes * 60_000);
    },
  ],
  [
    "the second begins",
    async ({ clock, start }, wish) => {
      wish(start());
      await clock.advance(90_000);
      wish(start());
      await clock.advance((minutes - 1.5) * 60_000);
    },
  ],
  [
    "handed over",
    async ({ clock, start }, wish) => {
      const [one, other] = [start(), start()];
      wish(one);
      await clock.advance(90_000);
      const drained = one.drain();
      wish(other);
      await clock.advance((minutes - 1.5) * 60_000);
      await drained;
    },
  ],
  [
    "one is killed",
    async ({ clock, start }, wish) => {
      const [one, other] = [start(), start()];
      for (const each of [one, other]) wish(each);
      await clock.advance(90_000);
      one.kill();
      await clock.advance((minutes - 1.5) * 60_000);
    },
  ],
];

async function run(budgets: readonly Budget[], writes: number, play: (typeof scenes)[number][1], sharing = true) {
  const clock = fakeClock();
  const table = createFakeDivisions(clock, () => 2.5);
  const made: Write[] = [];
  let started = 0;
  const start = () =>
    startReplica(`r${++started}`, clock, sharing ? (between) => table.reachedBy(between) : null, (write) => made.push(write));
  await play({ clock, start, writes: made }, (replica) => replica.want(budgets, writes));
  const over = budgets.reduce(
    (sum, budget) =>
      sum +
      overBudget(
        made.map(({ at }) => at),
        budget,
      ),
    0,
  );
  return { writes: made.length, over };
}

const rows: string[][] = [["", "one, not sharing", "one", ...scenes.map(([name]) => name), "429"]];
const least = 0.9;
const byItself: (typeof scenes)[number][1] = async ({ clock, start }, wish) => {
  wish(start());
  await clock.advance(minutes * 60_000);
};
for (const [name, budgets, writes] of cases) {
  const alone = await run(budgets, writes, byItself, false);
  const runs = [await run(budgets, writes, byItself)];
  for (const [, play] of scenes) runs.push(await run(budgets, writes, play));
  const over = runs.reduce((sum, one) => sum + one.over, alone.over);
  const paces = runs.map((one) => one.writes / alone.writes);
  rows.push([name, String(alone.writes), ...paces.map((pace) => pace.toFixed(2)), String(over)]);
  if (over > 0 || paces.some((pace) => pace < least)) process.exitCode = 1;
}
console.log(
  `Writes in ${minutes} minutes of one replica that shares nothing; as parts of that, those of one that shares, and of two:\n\n${columns(rows)}`,
);
