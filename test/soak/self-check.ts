/** The suite's check of itself: with a safeguard taken out it must fail, and for the right reason. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clusterPrograms } from "./cluster.ts";
import type { Verdict } from "./oracle.ts";
import { patchVariable, type Patch } from "./patches.ts";
import type { AllWoken } from "./paused/scenes.ts";
import { soak, type SoakResult } from "./run.ts";
import { pausedBeforeSending } from "./sabotages.ts";
import {
  pausedControls,
  sceneControls,
  soakControls,
  type AllPaused,
  type SceneControl,
  type SoakControl,
} from "./self-check-controls.ts";
import { tableOf } from "./table.ts";

const run = promisify(execFile);

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

/** The scenes that do harm, and those that should. */
export async function pausedHarm({
  patches,
  harms,
}: SceneControl): Promise<Readonly<Record<"harmful" | "expected", readonly string[]>>> {
  const all = await pausedScenes(patches);
  const namesOf = (some: (scene: AllWoken[number]) => boolean): string[] => all.filter(some).map(({ name }) => name);
  return {
    harmful: namesOf(({ called, wrote, shown }) => called.length + wrote.length > 0 || shown),
    expected: namesOf(({ guard }) => harms === "every" || guard === harms),
  };
}

/** The control's soak, small and short. */
async function soakOf({ patches, options, pauses }: SoakControl, seed: number): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), "parley-pause-"));
  try {
    return await soak({
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
      patches: [...patches, ...(pauses === true ? pausedBeforeSending(folder) : [])],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const countsOf = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ") || "nothing";
/** What the oracle has found, in one line. */
const findingsOf = (verdict: Verdict): string =>
  countsOf({
    lost: verdict.lost.length,
    "neither taken in nor answered": verdict.unheard.length,
    "answered twice": verdict.duplicate.length,
    "messages too many": verdict.surplus,
    "out of order": verdict.outOfOrder.length,
    "shown out of order": verdict.shownOutOfOrder.length,
    orphaned: verdict.orphaned.length,
    damaged: verdict.damaged.length,
    "outside of the threads": verdict.elsewhere.length,
    "taken away": verdict.takenAway.length,
    "given up": verdict.givenUp.length,
    "asked twice": verdict.askedTwice.length,
  });

/** Says for each safeguard whether the suite misses it. @returns whether all were */
export async function checkItself(seed: number, say: (line: string) => void): Promise<boolean> {
  let all = true;
  const lines: string[] = [];
  const tell = (name: string, found: boolean, line: string, more: string): void => {
    all &&= found;
    lines.push(`${found ? "as expected" : "NOT FOUND OUT"} | ${name} | ${line}`);
    say(`\n== ${lines.at(-1)}\n\n${more}`);
  };
  for (const { name, patches, shows } of pausedControls) {
    const found = await pausedOwner(patches);
    const sum = (what: "askedTwice" | "overwritten" | "outOfOrder"): number => found.reduce((total, one) => total + one[what], 0);
    const counts = { "asked twice": sum("askedTwice"), overwritten: sum("overwritten"), "out of order": sum("outOfOrder") };
    tell(name, shows(...found), countsOf(counts), JSON.stringify(found, null, 2));
  }
  for (const control of sceneControls) {
    const { harmful, expected } = await pausedHarm(control);
    tell(control.name, harmful.join() === expected.join(), countsOf({ "scenes do harm": harmful.length }), harmful.join("\n"));
  }
  for (const control of soakControls) {
    if (control.options.store === "postgres" && clusterPrograms() === undefined) continue;
    const result = await soakOf(control, seed);
    tell(control.name, control.shows(result), findingsOf(result.verdict), tableOf(result));
  }
  say(`\n${lines.join("\n")}`);
  return all;
}
