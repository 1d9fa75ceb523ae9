/**
 * Preloaded into a process under test: writes down how late its event loop is, each second, and, asked by SIGUSR2, what
 * its heap holds after a collection and how many descriptors are open.
 */
import { appendFileSync, readdirSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** The variable that names the file of its answers. */
export const probeVariable = "PARLEY_TEST_PROBE";
/** How often it is looked how late the event loop is, in ms. */
const stepMs = 10;
const tellMs = 1_000;

/** The event loop of about a second. Times in ms since 1970. */
export interface LoopSecond {
  readonly from: number;
  readonly to: number;
  /** How often the loop was late by so many whole ms. */
  readonly delays: readonly (readonly [ms: number, count: number])[];
}

export interface Heap {
  /** In bytes, after a collection. */
  readonly heap: number;
  readonly descriptors: number;
}

/** Tells each second how much later than asked for a timer of 10 ms came, each time. */
export function lateness(tell: (second: LoopSecond) => void): { readonly forget: () => void; readonly stop: () => void } {
  let delays = new Map<number, number>();
  let [last, from] = [performance.now(), Date.now()];
  const step = setInterval(() => {
    const now = performance.now();
    const late = Math.max(0, Math.ceil(now - last - stepMs));
    delays.set(late, (delays.get(late) ?? 0) + 1);
    last = now;
    const to = Date.now();
    if (to - from < tellMs) return;
    tell({ from, to, delays: [...delays] });
    delays = new Map();
    from = to;
  }, stepMs).unref();
  return {
    forget: () => void (last = performance.now()),
    stop: () => clearInterval(step),
  };
}

const file = process.env[probeVariable];
const tell = (line: LoopSecond | Heap): void => appendFileSync(file ?? "", `${JSON.stringify(line)}\n`);

if (file !== undefined && isMainThread) {
  const late = lateness((second) => tell(second));
  process.on("SIGUSR2", () => {
    gc?.();
    tell({ heap: process.memoryUsage().heapUsed, descriptors: readdirSync("/proc/self/fd").length });
    // The collection was the suite's.
    late.forget();
  });
}
