/**
 * Preloaded into a process under test: writes down how late its event loop is, each second, and, asked by SIGUSR2, what
 * its heap holds after a collection and how many descriptors are open.
 */
import { appendFileSync, readdirSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { lateness, probeVariable, type Heap, type LoopSecond } from "./probe.ts";

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
