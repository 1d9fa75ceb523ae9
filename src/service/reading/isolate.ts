/** Runs a parser in a thread of its own, which can be ended at any moment: too slow, too large or crashed costs one file, not the process. */
import { Worker } from "node:worker_threads";
import { sleep, type Clock } from "../../clock.ts";
import { Unreadable, type Extracted } from "./extracted.ts";
import type { ParserAnswer, ParserTask } from "./parser-thread.ts";

/** How often the memory outside the thread's heap is looked at, in ms; the heap has a hard limit of its own. */
const memoryCheckMs = 100;

const tooMuchMemory = (cause?: unknown): Unreadable => new Unreadable("it needs too much memory to read", { cause });

/** A parser that ended without an answer. The machine may be to blame as well as the file, so this is not kept. */
const crashed = (cause?: unknown): Unreadable => new Unreadable("reading it failed", { cause, passing: true });

/** Throws Unreadable once the thread holds more than `bytes` outside its heap (unpacked streams, images). */
async function watchMemory(worker: Worker, bytes: number, clock: Clock, ended: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(clock, memoryCheckMs, ended);
    const { external_memory } = await worker.getHeapStatistics();
    if (external_memory > bytes) throw tooMuchMemory();
  }
}

/** Reads one document in a thread. Rejects with Unreadable, or with the signal's reason when it is aborted. */
export async function parseIsolated(task: ParserTask, clock: Clock, signal?: AbortSignal): Promise<Extracted> {
  signal?.throwIfAborted();
  const { parserMemoryMb, parserMs } = task.limits;
  const worker = new Worker(new URL("./parser-thread.ts", import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: parserMemoryMb },
    // What a parser prints about a document is no log line of ours.
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Extracted>();
  const ended = new AbortController();
  const onAbort = (): void => reject(signal?.reason as Error);
  signal?.addEventListener("abort", onAbort, { once: true });
  const stopWaiting = clock.after(parserMs, () => reject(new Unreadable("reading it took too long", { passing: true })));
  worker.on("message", (answer: ParserAnswer) => {
    if ("extracted" in answer) resolve(answer.extracted);
    else reject(new Unreadable(answer.unreadable));
  });
  worker.on("error", (cause: NodeJS.ErrnoException) => {
    reject(cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuchMemory(cause) : crashed(cause));
  });
  worker.on("exit", () => reject(crashed()));
  watchMemory(worker, parserMemoryMb * 2 ** 20, clock, ended.signal).catch((error: unknown) => {
    // Anything else means that the thread has ended, which its own events report.
    if (error instanceof Unreadable) reject(error);
  });
  try {
    return await promise;
  } finally {
    stopWaiting();
    ended.abort();
    signal?.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}
