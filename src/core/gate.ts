/** Lets so many in at once, and tells those who wait what number they are; nobody is sent away. */
import type { Cancel, Clock } from "../clock.ts";

export interface Gate {
  /**
   * Resolves once there is room, or as soon as `hurry` ends; rejects when `signal` does.
   * @param onPlace told what number this one is, from 1 on, whenever that has changed
   * @returns to be called at the end: makes room for the next
   */
  enter(signal: AbortSignal, hurry: AbortSignal, onPlace: (number: number) => void): Promise<() => void>;
}

/** Between two times that those who wait are told their number, in ms. */
const tellMs = 5_000;

interface Waiter {
  readonly onPlace: (number: number) => void;
  readonly admit: () => void;
  told: number;
}

/** @param width how many are in at once */
export function createGate(width: number, clock: Clock): Gate {
  let inside = 0;
  const waiting: Waiter[] = [];
  let cancel: Cancel | undefined;

  const tell = (): void => {
    cancel = undefined;
    for (const [index, waiter] of waiting.entries()) {
      if (waiter.told === index + 1) continue;
      waiter.told = index + 1;
      waiter.onPlace(index + 1);
    }
    if (waiting.length > 0) cancel = clock.after(tellMs, tell);
  };
  const leaving = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside--;
      const next = waiting.shift();
      if (next !== undefined) {
        inside++;
        next.admit();
      }
      if (waiting.length > 0) return;
      cancel?.();
      cancel = undefined;
    };
  };

  return {
    async enter(signal, hurry, onPlace) {
      signal.throwIfAborted();
      if (inside < width) {
        inside++;
        return leaving();
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const waiter: Waiter = { onPlace, admit: () => resolve(leaving()), told: 0 };
      const out = (): void => {
        const index = waiting.indexOf(waiter);
        if (index >= 0) waiting.splice(index, 1);
      };
      const onAbort = (): void => {
        out();
        reject(signal.reason as Error);
      };
      // Whoever does not want the work any more takes nobody's room.
      const onHurry = (): void => {
        out();
        resolve(() => {});
      };
      signal.addEventListener("abort", onAbort, { once: true });
      hurry.addEventListener("abort", onHurry, { once: true });
      waiting.push(waiter);
      if (cancel === undefined) tell();
      else {
        waiter.told = waiting.length;
        onPlace(waiting.length);
      }
      if (hurry.aborted) onHurry();
      try {
        return await promise;
      } finally {
        signal.removeEventListener("abort", onAbort);
        hurry.removeEventListener("abort", onHurry);
      }
    },
  };
}
