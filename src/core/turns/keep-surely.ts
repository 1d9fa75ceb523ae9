/**
 * What no next owner could find out by itself is written also where the store is away for a moment: that something is about to be
 * paid for, and what has been.
 */
import type { Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import { insist } from "../insist.ts";
import type { TurnRun } from "./run.ts";

/** Between two tries, in ms. */
const waits = { firstMs: 250, longestMs: 4_000 };

/**
 * Writes until it is written, or the lease has ended. Once it is tried in any case, for the sake of an owner that was paused.
 * @param write may be done twice
 */
export const keepSurely = (run: TurnRun, { clock }: { readonly clock: Clock }, write: () => Promise<void>): Promise<void> =>
  insist(write, {
    ...waits,
    clock,
    signal: run.lease.over,
    onFailure(thrown) {
      // No store that is away: the turn is another's, or what is kept cannot be read.
      if (thrown instanceof Fault) throw thrown;
      run.log.warn({ err: thrown, turn: run.turn.key }, "what is paid for could not be noted yet");
    },
  });
