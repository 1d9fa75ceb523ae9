/** The replicas of Parley under test: started, killed, frozen, and asked for their figures. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { startParley, type Parley } from "../e2e/parley.ts";
import { figuresIn, type Figures } from "./figures.ts";
import { patchVariable, patchedLine, type Patch } from "./patches.ts";

export interface Replica {
  readonly name: string;
  readonly parley: Parley;
  /** False from a kill to the end of the start after it. */
  readonly up: boolean;
  /** SIGKILL, a pause, and a new start. */
  kill(pauseMs: number): Promise<void>;
  /** SIGSTOP, a pause, and SIGCONT. */
  freeze(pauseMs: number): Promise<void>;
  /** Of every life of the replica, at the last look. */
  readonly figures: readonly Figures[];
  /** What the process takes now; null where `/proc` is not there. */
  usage(): Usage | null;
  /** Reads `/metrics`, unless the replica is away. */
  look(): Promise<void>;
}

export interface Usage {
  readonly residentMb: number;
  readonly descriptors: number;
}

export function usageOf(pid: number): Usage | null {
  try {
    const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    return { residentMb: resident / 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

/** A supervisor gives up after this, in ms. */
const restartMs = 60_000;
/** One that was frozen goes on for so long before it may be killed, in ms. */
const wakeMs = 10_000;
/** As `npm start` runs it. */
const ownFlags = ["--max-semi-space-size=2"];

/** Starts it again as a supervisor would: also when it ends at once, as it does while the database is away. */
async function supervised(parley: Parley): Promise<void> {
  for (const end = Date.now() + restartMs; ; await wait(500)) {
    try {
      return await parley.restart();
    } catch (thrown) {
      if (Date.now() > end) throw thrown;
    }
  }
}

export async function startReplica(name: string, env: Record<string, string>, patches: readonly Patch[]): Promise<Replica> {
  const preload = patches.length === 0 ? [] : ["--import", "./test/soak/patches.ts"];
  const parley = await startParley(
    { ...env, ...(patches.length === 0 ? {} : { [patchVariable]: JSON.stringify(patches) }) },
    { flags: [...ownFlags, ...preload] },
  );
  for (const patch of patches)
    if (!parley.log().includes(patchedLine(patch))) throw new Error(`not loaded, so not changed: ${patch.file}`);
  const lives: Figures[][] = [[]];
  let up = true;
  /** Kills and freezes of one replica go one after the other. */
  let busy: Promise<void> = Promise.resolve();
  const alone = (work: () => Promise<void>): Promise<void> => (busy = busy.then(work));

  return {
    name,
    parley,
    get up() {
      return up;
    },
    kill: (pauseMs) =>
      alone(async () => {
        up = false;
        await parley.kill();
        await wait(pauseMs);
        await supervised(parley);
        lives.push([]);
        up = true;
      }),
    freeze: (pauseMs) =>
      alone(async () => {
        up = false;
        process.kill(parley.pid(), "SIGSTOP");
        await wait(pauseMs);
        process.kill(parley.pid(), "SIGCONT");
        up = true;
        // A kill that is due by now would end it before it does what it must not.
        await wait(wakeMs);
      }),
    get figures() {
      return lives.flatMap((looks) =>
        looks.slice(-1).map((last) => ({ ...last, loopP99s: looks.flatMap((one) => one.loopP99s) })),
      );
    },
    usage: () => usageOf(parley.pid()),
    async look() {
      if (!up) return;
      const life = lives.at(-1);
      try {
        const answer = await fetch(`${new URL(parley.url).origin}/metrics`, { signal: AbortSignal.timeout(2_000) });
        if (answer.ok) life?.push(figuresIn(await answer.text()));
      } catch (thrown) {
        // It was killed meanwhile; what it had is lost with it.
        if (up && life === lives.at(-1)) process.stderr.write(`no metrics of ${name}: ${String(thrown)}\n`);
      }
    },
  };
}
