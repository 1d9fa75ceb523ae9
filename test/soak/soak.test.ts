/** The short forms of `npm run soak`: some people, one of each harm, and every tenth request spoiled. */
import { describe, expect, test } from "vitest";
import { clusterPrograms } from "./cluster.ts";
import { soak, type SoakOptions, type SoakResult } from "./run.ts";
import { passes, tableOf } from "./table.ts";

const short: SoakOptions = {
  threads: 6,
  turns: 3,
  store: "sqlite",
  replicas: 1,
  faults: 0.1,
  kills: 1,
  freezes: 0,
  databaseRestarts: 0,
  minutes: 0.15,
  seed: 7,
  // A busy machine is slow: what is lost is lost for longer than that.
  patienceMs: 180_000,
};

/** What a short form has shown: each bar but those that a busy machine misses. The whole table is what somebody who reads a failure needs. */
const shownBy = (result: SoakResult): object => ({
  passes: passes(result, { timing: false }),
  table: tableOf(result),
  asked: result.verdict.asked,
  spoils: result.proxies.some(({ spoiled }) => spoiled.size > 0),
  away: result.replicas.flatMap(({ away }) => away.map(({ how }) => how)),
  databaseHarmed: result.databaseHarmed.map(({ how }) => how).toSorted(),
});

test(
  "through a kill and spoiled requests nothing is lost, doubled, out of order or left over",
  { timeout: 600_000 },
  async () => {
    const result = await soak(short);
    expect(shownBy(result)).toMatchObject({ passes: true, asked: 18, spoils: true, away: ["killed"] });
  },
);

// In CI its programs are there: without them it fails, and is not passed over.
describe.skipIf(clusterPrograms() === undefined && process.env["CI"] === undefined)("two replicas on one PostgreSQL", () => {
  test("nor is anything when that is killed, cut off and frozen too", { timeout: 600_000 }, async () => {
    const harms = { databaseRestarts: 1, databaseCuts: 1, databaseFreezes: 1 };
    const result = await soak({ ...short, store: "postgres", replicas: 2, ...harms });
    const databaseHarmed = ["cut", "freeze", "kill"];
    expect(shownBy(result)).toMatchObject({ passes: true, asked: 18, spoils: true, away: ["killed"], databaseHarmed });
  });
});
