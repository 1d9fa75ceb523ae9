import { expect, test } from "vitest";
import { createRunning, Ended } from "../../../src/service/conversations/running.ts";

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

test("replies of one conversation are made one after another, of several at the same time", async () => {
  const running = createRunning();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const work =
    (name: string, gate: Promise<void> = Promise.resolve()) =>
    async () => {
      seen.push(`${name} begins`);
      await gate;
      seen.push(`${name} ends`);
    };
  const all = [running.enqueue(1, work("1a", first.promise)), running.enqueue(1, work("1b")), running.enqueue(2, work("2"))];
  await all[2];
  expect(seen).toEqual(["1a begins", "2 begins", "2 ends"]);
  first.resolve();
  await Promise.all(all);
  expect(seen.slice(3)).toEqual(["1a ends", "1b begins", "1b ends"]);
});

test("a failed reply does not hold up the next one", async () => {
  const running = createRunning();
  const failed = running.enqueue(1, () => Promise.reject(new Error("disk full")));
  const next = running.enqueue(1, () => Promise.resolve());
  await expect(failed).rejects.toThrow("disk full");
  await expect(next).resolves.toBeUndefined();
});

test("ending a conversation ends what runs and what waits, and nothing else", async () => {
  const running = createRunning();
  const reasons: unknown[] = [];
  const note = (error: unknown): void => void reasons.push((error as Ended).reason);
  const ended = [running.enqueue(1, untilAborted), running.enqueue(1, async (signal) => signal.throwIfAborted())];
  const other = running.enqueue(2, untilAborted);
  const settled = Promise.all(ended.map((one) => one.catch(note)));
  await running.end(1, "stopped");
  await settled;
  expect(reasons).toEqual(["stopped", "stopped"]);
  other.catch(note);
  await running.close();
  expect(reasons).toEqual(["stopped", "stopped", "closing"]);
});

test("after the close, work finds its signal aborted", async () => {
  const running = createRunning();
  await running.close();
  await expect(running.enqueue(1, async (signal) => signal.throwIfAborted())).rejects.toBeInstanceOf(Ended);
});
