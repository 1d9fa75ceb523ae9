/** What one process tells the others at once; each also finds it by itself, later. */
import type { Leaves } from "./turns/store.ts";

export type Ring =
  /** Something waits in this lane, or no longer does. */
  | { readonly lane: string }
  /** A late write may have covered what a turn of this lane shows: write the newest again, of closed ones too. */
  | { readonly again: string }
  /** This turn is to be stopped, and to leave no more of it than `leaves`. */
  | { readonly stop: string; readonly leaves?: Leaves };

export interface Bell {
  /** Never throws, never waits: a ring that is lost costs time and nothing else. */
  ring(ring: Ring): void;
  /** @param missed rings may have been lost: look at everything */
  listen(heard: (ring: Ring) => void, missed: () => void): void;
}

/** Of a process that is alone. */
export const silentBell: Bell = { ring: () => {}, listen: () => {} };
