/** A burst loses nothing and doubles nothing; how fast it is, `npm run bench:slack-burst` measures. */
import { afterEach, expect, it } from "vitest";
import { burst } from "./burst.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

it("acknowledges every one of 600 events at once, and stores each message once", async () => {
  world = await openWorld("http");
  const { unacknowledged, keys, waits } = await burst(world, 600, 400);
  expect(unacknowledged).toBe(0);
  expect(waits).toHaveLength(600);
  const stored = await world.stored();
  expect(stored.toSorted()).toEqual(keys.toSorted());
});
