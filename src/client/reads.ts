/** Reads are tried again: they change nothing, and one lost answer must not cost somebody theirs. */
import { sleep, type Clock } from "../clock.ts";
import { WorkspaceFault } from "../errors.ts";

/** In all. A read that fails so often fails for good. */
export const readTries = 3;
/** Before the second try, in ms; longer before each further one, and up to twice as long by chance. */
const firstWaitMs = 200;

/** Nothing of the workspace's own came: neither what was asked for nor its no. */
const worthAnother = (thrown: unknown): boolean =>
  thrown instanceof WorkspaceFault && (thrown.kind === "lost" || thrown.kind === "malformed" || thrown.foreign);

/** @param random from 0 up to 1 */
export async function readAgain<T>(
  read: () => Promise<T>,
  { clock, random, signal }: { readonly clock: Clock; readonly random: () => number; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (thrown) {
      if (tries === readTries || !worthAnother(thrown)) throw thrown;
      await sleep(clock, firstWaitMs * tries * (1 + random()), signal);
    }
  }
}
