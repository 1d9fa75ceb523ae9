/** A stretch without kills, in which people go on asking: what memory and descriptors do in processes that live. */
import { setTimeout as wait } from "node:timers/promises";
import { percentile } from "../../bench/figures.ts";
import type { Probe } from "./probe.ts";

/** Medians of some looks. */
export interface Held {
  /** What the heap holds after a collection, in bytes. */
  readonly heap: number;
  readonly descriptors: number;
}

export interface Stretch {
  readonly name: string;
  readonly start: Held;
  readonly end: Held;
  /** Between the two, in ms. */
  readonly ms: number;
}

/** What was killed last has come to itself after this share of the stretch. */
const settlingShare = 0.25;
/** How often it is looked at the start and at the end, and how long it waits in between, in ms: how many answers are under way varies. */
const looks = 5;
const betweenMs = 1_000;

async function held(probe: Probe): Promise<Held> {
  const all: Held[] = [];
  for (let look = 0; look < looks; look++) {
    if (look > 0) await wait(betweenMs);
    all.push(await probe.heap());
  }
  const median = (of: (one: Held) => number): number => percentile(all.map(of), 0.5);
  return { heap: median(({ heap }) => heap), descriptors: median(({ descriptors }) => descriptors) };
}

export async function steadyStretch(
  processes: readonly { readonly name: string; readonly probe: Probe }[],
  endsAt: number,
  say: (line: string) => void,
): Promise<readonly Stretch[]> {
  const look = (): Promise<Held[]> => Promise.all(processes.map(({ probe }) => held(probe)));
  await wait(Math.max(0, (endsAt - Date.now()) * settlingShare));
  say("nothing is killed any more");
  const [from, starts] = [Date.now(), await look()];
  await wait(Math.max(0, endsAt - looks * betweenMs - Date.now()));
  const ends = await look();
  return processes.map(({ name }, index) => ({ name, start: starts[index]!, end: ends[index]!, ms: Date.now() - from }));
}
