/** What `/metrics` serves where the store is there, and where it is not. */
import { expect, test } from "vitest";
import { createMetrics, type Depth } from "../src/metrics.ts";

const ofTheStore = ["parley_turns_waiting", "parley_turns_running", "parley_oldest_waiting_seconds"];
const valueOf = (text: string, name: string): number | undefined => {
  const found = new RegExp(`^${name} (\\S+)$`, "m").exec(text);
  return found === null ? undefined : Number(found[1]);
};

test("where the store is away, what it would tell is left out and the rest is served; afterwards it is told again", async () => {
  let depth: () => Promise<Depth> = () => Promise.resolve({ waiting: 3, running: 2, oldestWaitingMs: 1_500 });
  const metrics = createMetrics(() => depth());
  metrics.turnsHere(2);
  const told = async (): Promise<(number | undefined)[]> => {
    const text = await metrics.text();
    return [...ofTheStore, "parley_store_answers", "parley_turns_here"].map((name) => valueOf(text, name));
  };
  const there = [3, 2, 1.5, 1, 2];
  expect(await told()).toEqual(there);
  const before = depth;
  depth = () => Promise.reject(new Error("timeout"));
  expect(await told()).toEqual([undefined, undefined, undefined, 0, 2]);
  depth = before;
  expect(await told()).toEqual(there);
});
