/** Asks a workspace that fails, or wants to be left alone, no more than it takes to find out when it can be asked again. */
import type { Clock } from "../clock.ts";
import { WorkspaceFault } from "../errors.ts";
import { createGate, type Gate } from "./gate.ts";
import { createLimits } from "./limits.ts";

export interface Breaker {
  /**
   * Does `ask` for an account, unless the workspace has failed lately: then throws a fault `unreachable`; or has said that it is
   * asked too often: then one `rate_limited`. Nothing is sent in either case.
   * @param account whoever is counted apart from others: a key
   */
  through<Result>(account: string, ask: () => Promise<Result>): Promise<Result>;
  /**
   * The same for what may fail by itself while the workspace works, as the live channel does where a proxy lets none through:
   * its failures count for nothing, it is no probe, and while one is needed it waits.
   */
  beside<Result>(account: string, ask: () => Promise<Result>): Promise<Result>;
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
const isLimit = (thrown: unknown): thrown is WorkspaceFault => thrown instanceof WorkspaceFault && thrown.kind === "rate_limited";

const failing = (): WorkspaceFault =>
  new WorkspaceFault(
    "unreachable",
    "the workspace has failed several times in a row and is not asked for a moment: check that it runs",
  );
const limiting = (retryAfterMs: number): WorkspaceFault =>
  new WorkspaceFault("rate_limited", "the workspace was asked too often and is not asked for a moment", { retryAfterMs });

/**
 * @param random from 0 up to 1
 * @param told whether the workspace fails, and is asked by one probe at a time: at each change
 */
export function createBreaker(
  clock: Clock,
  random: () => number,
  log?: Record<"info" | "warn", (fields: object, text: string) => void>,
  told: (failing: boolean) => void = () => {},
): Breaker {
  const broken = createGate(clock);
  const limits = createLimits(clock, random, log);
  let failures = 0;

  const failed = (): void => {
    failures++;
    if (failures < tolerated) return;
    if (!broken.closed) {
      log?.warn({ failures }, "the workspace has failed several times in a row, and is asked by one probe at a time");
      told(true);
    }
    broken.close(Math.min(firstWaitMs * 2 ** (failures - tolerated), waitLimitMs) * (0.5 + random()));
  };
  const works = (): void => {
    failures = 0;
    if (!broken.closed) return;
    log?.info({}, "the workspace answers again, and is asked by everybody");
    told(false);
    broken.open();
  };
  const check = (gates: readonly Gate[], passes: (gate: Gate) => boolean): void => {
    if (!passes(broken)) throw failing();
    const closed = gates.filter((gate) => !passes(gate));
    if (closed.length > 0) throw limiting(Math.max(0, ...closed.map(({ until }) => until - clock.now())));
  };

  return {
    async through(account, ask) {
      const gates = limits.gates(account);
      check(gates, (gate) => gate.passable());
      const repairs = broken.enter();
      const probes = gates.filter((gate) => gate.enter());
      try {
        const result = await ask();
        works();
        limits.answered(account, probes.length > 0);
        return result;
      } catch (thrown) {
        if (isLimit(thrown)) limits.limited(account, thrown, probes.length > 0);
        // Of requests that were under way together, those that fail after the break count no more.
        if (isFailure(thrown)) {
          if (repairs || !broken.closed) failed();
        } else if (thrown instanceof WorkspaceFault) {
          works();
          if (!isLimit(thrown)) limits.answered(account, probes.length > 0);
        }
        throw thrown;
      } finally {
        if (repairs) broken.back();
        for (const gate of probes) gate.back();
      }
    },
    async beside(account, ask) {
      check(limits.gates(account), (gate) => !gate.closed);
      try {
        return await ask();
      } catch (thrown) {
        if (isLimit(thrown)) limits.limited(account, thrown, false);
        throw thrown;
      }
    },
  };
}
