/** The right to write for a turn, as its process knows it. */
import { expect, test } from "vitest";
import { Fault } from "../../src/errors.ts";
import { holdLease, leaseTimes } from "../../src/core/turns/lease.ts";
import { createLog } from "../../src/log.ts";
import { fakeClock } from "../fakes/clock.ts";
import { openStore } from "../store/open.ts";
import { says } from "./engine.ts";

test("a lease is lost when its time is over, or as soon as another process is known to have the turn", async () => {
  const opened = await openStore();
  const { store } = opened;
  const clock = fakeClock();
  const log = createLog("silent", { write: () => {} });
  const begins = async (key: string) => {
    await store.put(says(key, "hello"), key, clock.now());
    const leaseUntil = clock.now() + leaseTimes.lease;
    const turn = await store.claim({ owner: "me", now: clock.now(), leaseUntil, lane: key });
    return holdLease(store, turn!, clock, log, leaseUntil, () => {});
  };
  const over = await begins("k1");
  over.end(new Fault("draining", "this process is stopping"));
  expect(over.lost()).toBe(false);
  await clock.advance(leaseTimes.lease + 1);
  expect(over.lost()).toBe(true);

  const taken = await begins("k2");
  await store.expire(Number.MAX_SAFE_INTEGER);
  expect(taken.lost()).toBe(false);
  await clock.advance(leaseTimes.renew + 1);
  expect(taken.lost()).toBe(true);
  await opened.close();
});
