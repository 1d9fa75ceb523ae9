/** Does something again and again while there is news, at a bounded rate. */
import type { Cancel, Clock } from "../../clock.ts";

export interface Pulse {
  /** There is news: the action runs at once, or as soon as the rate allows. */
  touch(): void;
  /** Ends it. Resolves when a running action is done; rejects with what an action threw. */
  end(): Promise<void>;
}

/** Runs `action` at most once in `everyMs`, and never twice at a time. After a failure it does nothing more. */
export function createPulse(clock: Clock, everyMs: number, action: () => Promise<void> | void): Pulse {
  let cancel: Cancel | undefined;
  let running: Promise<void> | undefined;
  let last = -Infinity;
  let news = false;
  let ended = false;
  let failure: { thrown: unknown } | undefined;

  const run = async (): Promise<void> => {
    cancel = undefined;
    news = false;
    last = clock.now();
    try {
      await action();
    } catch (thrown) {
      failure = { thrown };
    }
    running = undefined;
    if (news) schedule();
  };
  const schedule = (): void => {
    if (ended || failure !== undefined || running !== undefined || cancel !== undefined) return;
    const wait = last + everyMs - clock.now();
    if (wait <= 0) running = run();
    else {
      cancel = clock.after(wait, () => {
        running = run();
      });
    }
  };

  return {
    touch() {
      news = true;
      schedule();
    },
    async end() {
      ended = true;
      cancel?.();
      await running;
      if (failure !== undefined) throw failure.thrown;
    },
  };
}
