/** One distribution of every delay, of which nothing is left out but the time of a freeze. */
import { expect, test } from "vitest";
import { loopDelayOf, loopsOf } from "./probe.ts";
import type { LoopSecond } from "./probed.ts";
import type { Span } from "./spans.ts";

const second = (at: number, ...delays: [ms: number, count: number][]): LoopSecond => ({
  from: at * 1_000,
  to: at * 1_000 + 999,
  delays,
});

test("the delay that 99 of 100 stay below is that of all delays, not of the seconds that are well", () => {
  const calm = Array.from({ length: 19 }, (_, at) => second(at, [1, 100]));
  // One second in twenty is bad: 30 of 2,000 delays are long.
  const bad = second(19, [1, 70], [80, 30]);
  expect(loopDelayOf([...calm, bad])).toEqual({ times: 2_000, p99: 80, worstSecond: 80, longest: 80 });
  expect(loopDelayOf(calm)).toEqual({ times: 1_900, p99: 1, worstSecond: 1, longest: 1 });
  expect(loopDelayOf([])).toBeNull();
});

test("every second counts: at work, while it is started, or as one with a freeze in it", () => {
  const seconds = [0, 1, 2, 3, 4, 5].map((at) => second(at, [at, 1]));
  const away: Span<"killed" | "frozen">[] = [
    { how: "killed", from: 2_500, to: 3_200 },
    { how: "frozen", from: 5_100, to: 5_900 },
  ];
  const { atWork, starting, frozen } = loopsOf({ seconds: () => seconds }, away, 1_000);
  expect(atWork).toMatchObject({ times: 2, longest: 4 });
  expect(starting).toMatchObject({ times: 3, longest: 3 });
  expect(frozen).toBe(1);
});
