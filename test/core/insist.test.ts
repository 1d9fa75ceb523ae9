import { describe, expect, test } from "vitest";
import { insist } from "../../src/core/insist.ts";
import { WriteFault } from "../../src/errors.ts";
import { fakeClock } from "../fakes/clock.ts";

/** Work that fails with these, and then succeeds; begun at once. */
function begin(failures: readonly Error[], onFailure: (thrown: unknown) => void = () => {}) {
  const clock = fakeClock();
  const began = clock.now();
  const left = [...failures];
  const stop = new AbortController();
  /** When it was tried, in ms from the beginning. */
  const tries: number[] = [];
  const work = (): Promise<string> => {
    tries.push(clock.now() - began);
    const failure = left.shift();
    return failure === undefined ? Promise.resolve("done") : Promise.reject(failure);
  };
  const done = insist(work, { clock, firstMs: 1_000, longestMs: 4_000, onFailure, signal: stop.signal }).catch(
    (thrown: unknown) => thrown,
  );
  return { clock, tries, stop, done };
}
const away = new Error("the store is away");
const limited = (retryAfterMs: number): WriteFault => new WriteFault("rate_limited", "too many", { retryAfterMs });

describe("insisting", () => {
  test("tries again after waits that grow up to the longest, and gives what came of it", async () => {
    const told: unknown[] = [];
    const { clock, tries, done } = begin([away, away, away, away], (thrown) => told.push(thrown));
    await clock.advance(60_000);
    expect(await done).toBe("done");
    expect(tries).toEqual([0, 1_000, 3_000, 7_000, 11_000]);
    expect(told).toEqual([away, away, away, away]);
  });

  test("waits as long as a rate limit names, and for five minutes where it names a day", async () => {
    const { clock, tries, done } = begin([limited(20_000), limited(86_400_000), limited(1)]);
    await clock.advance(600_000);
    expect(await done).toBe("done");
    expect(tries).toEqual([0, 20_000, 320_000, 324_000]);
  });

  test("ends with what is told to end it", async () => {
    const { clock, tries, done } = begin([away, limited(1)], (thrown) => {
      if (thrown instanceof WriteFault) throw thrown;
    });
    await clock.advance(60_000);
    expect(await done).toBeInstanceOf(WriteFault);
    expect(tries).toEqual([0, 1_000]);
  });

  test("ends in the middle of a wait with its signal, and leaves no timer", async () => {
    const { clock, tries, stop, done } = begin([away]);
    await clock.advance(500);
    stop.abort(new Error("stopping"));
    expect(await done).toEqual(new Error("stopping"));
    expect(clock.pending).toBe(0);
    expect(tries).toEqual([0]);
  });

  test("tries once after the end of its signal", async () => {
    const { stop, tries, done } = begin([]);
    stop.abort(new Error("stopping"));
    expect(await done).toBe("done");
    expect(tries).toEqual([0]);
  });
});
