/** A burst loses nothing and doubles nothing; how fast it is, `npm run bench:slack-burst` measures. */
import { afterEach, expect, it } from "vitest";
import { burst } from "./burst.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

it("acknowledges every one of 400 events, and stores each message once", async () => {
  world = await openWorld("http", { slack: { ackMs: 60_000 } });
  const { unacknowledged, keys, waits } = await burst(world, 400, 200);
  expect(unacknowledged).toBe(0);
  expect(waits).toHaveLength(400);
  const stored = await world.stored();
  expect(stored.toSorted()).toEqual(keys.toSorted());
});
