/** Asks a process under test for its event loop's delay and its heap: more than `/metrics` tells. `probed.ts` answers. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Parley } from "../e2e/parley.ts";
import { probeVariable, type Heap, type LoopSecond } from "./probed.ts";
import { overlaps, type Span } from "./spans.ts";

/** A collection is over by then, in ms. */
const answerMs = 10_000;

/** Of one process, all of its lives together, in ms. */
export interface LoopDelay {
  readonly times: number;
  readonly p99: number;
  /** 99 of 100 in the worst second. */
  readonly worstSecond: number;
  readonly longest: number;
}

/** The delay below which `share` of all are. */
function below(delays: LoopSecond["delays"], share: number): number {
  const sorted = delays.toSorted(([a], [b]) => a - b);
  let left = Math.ceil(sorted.reduce((sum, [, count]) => sum + count, 0) * share);
  return sorted.find(([, count]) => (left -= count) <= 0)?.[0] ?? 0;
}

/** Every delay of these seconds in one distribution. Null without any. */
export function loopDelayOf(seconds: readonly LoopSecond[]): LoopDelay | null {
  const all = new Map<number, number>();
  for (const { delays } of seconds) for (const [ms, count] of delays) all.set(ms, (all.get(ms) ?? 0) + count);
  if (all.size === 0) return null;
  return {
    times: [...all.values()].reduce((sum, count) => sum + count, 0),
    p99: below([...all], 0.99),
    worstSecond: Math.max(...seconds.map(({ delays }) => below(delays, 0.99))),
    longest: Math.max(...all.keys()),
  };
}

export interface Probe {
  /** The process that it asks: that which runs then. */
  of(parley: Pick<Parley, "pid">): void;
  /** Collects, and counts what is left. */
  heap(): Promise<Heap>;
  seconds(): readonly LoopSecond[];
  close(): void;
}

/** What a process is started with so that it can be asked. */
export function openProbe(): { readonly probe: Probe; readonly flags: readonly string[]; readonly env: Record<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), "parley-probe-"));
  const file = join(folder, "told");
  const lines = (): readonly (LoopSecond | Heap)[] =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line.endsWith("}"))
          .map((line) => JSON.parse(line) as LoopSecond | Heap)
      : [];
  const heaps = (): readonly Heap[] => lines().filter((line) => "heap" in line);
  let asked: Pick<Parley, "pid"> | undefined;
  return {
    flags: ["--expose-gc", "--import", "./test/soak/probed.ts"],
    env: { [probeVariable]: file },
    probe: {
      of: (parley) => void (asked = parley),
      async heap() {
        const known = heaps().length;
        process.kill(asked?.pid() ?? 0, "SIGUSR2");
        for (const until = Date.now() + answerMs; ; await wait(50)) {
          const one = heaps()[known];
          if (one !== undefined) return one;
          if (Date.now() > until) throw new Error("a process under test does not tell of its heap");
        }
      },
      seconds: () => lines().filter((line) => "delays" in line),
      close: () => rmSync(folder, { recursive: true, force: true }),
    },
  };
}

/** What a replica's loop did: while it was at work, and while it was being started. The time of a freeze is left out. */
export function loopsOf(
  probe: Pick<Probe, "seconds">,
  away: readonly Span<"killed" | "frozen">[],
  beganAt: number,
): { readonly atWork: LoopDelay | null; readonly starting: LoopDelay | null; readonly frozen: number } {
  const [killed, frozen] = (["killed", "frozen"] as const).map((how) => away.filter((span) => span.how === how));
  const parts = { atWork: [] as LoopSecond[], starting: [] as LoopSecond[], frozen: 0 };
  for (const second of probe.seconds()) {
    if (overlaps(frozen ?? [], second.from, second.to)) parts.frozen++;
    else if (second.from < beganAt || overlaps(killed ?? [], second.from, second.to)) parts.starting.push(second);
    else parts.atWork.push(second);
  }
  return { atWork: loopDelayOf(parts.atWork), starting: loopDelayOf(parts.starting), frozen: parts.frozen };
}
