/** The replicas of Parley under test: started, killed, frozen, and asked for their figures. */
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { startParley, type Parley } from "../e2e/parley.ts";
import { figuresIn, type Figures } from "./figures.ts";
import { patchVariable, patchedLine, type Patch } from "./patches.ts";
import { openProbe, type Probe } from "./probe.ts";
import { statusOf } from "./processes.ts";
import { during, type Span } from "./spans.ts";

export interface Replica {
  readonly name: string;
  readonly parley: Parley;
  readonly probe: Probe;
  /** SIGKILL, a pause, and a new start. */
  kill(pauseMs: number): Promise<void>;
  /** SIGSTOP, a pause, and SIGCONT. */
  freeze(pauseMs: number): Promise<void>;
  /** When it was killed, until it was started again, and when it was frozen. */
  readonly away: readonly Span<"killed" | "frozen">[];
  /** How often it had ended by itself when it was to be killed. */
  readonly fallen: number;
  /** Of every life of the replica, at the last look. */
  readonly figures: readonly Figures[];
  /** Reads `/metrics`, unless the replica is away. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** A supervisor gives up after this, in ms. */
const restartMs = 60_000;
/** One that was frozen goes on for so long before it may be killed, in ms. */
const wakeMs = 10_000;
/** As `npm start` runs it. */
const ownFlags = (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } }).scripts.start
  .split(" ")
  .filter((word) => word.startsWith("--"));

const isRunning = (pid: number): boolean => !["Z", undefined].includes(statusOf(pid)?.state);

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
  const { probe, flags, env: probed } = openProbe();
  const parley = await startParley(
    { ...env, ...probed, ...(patches.length === 0 ? {} : { [patchVariable]: JSON.stringify(patches) }) },
    { flags: [...ownFlags, ...flags, ...preload] },
  );
  probe.of(parley);
  for (const patch of patches)
    if (!parley.log().includes(patchedLine(patch))) throw new Error(`not loaded, so not changed: ${patch.file}`);
  const lives: Figures[][] = [[]];
  const away: Span<"killed" | "frozen">[] = [];
  let fallen = 0;
  const isUp = (): boolean => away.every(({ to }) => to < Infinity);
  /** Kills and freezes of one replica go one after the other. */
  let busy: Promise<void> = Promise.resolve();
  const alone = (work: () => Promise<void>): Promise<void> => (busy = busy.then(work));

  return {
    name,
    parley,
    probe,
    away,
    kill: (pauseMs) =>
      alone(() =>
        during(away, "killed", async () => {
          if (!isRunning(parley.pid())) fallen++;
          await parley.kill();
          await wait(pauseMs);
          await supervised(parley);
          lives.push([]);
        }),
      ),
    freeze: (pauseMs) =>
      alone(async () => {
        await during(away, "frozen", async () => {
          process.kill(parley.pid(), "SIGSTOP");
          await wait(pauseMs);
          process.kill(parley.pid(), "SIGCONT");
        });
        // A kill that is due by now would end it before it does what it must not.
        await wait(wakeMs);
      }),
    get fallen() {
      return fallen;
    },
    get figures() {
      return lives.flatMap((looks) => looks.slice(-1));
    },
    async look() {
      if (!isUp()) return;
      const life = lives.at(-1);
      try {
        const answer = await fetch(`${new URL(parley.url).origin}/metrics`, { signal: AbortSignal.timeout(2_000) });
        if (answer.ok) life?.push(figuresIn(await answer.text()));
      } catch (thrown) {
        // It was killed meanwhile; what it had is lost with it.
        if (isUp() && life === lives.at(-1)) process.stderr.write(`no metrics of ${name}: ${String(thrown)}\n`);
      }
    },
    async close() {
      await parley.close();
      probe.close();
    },
  };
}
