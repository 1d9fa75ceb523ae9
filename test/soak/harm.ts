/** Kills and freezes replicas, and harms the database, at times that nobody can foresee but the seed. */
import { setTimeout as wait } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { Random } from "./random.ts";
import type { Replica } from "./replicas.ts";

/** How often each is done. */
export interface Harm {
  readonly kills: number;
  /** Replicas that are stopped for longer than a lease, and go on. */
  readonly freezes: number;
  /** Every second one by SIGKILL of the whole server. */
  readonly databaseRestarts: number;
  /** Every connection of the database is ended. */
  readonly databaseCuts: number;
  /** The whole database stands still. */
  readonly databaseFreezes: number;
}

export interface HarmOptions {
  readonly replicas: readonly Replica[];
  readonly cluster: Cluster | undefined;
  readonly wanted: Harm;
  readonly endsAt: number;
  readonly random: Random;
}

/** A killed replica is started again after up to this, in ms. */
const longestPauseMs = 2_000;
/** Longer than a lease and its grace: somebody else has the frozen one's turns by then. */
const freezeMs = 40_000;
/** Parley waits a second for an answer of its store: some freezes are shorter, most are longer. */
const databaseFreezeMs = { least: 500, most: 5_000 };

/** What was done stands in `Replica.away` and `Cluster.harmed`. @returns what could not be done */
export async function harm({ replicas, cluster, wanted, endsAt, random }: HarmOptions): Promise<readonly string[]> {
  const now = Date.now();
  const pick = (): Replica => random.pick(replicas as [Replica, ...Replica[]]);
  const { least, most } = databaseFreezeMs;
  const deeds: Record<keyof Harm, (index: number) => Promise<void> | undefined> = {
    kills: () => pick().kill(random.next() * longestPauseMs),
    freezes: () => pick().freeze(freezeMs),
    databaseRestarts: (index) => cluster?.harm(index % 2 === 0 ? "kill" : "restart"),
    databaseCuts: () => cluster?.harm("cut"),
    databaseFreezes: () => cluster?.harm("freeze", least + random.next() * (most - least)),
  };
  /** What takes long begins early enough to be over in the end, where there is the time. */
  const timeFor = (kind: keyof Harm): number =>
    kind === "freezes" ? Math.max((endsAt - now) / 2, endsAt - now - freezeMs) : endsAt - now;
  const plan = (Object.keys(deeds) as (keyof Harm)[])
    .flatMap((kind) =>
      Array.from({ length: wanted[kind] }, (_, index) => ({ kind, index, at: now + random.next() * timeFor(kind) })),
    )
    .toSorted((a, b) => a.at - b.at);
  const undone: string[] = [];
  const under: Promise<void>[] = [];
  for (const { kind, index, at } of plan) {
    await wait(Math.max(0, at - Date.now()));
    const doing = deeds[kind](index) ?? Promise.resolve();
    under.push(doing.catch((thrown: unknown) => void undone.push(`${kind}: ${String(thrown).slice(-300)}`)));
  }
  await Promise.all(under);
  return undone;
}
