import { afterEach, beforeEach, expect, test } from "vitest";
import { createReplicas, replicaTimes, type Replicas } from "../../src/store/replicas.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { overBoth, type Opened } from "./open.ts";

overBoth((openStore) => {
  let opened: Opened;
  let clock: FakeClock;
  const started: Replicas[] = [];
  beforeEach(async () => {
    opened = await openStore();
    clock = fakeClock(1_000_000, opened.busy);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((replica) => replica.stop()));
    await opened.close();
  });
  const replica = async (): Promise<Replicas> => {
    const made = createReplicas({ db: opened.db, clock, log: { warn: () => {} } });
    started.push(made);
    await made.start();
    return made;
  };
  /** Time goes on, beat by beat, until `holds`. */
  const until = async (holds: () => boolean, use: () => void = () => {}): Promise<void> => {
    const latest = clock.now() + 10 * replicaTimes.used;
    for (use(); !holds() && clock.now() < latest; use()) await clock.advance(replicaTimes.beat / 4);
    expect(holds()).toBe(true);
  };

  test("a budget is whole for the one that uses it, and shared among those who do", async () => {
    const [one, two] = [await replica(), await replica()];
    // The first has not read of the second yet; the second knows of the first at once.
    expect(two.sharers("both")).toBe(2);
    await until(() => one.sharers("mine") === 2);
    await until(() => one.sharers("mine") === 1);
    await until(() => one.sharers("both") === 2 && two.sharers("both") === 2);
    expect(one.sharers("mine")).toBe(1);
  });

  test("the share of one that is gone goes to the others, at once when it says so, otherwise after a while", async () => {
    const [one, two, three] = [await replica(), await replica(), await replica()];
    const use = (): void => void [one, two].map((each) => each.sharers("both"));
    await until(() => one.sharers("both") === 2, use);
    await two.stop();
    await until(() => one.sharers("both") === 1);
    three.sharers("both");
    await until(
      () => one.sharers("both") === 2,
      () => void three.sharers("both"),
    );
    // As when it was killed: it tells nothing any more, and its row stays.
    await opened.db.updateTable("replicas").set({ seen_at: 0 }).execute();
    await three.stop();
    await until(() => one.sharers("both") === 1);
    expect(one.sharers("both")).toBe(1);
  });
});
