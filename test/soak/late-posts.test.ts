/** What Parley logs of late posts is what the soak allows to be taken away. */
import { expect, test } from "vitest";
import { openPaused } from "../core/paused.ts";
import { lateRemovals } from "./late-posts.ts";

test.each([
  ["taken away counts", undefined, 1],
  ["gone on with does not", "after post", 0],
] as const)("a late post that is %s", async (_, moment, removals) => {
  const under = await openPaused();
  try {
    await under.takenOver(moment);
    under.answerAll("finished", "The whole answer");
    await under.world.run(12_000);
    await under.wakes();
    expect(under.world.latePosts).toEqual([removals === 1 ? "removed" : "kept"]);
    expect(lateRemovals(under.world.log.join(""))).toBe(removals);
    expect(under.removals()).toHaveLength(removals);
  } finally {
    await under.world.close();
  }
});
