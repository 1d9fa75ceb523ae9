/** Kills and freezes replicas, and restarts the database, at times that nobody can foresee but the seed. */
import { setTimeout as wait } from "node:timers/promises";
import { databaseHarms, type Cluster } from "./cluster.ts";
import type { Random } from "./random.ts";
import type { Replica } from "./replicas.ts";

export interface Harm {
  readonly kills: number;
  readonly freezes: number;
  readonly databaseRestarts: number;
}

export interface HarmOptions {
  readonly replicas: readonly Replica[];
  readonly cluster: Cluster | undefined;
  readonly kills: number;
  readonly freezes: number;
  readonly databaseRestarts: number;
  readonly endsAt: number;
  readonly random: Random;
  readonly say: (line: string) => void;
}

/** A killed replica is started again after up to this, in ms. */
const longestPauseMs = 2_000;
/** Longer than a lease and its grace: somebody else has the frozen one's turns by then. */
const freezeMs = 40_000;

export async function harm({ replicas, cluster, endsAt, random, say, ...wanted }: HarmOptions): Promise<Harm> {
  const now = Date.now();
  const done = { kills: 0, freezes: 0, databaseRestarts: 0 };
  const pick = (): Replica => random.pick(replicas as [Replica, ...Replica[]]);
  const deeds: Record<keyof Harm, () => Promise<void>> = {
    kills: () => pick().kill(random.next() * longestPauseMs),
    freezes: () => pick().freeze(freezeMs),
    databaseRestarts: () => cluster?.harm(random.pick(databaseHarms)) ?? Promise.resolve(),
  };
  const plan = (Object.keys(deeds) as (keyof Harm)[])
    .flatMap((kind) => Array.from({ length: wanted[kind] }, () => ({ kind, at: now + random.next() * (endsAt - now) })))
    .toSorted((a, b) => a.at - b.at);
  const under: Promise<void>[] = [];
  for (const { kind, at } of plan) {
    await wait(Math.max(0, at - Date.now()));
    under.push(
      deeds[kind]().then(
        () => void done[kind]++,
        (thrown: unknown) => say(`could not be done: ${kind}: ${String(thrown).slice(-300)}`),
      ),
    );
  }
  await Promise.all(under);
  return done;
}
