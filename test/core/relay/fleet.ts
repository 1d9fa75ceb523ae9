/** Replicas that share budgets, and begin, hand over, freeze and die in the clock's time. */
import type { Cancel, Clock } from "../../../src/clock.ts";
import { createPacer } from "../../../src/core/relay/pacer.ts";
import { shareBudgets, type DivisionTable } from "../../../src/core/relay/shared.ts";
import type { Budget } from "../../../src/core/platform.ts";

export interface Write {
  readonly at: number;
  readonly by: string;
  readonly keys: readonly string[];
}

export interface Replica {
  /** From now on so many writes on these budgets wait at any time. */
  want(budgets: readonly Budget[], writes: number): void;
  /** Wants nothing any more, gives back what it has, and ends. */
  drain(): Promise<void>;
  /** Ends here and now; nothing of it is told. */
  kill(): void;
  /** Does nothing until it is thawed; what it does then begins where it was. */
  freeze(): void;
  thaw(): void;
}

const silent = { warn: () => {} };

/**
 * @param tableOf null: it knows of no other, and uses all budgets whole
 * @param wrote told of each write as it goes out
 */
export function startReplica(
  name: string,
  clock: Clock,
  tableOf: ((between: () => Promise<void>) => DivisionTable) | null,
  wrote: (write: Write) => void,
): Replica {
  let dead = false;
  let frozen: PromiseWithResolvers<void> | undefined;
  const held: (() => void)[] = [];
  const own: Clock = {
    now: () => clock.now(),
    after(ms, then) {
      let over = false;
      const cancel: Cancel = clock.after(ms, () => {
        const fire = (): void => {
          if (!over && !dead) then();
        };
        if (frozen === undefined) fire();
        else held.push(fire);
      });
      return () => {
        over = true;
        cancel();
      };
    },
  };
  // A dead process waits for ever.
  const between = (): Promise<void> => (dead ? new Promise(() => {}) : (frozen?.promise ?? Promise.resolve()));
  const shared = tableOf === null ? undefined : shareBudgets({ name, table: tableOf(between), clock: own, log: silent });
  const pacer = createPacer({ clock: own, log: silent, ...(shared === undefined ? {} : { shared }) });
  let wants = 0;

  const wish = (budgets: readonly Budget[], round: number): void => {
    pacer.wish({
      budgets,
      urgency: "more",
      since: clock.now(),
      grant() {
        if (dead || round !== wants) return false;
        wrote({ at: clock.now(), by: name, keys: budgets.map(({ key }) => key) });
        queueMicrotask(() => wish(budgets, round));
        return true;
      },
    });
  };
  return {
    want(budgets, writes) {
      const round = wants;
      for (let count = 0; count < writes; count++) wish(budgets, round);
    },
    async drain() {
      wants++;
      await shared?.stop();
      dead = true;
    },
    kill() {
      dead = true;
    },
    freeze() {
      frozen ??= Promise.withResolvers();
    },
    thaw() {
      frozen?.resolve();
      frozen = undefined;
      for (const fire of held.splice(0)) fire();
    },
  };
}

/** How many writes too many there were: more than `count` in a window. */
export function overBudget(times: readonly number[], { count, windowMs }: Budget): number {
  return times.filter((at, index) => index >= count && at - (times[index - count] ?? -Infinity) < windowMs).length;
}
