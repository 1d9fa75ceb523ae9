/** Time comes in from outside, so that tests decide it. */

/** Ends a timer; calling it again does nothing. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since 1970; stored and compared across processes. */
  now(): number;
  /** Calls `then` once, `ms` from now or later. A timer keeps the process alive only where `main.ts` decides so. */
  after(ms: number, then: () => void): Cancel;
}

// Timers of more than 2^31-1 ms fire at once in Node.
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, Math.min(Math.max(0, ms), longestTimer));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. Takes its timer and listener down either way. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
