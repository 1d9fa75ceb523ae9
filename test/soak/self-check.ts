/** The suite's check of itself: with a safeguard taken out it must fail, and for the right reason. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { clusterPrograms } from "./cluster.ts";
import type { Verdict } from "./oracle.ts";
import { patchVariable, type Patch } from "./patches.ts";
import type { Paused } from "./paused-owner.ts";
import { soak, type SoakOptions } from "./run.ts";
import { noDeduplication, noPermit, noPermitToSend, noStoreFence, ownRetries } from "./sabotages.ts";
import { tableOf } from "./table.ts";

interface Control {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** What must be found. */
  readonly shows: (verdict: Verdict) => boolean;
  readonly options: Partial<SoakOptions>;
}

const sound = ({ lost, duplicate, surplus, outOfOrder, orphaned, askedTwice }: Verdict): boolean =>
  lost.length + duplicate.length + surplus + outOfOrder.length + orphaned.length + askedTwice.length === 0;

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

/** What a paused owner changes when it wakes, in a process of its own, for each moment at which it is paused. */
export async function pausedOwner(patches: readonly Patch[]): Promise<AllPaused> {
  const { stdout } = await run(process.execPath, ["--import", "./test/soak/patches.ts", "test/soak/paused-owner.ts"], {
    env: { ...process.env, [patchVariable]: JSON.stringify(patches) },
  });
  return JSON.parse(stdout) as unknown as AllPaused;
}

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
    patches: noPermitToSend,
    shows: (_before, sending) => sending.askedTwice > 0 && sending.outOfOrder > 0,
  },
];

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
