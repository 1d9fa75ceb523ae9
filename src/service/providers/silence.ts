/** Ends what waits for somebody who says nothing more. */
import type { Cancel, Clock } from "../../clock.ts";

export interface SilenceLimit {
  /** Aborted when the outer signal is, or when nothing was heard for too long. */
  readonly signal: AbortSignal;
  /** True once nothing was heard for too long. */
  readonly exceeded: boolean;
  /** Starts the wait again. */
  heard(): void;
  /** Takes the timer down and ends what still waits by `signal`. Call it in `finally`. */
  end(): void;
}

/** Allows silence of `ms`, from now and after each `heard`. */
export function silenceLimit(clock: Clock, ms: number, outer: AbortSignal): SilenceLimit {
  const own = new AbortController();
  let exceeded = false;
  const begin = (): Cancel =>
    clock.after(ms, () => {
      exceeded = true;
      own.abort();
    });
  let cancel = begin();
  return {
    signal: AbortSignal.any([outer, own.signal]),
    get exceeded() {
      return exceeded;
    },
    heard() {
      cancel();
      cancel = begin();
    },
    end() {
      cancel();
      own.abort();
    },
  };
}
