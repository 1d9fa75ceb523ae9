/** Lanes over a real store: what they find by themselves, when nobody tells them of it. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLanes, type Lanes } from "../../src/core/lanes.ts";
import type { StoredTurn } from "../../src/core/turns/store.ts";
import { createLog } from "../../src/log.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { silentMetrics } from "../fakes/metrics.ts";
import { openStore, type Opened } from "../store/open.ts";
import { says } from "./engine.ts";

let opened: Opened;
let clock: FakeClock;
let lanes: Lanes;
const begun: string[] = [];
beforeEach(async () => {
  opened = await openStore();
  clock = fakeClock();
  begun.length = 0;
  const ends = async (turn: StoredTurn): Promise<void> => {
    begun.push(turn.key);
    await opened.store.close(turn, clock.now(), "done", false);
  };
  lanes = createLanes({
    store: opened.store,
    owner: "me",
    exclusive: true,
    run: ends,
    onLeft: () => {},
    onReleased: () => {},
    onLateWrite: () => {},
    clock,
    metrics: silentMetrics,
    log: createLog("error", { write: (line: string) => expect.fail(line) }),
  });
});
afterEach(async () => {
  await lanes.drain();
  await opened.close();
});

/** Two turns of a lane, the first of which is deleted: as when its person is forgotten. */
const leaveBehind = async (lane: string): Promise<void> => {
  for (const at of [1, 2]) await opened.store.put(says(`${lane} ${at}`, "hello"), lane, clock.now());
  await opened.db.deleteFrom("turns").where("key", "=", `${lane} 1`).execute();
};

test("a turn whose predecessor vanished is begun at the start, and within ten seconds of its vanishing", async () => {
  await leaveBehind("a");
  await lanes.start();
  await clock.advance(0);
  expect(begun).toEqual(["a 2"]);
  await leaveBehind("b");
  await clock.advance(10_000);
  expect(begun).toEqual(["a 2", "b 2"]);
});
