/** Gives the platforms' write budgets to all the replies that want to write. */
import type { Cancel, Clock } from "../../clock.ts";
import type { WriteFault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Budget } from "../platform.ts";
import { createBudgetKey, type BudgetKey } from "./budget-key.ts";
import { paceOf } from "./division.ts";
import type { SharedBudgets, Slots } from "./shared.ts";

/**
 * What a write is for, most urgent first:
 * - `edge`: a reply's first words, or its last state;
 * - `sign`: the first sign of a reply that has no words yet;
 * - `more`: anything between.
 */
export type Urgency = "edge" | "sign" | "more";
const urgencies = ["edge", "sign", "more"] as const;

/** A wish to write once. */
export interface Wish {
  /** The budgets that the write takes from, the tightest first. */
  readonly budgets: readonly Budget[];
  readonly urgency: Urgency;
  /** Since when the text to be written is unseen, in ms since 1970. Within one urgency, the oldest goes first. */
  readonly since: number;
  /** Called once, when there is a free slot. False: nothing was written, and the slot goes to the next. Must not throw. */
  readonly grant: () => boolean;
}

export interface Waiting {
  /** Takes the wish back; does nothing after the grant. */
  cancel(): void;
  /** Changes how urgent it is; does nothing after the grant. */
  urge(urgency: Urgency): void;
}

export interface Pacer {
  wish(wish: Wish): Waiting;
  /**
   * The platform refused a write as one too many: closes the budget that it names, else the tightest of the write's.
   * @returns for how long, in ms
   */
  limited(budgets: readonly Budget[], fault: WriteFault): number;
  /** Budgets that are remembered: bounded by those in use, not by all there ever were. */
  readonly remembered: number;
}

/** Where a 429 names no time, and the longest that one is believed, in ms: platforms have been seen to name a day. */
const defaultHoldMs = 1_000;
export const longestHoldMs = 300_000;

/** How long grants may go on in one turn of the event loop, in ms: each may render, and others want the loop too. */
const longestTickMs = 5;
const leastSweep = 256;

interface Entry {
  readonly key: BudgetKey;
  /** What this process may use of it; undefined: it alone uses it. */
  readonly slots: Slots | undefined;
  waiting: number;
  /** `opensAt`, as of the running pass. */
  opens: number;
  pass: number;
  blocked: boolean;
}

interface Waiter {
  readonly wish: Wish;
  readonly entries: readonly Entry[];
  urgency: Urgency;
}

export interface PacerOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  /** Where other processes use the same budgets. */
  readonly shared?: SharedBudgets;
}

export function createPacer({ clock, log, shared }: PacerOptions): Pacer {
  const entries = new Map<string, Entry>();
  const queues: Record<Urgency, Waiter[]> = { edge: [], sign: [], more: [] };
  let pass = 0;
  let looked: Entry[] = [];
  let sweepAt = leastSweep;
  let armedFor = Infinity;
  let disarm: Cancel = () => {};

  const sweep = (now: number): void => {
    for (const [name, entry] of entries) if (entry.waiting === 0 && entry.key.idle(now)) entries.delete(name);
  };

  const entryOf = (whole: Budget): Entry => {
    const known = entries.get(whole.key);
    if (known !== undefined) {
      known.slots?.follow(whole);
      known.key.follow(paceOf(whole, known.slots?.users ?? 1));
      return known;
    }
    const now = clock.now();
    // Sweeping when there are twice as many as were kept costs each new key a constant amount.
    if (entries.size >= sweepAt) {
      sweep(now);
      sweepAt = Math.max(leastSweep, 2 * entries.size);
    }
    const slots = shared?.slotsOf(whole);
    const key = createBudgetKey(paceOf(whole, slots?.users ?? 1), now);
    const entry: Entry = { key, slots, waiting: 0, opens: 0, pass: 0, blocked: false };
    entries.set(whole.key, entry);
    return entry;
  };

  const opensAt = ({ key, slots }: Entry, now: number): number => Math.max(key.opensAt(now), slots?.opensAt(now) ?? now);
  /** One more waits for it, or one less. */
  const waits = (entry: Entry, more: 1 | -1): void => {
    entry.waiting += more;
    entry.slots?.want(entry.waiting);
  };

  const arm = (at: number): void => {
    if (at >= armedFor) return;
    disarm();
    armedFor = at;
    disarm = clock.after(Math.max(0, at - clock.now()), () => {
      armedFor = Infinity;
      dispatch();
    });
  };

  const enqueue = (waiter: Waiter): void => {
    const queue = queues[waiter.urgency];
    let low = 0;
    for (let high = queue.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((queue[middle]?.wish.since ?? 0) <= waiter.wish.since) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, waiter);
    const now = clock.now();
    arm(waiter.entries.reduce((latest, entry) => Math.max(latest, opensAt(entry, now)), now));
  };

  const dequeue = (waiter: Waiter): boolean => {
    const queue = queues[waiter.urgency];
    const index = queue.indexOf(waiter);
    if (index < 0) return false;
    queue.splice(index, 1);
    return true;
  };

  const look = (entry: Entry, now: number): void => {
    entry.opens = opensAt(entry, now);
    if (entry.pass === pass) return;
    entry.pass = pass;
    entry.blocked = false;
    looked.push(entry);
  };

  /** The most urgent waiter whose budgets are all open; otherwise, when the first of them opens. */
  const next = (now: number): Waiter | number => {
    let earliest = Infinity;
    for (const urgency of urgencies) {
      for (const waiter of queues[urgency]) {
        let opens = now;
        for (const entry of waiter.entries) {
          if (entry.pass !== pass) look(entry, now);
          if (entry.opens <= now) continue;
          entry.blocked = true;
          opens = Math.max(opens, entry.opens);
        }
        if (opens <= now) return waiter;
        earliest = Math.min(earliest, opens);
      }
    }
    return earliest;
  };

  const dispatch = (): void => {
    const began = clock.now();
    pass++;
    looked = [];
    for (let now = began; now - began < longestTickMs; now = clock.now()) {
      const found = next(now);
      if (typeof found === "number") {
        for (const entry of looked) entry.key.hunger(entry.blocked);
        if (found < Infinity) arm(found);
        return;
      }
      dequeue(found);
      for (const entry of found.entries) waits(entry, -1);
      if (!found.wish.grant()) continue;
      // Counted when the write has gone out: rendering takes time, and the platform counts from there.
      const written = clock.now();
      for (const entry of found.entries) {
        entry.key.take(written);
        entry.slots?.take(written);
        look(entry, written);
      }
    }
    arm(began);
  };

  const heldMs = (fault: WriteFault, budgetKey: string): number => {
    const asked = fault.retryAfterMs;
    if (asked === 0) return defaultHoldMs;
    const held = asked > 0 ? Math.min(asked, longestHoldMs) : defaultHoldMs;
    if (held !== asked) log.warn({ budgetKey, askedMs: asked, heldMs: held }, "a rate limit names a time that is not believed");
    return held;
  };

  shared?.onSlots(() => dispatch());

  return {
    wish(wish) {
      const waiter: Waiter = { wish, entries: wish.budgets.map(entryOf), urgency: wish.urgency };
      for (const entry of waiter.entries) waits(entry, 1);
      enqueue(waiter);
      return {
        cancel() {
          if (!dequeue(waiter)) return;
          for (const entry of waiter.entries) waits(entry, -1);
          if (urgencies.some((urgency) => queues[urgency].length > 0)) return;
          disarm();
          armedFor = Infinity;
        },
        urge(urgency) {
          if (urgency === waiter.urgency || !dequeue(waiter)) return;
          waiter.urgency = urgency;
          enqueue(waiter);
        },
      };
    },
    limited(budgets, fault) {
      const named = budgets.find(({ key }) => key === fault.budgetKey) ?? budgets[0];
      const entry = (fault.budgetKey === undefined ? undefined : entries.get(fault.budgetKey)) ?? (named && entryOf(named));
      if (entry === undefined) return 0;
      const now = clock.now();
      const held = heldMs(fault, fault.budgetKey ?? named?.key ?? "");
      entry.key.close(now, now + held);
      return held;
    },
    get remembered() {
      return entries.size;
    },
  };
}
