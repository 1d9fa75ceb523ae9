/** Budgets that several replicas use: each has its slots of them, and exchanges those with the others through the store. */
import type { Cancel, Clock } from "../../clock.ts";
import { reasonOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Budget } from "../platform.ts";
import { divide, divisionTimes, type Division, type Part } from "./division.ts";

/** Where it stands how budgets are divided. */
export interface DivisionTable {
  /**
   * Changes the divisions of `keys`, which nobody else does meanwhile: all of them or none.
   * @param change is given those that there are, and gives them as they are to be; called once
   */
  exchange(
    keys: readonly string[],
    change: (divisions: ReadonlyMap<string, Division>) => ReadonlyMap<string, Division>,
  ): Promise<void>;
}

/** What one replica may use of one budget. */
export interface Slots {
  /** When the next write may go out, in ms since 1970; `Infinity`: not known yet. */
  opensAt(now: number): number;
  take(now: number): void;
  /** Whose figures count from now on. */
  follow(budget: Budget): void;
  /** So many writes wait. */
  want(waiting: number): void;
  /** How many replicas use the budget now. */
  readonly users: number;
}

export interface SharedBudgets {
  slotsOf(budget: Budget): Slots;
  /** Called when there is more that may be used. */
  onSlots(listener: () => void): void;
  /** Gives back everything, and uses nothing any more. */
  stop(): Promise<void>;
}

/** How long, in ms. */
const times = {
  /** Before what was used is told, and before it is looked again for a slot. */
  soon: 250,
  /** Before those are told of again that are not used. */
  refresh: 1_500,
  /** After a failure of the store. */
  failed: 500,
} as const;

interface Watched {
  readonly key: string;
  readonly part: Part;
  /** When it is looked at next for what waits. */
  lookAt: number;
  toldAt: number;
}

export interface SharingOptions {
  /** This replica's. */
  readonly name: string;
  readonly table: DivisionTable;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

export function shareBudgets({ name, table, clock, log }: SharingOptions): SharedBudgets {
  const watched = new Map<string, Watched>();
  let listener: () => void = () => {};
  let running: Promise<void> | undefined;
  let armedFor = Infinity;
  let disarm: Cancel = () => {};
  let notBefore = -Infinity;
  let stopped = false;

  /** When it has to be exchanged. */
  const dueAt = ({ part, lookAt, toldAt }: Watched, now: number): number => {
    // The clock was set back.
    if (toldAt > now) return now;
    const refresh = toldAt + times.refresh;
    const told = part.used.length > 0 ? toldAt + times.soon : refresh;
    return part.waiting > part.slots.length ? Math.min(told, lookAt) : told;
  };

  const exchange = async (leaving: boolean): Promise<void> => {
    const began = clock.now();
    const due = [...watched.values()].filter((one) => leaving || dueAt(one, began) <= began);
    if (due.length === 0) return;
    const byKey = new Map(due.map((one) => [one.key, one]));
    const after: (() => void)[] = [];
    await table.exchange([...byKey.keys()].sort(), (divisions) => {
      const now = clock.now();
      const changed = new Map<string, Division>();
      for (const [key, one] of byKey) {
        const { division, take, opens } = divide(divisions.get(key), name, one.part, now, leaving);
        changed.set(key, division);
        after.push(() => {
          take();
          one.toldAt = now;
          // Where others have them all, one may come back at any time.
          const next = opens === Infinity ? now : opens - divisionTimes.ahead;
          one.lookAt = Math.min(Math.max(now + times.soon, next), now + times.refresh);
          if (division.holders[name] === undefined && one.part.waiting === 0) watched.delete(key);
        });
      }
      return changed;
    });
    for (const done of after) done();
  };

  const run = (): void => {
    running ??= exchange(false)
      .then(
        () => listener(),
        (thrown: unknown) => {
          notBefore = clock.now() + times.failed;
          log.warn({ reason: reasonOf(thrown) }, "write budgets could not be shared with other replicas; tried again");
        },
      )
      .finally(() => {
        running = undefined;
        arm();
      });
  };
  const arm = (): void => {
    if (stopped || running !== undefined || watched.size === 0) return;
    const now = clock.now();
    const at = Math.max(
      notBefore > now + times.failed ? now : notBefore,
      Math.min(...[...watched.values()].map((one) => dueAt(one, now))),
    );
    if (at >= armedFor && armedFor > now) return;
    disarm();
    armedFor = at;
    disarm = clock.after(Math.max(0, at - now), () => {
      armedFor = Infinity;
      run();
    });
  };

  return {
    slotsOf(budget) {
      const part: Part = watched.get(budget.key)?.part ?? {
        budget,
        slots: [],
        used: [],
        waiting: 0,
        usedAt: -Infinity,
        heldAt: -Infinity,
        servedAt: 0,
        users: 1,
      };
      const watch = (): Watched => {
        const known = watched.get(budget.key);
        if (known !== undefined) return known;
        const one: Watched = { key: budget.key, part, lookAt: -Infinity, toldAt: -Infinity };
        watched.set(budget.key, one);
        return one;
      };
      return {
        opensAt(now) {
          return stopped || now > part.heldAt + divisionTimes.held ? Infinity : (part.slots[0] ?? Infinity);
        },
        take(now) {
          part.slots.shift();
          part.used.push(now + part.budget.windowMs);
          part.usedAt = now;
          arm();
        },
        follow(newest) {
          part.budget = newest;
        },
        want(waiting) {
          part.waiting = waiting;
          if (waiting > 0) watch();
          arm();
        },
        get users() {
          return part.users;
        },
      };
    },
    onSlots(told) {
      listener = told;
    },
    async stop() {
      stopped = true;
      disarm();
      await running;
      await exchange(true);
    },
  };
}
