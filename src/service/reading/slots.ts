/** Lets only so many pieces of work run at once; the others wait in order. */

/** Runs `work` when a slot is free. Rejects with the signal's reason when it is aborted while waiting. */
export type InSlot = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function slots(count: number): InSlot {
  let free = count;
  const waiting: Array<() => void> = [];
  const turn = (signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = (): void => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = (): void => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(signal?.reason as Error);
    };
    waiting.push(begin);
    signal?.addEventListener("abort", leave, { once: true });
    return promise;
  };
  return async (work, signal) => {
    signal?.throwIfAborted();
    if (free > 0) free--;
    else await turn(signal);
    try {
      return await work();
    } finally {
      // The slot passes on directly, so that nobody who comes later overtakes who waits.
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
