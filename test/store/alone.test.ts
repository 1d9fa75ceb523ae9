import { afterEach, beforeEach, expect, test } from "vitest";
import { createAlone, dutyTimes } from "../../src/store/alone.ts";
import { clocksMayDiffer } from "../../src/store/clock-watch.ts";
import type { Clock } from "../../src/clock.ts";
import { statementMs } from "../../src/open-store.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { overBoth, type Opened } from "./open.ts";

const silent = { warn: () => {} };
const forEver = new AbortController().signal;
const untilLost = (held: AbortSignal): Promise<string> =>
  new Promise((resolve) => held.addEventListener("abort", () => resolve("lost"), { once: true }));

overBoth((openStore) => {
  let opened: Opened;
  let clock: FakeClock;
  beforeEach(async () => {
    opened = await openStore();
    clock = fakeClock(1_000_000, opened.busy);
  });
  afterEach(() => opened.close());
  const replica = () => createAlone({ db: opened.db, clock, log: silent });
  /** Time goes on until `done`. @returns how much of it, in ms */
  const pass = async (done: () => boolean): Promise<number> => {
    const from = clock.now();
    while (!done() && clock.now() - from < 60_000) await clock.advance(100);
    expect(done()).toBe(true);
    return clock.now() - from;
  };

  test("work of one name is done by one replica after the other, other work meanwhile", async () => {
    const [one, two] = [replica(), replica()];
    const done: string[] = [];
    const first = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const all = [
      one("a", forEver, async () => {
        began.resolve();
        await first.promise;
        done.push("first");
      }),
      began.promise.then(() => two("a", forEver, () => Promise.resolve(done.push("second")))),
    ];
    await began.promise;
    await two("b", forEver, () => Promise.resolve(done.push("other")));
    await clock.advance(3 * dutyTimes.lease);
    expect(done).toEqual(["other"]);
    first.resolve();
    await pass(() => done.length === 3);
    await Promise.all(all);
    expect(done).toEqual(["other", "first", "second"]);
    expect(await opened.db.selectFrom("duties").selectAll().execute()).toEqual([]);
  });

  test("whoever stops renewing is followed within a lease and a look, and is told so", async () => {
    const [one, two] = [replica(), replica()];
    const began = Promise.withResolvers<void>();
    const lost = one("a", forEver, (held) => {
      began.resolve();
      return untilLost(held);
    });
    await began.promise;
    // As when the process was stopped: another's lease is on the name before this one renews it.
    await opened.db.updateTable("duties").set({ owner: "frozen" }).execute();
    let taken = false;
    const next = two("a", forEver, () => Promise.resolve((taken = true)));
    const within = dutyTimes.lease + 2 * dutyTimes.look;
    expect(await pass(() => taken)).toBeLessThanOrEqual(within);
    // What is left of 15 s is for the connection, and for what was missed.
    expect(within).toBeLessThanOrEqual(7_500);
    expect(await lost).toBe("lost");
    await next;
  });

  test("one whose clock is ahead by as much as clocks may differ takes nothing from who renews it", async () => {
    const early: Clock = { now: () => clock.now() + clocksMayDiffer, after: (ms, then) => clock.after(ms, then) };
    const began = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    let lost = false;
    const held = replica()("a", forEver, async (signal) => {
      signal.addEventListener("abort", () => (lost = true));
      began.resolve();
      await done.promise;
    });
    await began.promise;
    let taken = false;
    const next = createAlone({ db: opened.db, clock: early, log: silent })("a", forEver, () => Promise.resolve((taken = true)));
    // Looks and renewals fall together in all ways: one comes each 500 ms, the others a little later each time.
    for (let ms = 0; ms < 30_000; ms += 70) await clock.advance(70);
    expect({ lost, taken }).toEqual({ lost: false, taken: false });
    // Also where each renewal takes as long as a statement may.
    expect(dutyTimes.lease - dutyTimes.renew - statementMs).toBeGreaterThanOrEqual(clocksMayDiffer);
    done.resolve();
    await pass(() => taken);
    await Promise.all([held, next]);
  });

  test("who no longer wants to wait is not kept waiting", async () => {
    const [one, two] = [replica(), replica()];
    const gone = new AbortController();
    const began = Promise.withResolvers<void>();
    const held = one("a", gone.signal, (signal) => {
      began.resolve();
      return untilLost(signal);
    });
    await began.promise;
    const leave = new AbortController();
    const waits = two("a", leave.signal, () => Promise.resolve("never"));
    leave.abort(new Error("enough"));
    await expect(waits).rejects.toThrow("enough");
    gone.abort();
    await held;
  });
});
