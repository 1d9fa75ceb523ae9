/** What the test providers share: waiting until a test lets them go on, and breaking off. */
import { Fault } from "../../src/errors.ts";

export const broken = (): never => {
  throw new Fault("provider_failed", "The test provider broke off.");
};

export interface Gate {
  /** Waits for `release`, or rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<void>;
  /** Lets everything that is held go on; what is held later waits again. */
  release(): void;
}

export function createGate(): Gate {
  let open = Promise.withResolvers<void>();
  return {
    wait: (signal) => Promise.race([open.promise, aborted(signal)]),
    release() {
      open.resolve();
      open = Promise.withResolvers();
    },
  };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
