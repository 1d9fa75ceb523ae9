import { expect, test } from "vitest";
import { createPulse } from "../../../src/service/conversations/pulse.ts";
import { fakeClock } from "../../fakes/clock.ts";

test("the first news goes out at once, the rest at the rate, and the last of a burst is not forgotten", async () => {
  const clock = fakeClock();
  const at: number[] = [];
  const begin = clock.now();
  const pulse = createPulse(clock, 40, () => void at.push(clock.now() - begin));
  for (let step = 0; step < 20; step++) {
    pulse.touch();
    await clock.advance(5);
  }
  await clock.advance(1000);
  expect(at).toEqual([0, 40, 80, 120]);
  await pulse.end();
  expect(clock.pending).toBe(0);
});

test("a slow action is not run twice at a time, and the end waits for it", async () => {
  const clock = fakeClock();
  const gate = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const pulse = createPulse(clock, 10, async () => {
    most = Math.max(most, ++running);
    await gate.promise;
    running -= 1;
  });
  pulse.touch();
  await clock.advance(50);
  pulse.touch();
  const ended = pulse.end();
  gate.resolve();
  await ended;
  await clock.advance(50);
  expect([most, running]).toEqual([1, 0]);
});

test("the end tells of an action's failure, and nothing runs after it", async () => {
  const clock = fakeClock();
  let runs = 0;
  const pulse = createPulse(clock, 10, () => {
    runs += 1;
    throw new Error("disk full");
  });
  pulse.touch();
  await clock.advance(100);
  pulse.touch();
  await clock.advance(100);
  await expect(pulse.end()).rejects.toThrow("disk full");
  expect(runs).toBe(1);
});
