/** A turn's progress as it is stored: several may change it at once, as the reply and the send do, and no change is lost. */
import type { Progress } from "./progress.ts";

export interface Saving {
  /** With every change that was given, also those still being stored. */
  readonly progress: () => Progress;
  /** Resolves once the change is stored. A change that could not be stored goes along with the next one. */
  readonly save: (change: Partial<Progress>) => Promise<void>;
}

/** @param write stores all of it, in place of what was stored; called again only when it has come to its end */
export function createSaving(initial: Progress, write: (progress: Progress) => Promise<void>): Saving {
  let progress = initial;
  let last: Promise<void> = Promise.resolve();
  const writeNewest = (): Promise<void> => write(progress);
  return {
    progress: () => progress,
    save(change) {
      progress = { ...progress, ...change };
      last = last.then(writeNewest, writeNewest);
      return last;
    },
  };
}
