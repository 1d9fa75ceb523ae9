/** How long a call may take: ends when its time is up or its caller no longer wants it, whichever comes first. */
import type { Clock } from "../clock.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  /** True when the time ran out, rather than the caller's signal. */
  readonly passed: boolean;
  /** Starts the time anew: something moved. */
  extend(): void;
  /** Stops the time until the next `extend`: it is the caller's turn. */
  pause(): void;
  /** Takes the timer and the listener down. */
  clear(): void;
}

/** @param ms from now, and again from each `extend` */
export function startDeadline(clock: Clock, ms: number, signal?: AbortSignal): Deadline {
  const controller = new AbortController();
  let passed = false;
  const expire = (): void => {
    passed = true;
    controller.abort();
  };
  const onAbort = (): void => controller.abort(signal?.reason);
  let cancel = clock.after(ms, expire);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    get passed() {
      return passed;
    },
    extend() {
      cancel();
      cancel = clock.after(ms, expire);
    },
    pause: () => cancel(),
    clear() {
      cancel();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
