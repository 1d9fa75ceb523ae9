/** The short form of `npm run soak`: some people, one kill, and every tenth request spoiled. */
import { expect, test } from "vitest";
import { soak } from "./run.ts";
import { tableOf } from "./table.ts";

test(
  "through a kill and spoiled requests nothing is lost, doubled, out of order or left over",
  { timeout: 600_000 },
  async () => {
    const result = await soak({
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
    });
    const spoiled = result.proxies.flatMap((proxy) => [...proxy.spoiled.values()]).reduce((all, one) => all + one, 0);
    const { verdict } = result;
    // The whole table is what somebody who reads a failure needs.
    expect({ ...verdict, table: tableOf(result) }).toMatchObject({
      lost: [],
      duplicate: [],
      surplus: 0,
      outOfOrder: [],
      shownOutOfOrder: [],
      orphaned: [],
      damaged: [],
      elsewhere: [],
      askedTwice: [],
    });
    expect(verdict.takenAway.length).toBeLessThanOrEqual(result.lateRemovals);
    expect(verdict.asked).toBe(18);
    expect(result.harm.kills).toBe(1);
    expect(spoiled).toBeGreaterThan(0);
  },
);
