/** What a server does beside its work: it asks whether the workspace is there, and deletes what is no longer needed. */
import type { Clock } from "./clock.ts";
import type { TurnStore } from "./core/turns/store.ts";
import { reasonOf } from "./errors.ts";
import type { Log } from "./log.ts";

/** Failed turns keep their text this long, for Retry, in ms. */
const textKeptMs = 24 * 60 * 60_000;
const sweepMs = 60_000;
/** One day, in ms. */
export const dayMs = 24 * 60 * 60_000;

/** Asks the workspace at most every five seconds. */
export function watchWorkspace(clock: Clock, ask: () => Promise<unknown>): () => Promise<string | null> {
  let state: Promise<string | null> | undefined;
  let until = 0;
  return () => {
    if (state === undefined || clock.now() >= until) {
      until = clock.now() + 5_000;
      state = ask().then(
        () => null,
        (thrown: unknown) => `the workspace does not answer: ${reasonOf(thrown)}`,
      );
    }
    return state;
  };
}

/**
 * Deletes what is no longer needed, once a minute.
 * @param clear what else there is to delete
 */
export function sweep(clock: Clock, store: TurnStore, clear: () => Promise<unknown>, log: Log): () => void {
  const once = async (): Promise<void> => {
    try {
      await store.forgetText(clock.now() - textKeptMs);
      await clear();
    } catch (thrown) {
      log.error({ err: thrown }, "old text could not be deleted; it is tried again in a minute");
    }
    cancel = clock.after(sweepMs, () => void once());
  };
  let cancel = clock.after(sweepMs, () => void once());
  return () => cancel();
}
