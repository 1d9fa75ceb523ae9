/** The suite's check of itself: with a safeguard taken out it must fail, and for the right reason. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { clusterPrograms } from "./cluster.ts";
import type { Verdict } from "./oracle.ts";
import { patchVariable, type Patch } from "./patches.ts";
import type { Paused } from "./paused-owner.ts";
import { soak, type SoakOptions } from "./run.ts";
import type { Guard } from "./paused/pause.ts";
import type { AllWoken } from "./paused/scenes.ts";
import {
  noDeduplication,
  noPermit,
  noPermitToCall,
  noPermitToCount,
  noPermitToKeep,
  noStoreFence,
  ownRetries,
} from "./sabotages.ts";
import { tableOf } from "./table.ts";

interface Control {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** What must be found. */
  readonly shows: (verdict: Verdict) => boolean;
  readonly options: Partial<SoakOptions>;
}

const sound = ({ lost, unheard, duplicate, surplus, outOfOrder, orphaned, askedTwice }: Verdict): boolean =>
  lost.length + unheard.length + duplicate.length + surplus + outOfOrder.length + orphaned.length + askedTwice.length === 0;

const controls: readonly Control[] = [
  { name: "nothing taken out", patches: [], shows: sound, options: {} },
  {
    name: "deduplication off",
    patches: noDeduplication,
    shows: ({ duplicate, surplus }) => duplicate.length > 0 && surplus > 0,
    options: {},
  },
  {
    name: "the SDKs' own retries on",
    patches: ownRetries,
    shows: ({ duplicate, surplus }) => duplicate.length + surplus > 0,
    options: { faults: 0.4 },
  },
];
/** Longer than a lease: another replica takes the turns of the frozen one, which then wakes. */
const frozen: Control = {
  name: "nothing taken out, and replicas frozen",
  patches: [],
  shows: sound,
  options: { store: "postgres", replicas: 2, freezes: 3, kills: 0, minutes: 1 },
};

const run = promisify(execFile);

type AllPaused = readonly [before: Paused, sending: Paused, amid: Paused];

/** What a program says, in a process of its own, with its source patched. */
async function said(program: string, patches: readonly Patch[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["--import", "./test/soak/patches.ts", program], {
    env: { ...process.env, [patchVariable]: JSON.stringify(patches) },
  });
  return JSON.parse(stdout) as unknown;
}

/** What a paused owner changes of two questions when it wakes, for each moment at which it is paused. */
export const pausedOwner = (patches: readonly Patch[]): Promise<AllPaused> =>
  said("test/soak/paused-owner.ts", patches) as Promise<AllPaused>;

/** What a paused owner still does when it wakes, for everything that is done once. */
const pausedScenes = (patches: readonly Patch[]): Promise<AllWoken> =>
  said("test/soak/paused/scenes.ts", patches) as Promise<AllWoken>;

interface PausedControl {
  readonly name: string;
  readonly patches: readonly Patch[];
  readonly shows: (...all: AllPaused) => boolean;
}

export const pausedControls: readonly PausedControl[] = [
  {
    name: "an owner paused for longer than its lease, nothing taken out",
    patches: [],
    shows: (...all) => all.every(({ askedTwice, overwritten, outOfOrder }) => askedTwice + overwritten + outOfOrder === 0),
  },
  {
    name: "every fence off: the paused owner asks again, out of order",
    patches: [...noStoreFence, ...noPermit],
    shows: (before, sending) => [before, sending].every(({ askedTwice, outOfOrder }) => askedTwice > 0 && outOfOrder > 0),
  },
  {
    name: "the permit to write off: the paused owner's old text covers the whole answer",
    patches: noPermit,
    shows: (_before, _sending, amid) => amid.overwritten > 0,
  },
  {
    name: "the permit to send off: the paused owner sends what another has sent",
    patches: noPermitToCall,
    shows: (_before, sending) => sending.askedTwice > 0 && sending.outOfOrder > 0,
  },
];

interface SceneControl {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** The guard that is taken out: its scenes do harm, and no others. */
  readonly without: Guard | null;
}

export const sceneControls: readonly SceneControl[] = [
  { name: "nothing taken out: whoever wakes does nothing any more", patches: [], without: null },
  {
    name: "the look at the lease before calls off: it asks, runs and begins what another has",
    patches: noPermitToCall,
    without: "call",
  },
  {
    name: "the look at the lease before what is kept off: it takes back what others have kept",
    patches: noPermitToKeep,
    without: "keep",
  },
  {
    name: "the look at the lease before counting off: it counts what another has counted",
    patches: noPermitToCount,
    without: "count",
  },
];

/** The scenes that do harm, and those that should. */
export async function pausedHarm({
  patches,
  without,
}: SceneControl): Promise<Readonly<Record<"harmful" | "expected", readonly string[]>>> {
  const all = await pausedScenes(patches);
  const namesOf = (some: (scene: AllWoken[number]) => boolean): string[] => all.filter(some).map(({ name }) => name);
  return {
    harmful: namesOf(({ called, wrote, shown }) => called.length + wrote.length > 0 || shown),
    expected: namesOf(({ guard }) => guard === without),
  };
}

/** Says for each safeguard whether the suite misses it. @returns whether all were */
export async function checkItself(seed: number, say: (line: string) => void): Promise<boolean> {
  let all = true;
  const tell = (name: string, found: boolean, what: string): void => {
    all &&= found;
    say(`\n== ${name}: ${found ? "as expected" : "NOT FOUND OUT"}\n\n${what}`);
  };
  for (const { name, patches, shows } of pausedControls) {
    const found = await pausedOwner(patches);
    tell(name, shows(...found), JSON.stringify(found, null, 2));
  }
  for (const control of sceneControls) {
    const { harmful, expected } = await pausedHarm(control);
    tell(control.name, harmful.join() === expected.join(), harmful.join("\n"));
  }
  for (const { name, patches, shows, options } of clusterPrograms() === undefined ? controls : [...controls, frozen]) {
    const result = await soak({
      threads: 12,
      turns: 5,
      store: "sqlite",
      replicas: 1,
      faults: 0.1,
      kills: 1,
      freezes: 0,
      databaseRestarts: 0,
      minutes: 0.4,
      seed,
      ...options,
      patches,
    });
    tell(name, shows(result.verdict), tableOf(result));
  }
  return all;
}
