/** Patience with a workspace that cannot be reached just now. */
import { sleep, type Clock } from "../../clock.ts";
import { passing } from "../workspace-faults.ts";

/** A workspace that cannot be reached is tried this long, in ms. */
export const reachMs = 60_000;
/** Before the next try, in ms; doubled up to the longest, and spread over half to one and a half of it. */
export const firstWaitMs = 500;
export const longestWaitMs = 8_000;

/** Tries again what certainly was not done because the workspace could not be reached, for a minute. @param random from 0 up to 1 */
export async function reaching<T>(
  { clock }: { readonly clock: Clock },
  random: () => number,
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T> {
  const until = clock.now() + reachMs;
  for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
    try {
      return await act();
    } catch (thrown) {
      if (!passing(thrown) || clock.now() + wait > until) throw thrown;
      await sleep(clock, wait * (0.5 + random()), signal);
    }
  }
}
