/** Work that has to succeed in the end is done again until it does. */
import { sleep, type Clock } from "../clock.ts";
import { WriteFault } from "../errors.ts";
import { longestHoldMs } from "./relay/pacer.ts";

export interface Insisting {
  readonly clock: Clock;
  /** Before the second try, in ms; doubled at each, up to `longestMs`. What a rate limit names is waited for, up to five minutes. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** Told of each try that failed. What it throws ends the trying. */
  readonly onFailure: (thrown: unknown) => void;
  readonly signal: AbortSignal;
}

/** @returns what `work` does. Rejects with the reason of `signal` once it has ended and a try has failed, or while the next is waited for. */
export async function insist<T>(work: () => Promise<T>, { clock, firstMs, longestMs, onFailure, signal }: Insisting): Promise<T> {
  for (let wait = firstMs; ; wait = Math.min(wait * 2, longestMs)) {
    try {
      return await work();
    } catch (thrown) {
      signal.throwIfAborted();
      onFailure(thrown);
      const asked = thrown instanceof WriteFault ? Math.min(thrown.retryAfterMs, longestHoldMs) : 0;
      await sleep(clock, Math.max(asked, wait), signal);
    }
  }
}
