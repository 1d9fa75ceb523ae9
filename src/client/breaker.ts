/** Asks a workspace that fails no more than it takes to find out when it works again. */
import type { Clock } from "../clock.ts";
import { WorkspaceFault } from "../errors.ts";

export interface Breaker {
  /** Does `ask`, unless the workspace has failed lately: then throws a fault `unreachable`, and nothing is sent. */
  through<Result>(ask: () => Promise<Result>): Promise<Result>;
}

/** Failures in a row, with no answer between them, after which the workspace is asked by one probe at a time. */
export const tolerated = 5;
/** Before the first probe, in ms; doubled at each that fails, up to the limit, and spread over half to one and a half of it. */
const firstWaitMs = 1_000;
const waitLimitMs = 30_000;

/** The workspace, or what stands before it, does not work: its own no to a request says that it does. */
const isFailure = (thrown: unknown): boolean =>
  thrown instanceof WorkspaceFault &&
  (thrown.kind === "unreachable" || thrown.kind === "lost" || thrown.kind === "unavailable" || thrown.foreign);

/** @param random from 0 up to 1 */
export function createBreaker(clock: Clock, random: () => number): Breaker {
  let failures = 0;
  let probing = false;
  let asksAgainAt = 0;

  const refuse = (): never => {
    throw new WorkspaceFault(
      "unreachable",
      "the workspace has failed several times in a row and is not asked for a moment: check that it runs",
    );
  };
  const failed = (): void => {
    failures++;
    if (failures < tolerated) return;
    const wait = Math.min(firstWaitMs * 2 ** (failures - tolerated), waitLimitMs);
    asksAgainAt = clock.now() + wait * (0.5 + random());
  };

  return {
    async through(ask) {
      const broken = failures >= tolerated;
      if (broken && (probing || clock.now() < asksAgainAt)) refuse();
      if (broken) probing = true;
      try {
        const result = await ask();
        failures = 0;
        return result;
      } catch (thrown) {
        // Of requests that were under way together, those that fail after the break count no more.
        if (!isFailure(thrown)) failures = thrown instanceof WorkspaceFault ? 0 : failures;
        else if (broken || failures < tolerated) failed();
        throw thrown;
      } finally {
        if (broken) probing = false;
      }
    },
  };
}
