/**
 * How one budget is divided among replicas. It has as many slots as writes are allowed in a window. Each slot lets one write out
 * and may be used again a window later; it is nobody's, or one replica's alone. So all together never exceed the budget, in no
 * window, whoever begins, hands over, freezes or dies, and however late each hears of it.
 */
import type { Budget } from "../platform.ts";

/** Times in ms since 1970. */
export interface Division {
  /** When each of nobody's slots may be used again. */
  readonly free: readonly number[];
  readonly holders: Readonly<Record<string, Holder>>;
}

export interface Holder {
  /** When each of its slots may be used again; whether it has been meanwhile, only the holder knows. */
  readonly slots: readonly number[];
  /** It may use them for `divisionTimes.held` from here on. */
  readonly at: number;
  readonly windowMs: number;
  /** Writes that wait for a slot. */
  readonly waiting: number;
  /** When it was last given one: of those who wait, the one whose turn is longest ago goes first. */
  readonly servedAt: number;
}

/** What one replica knows of its own part. */
export interface Part {
  budget: Budget;
  /** Slots that it may use, by when each opens, the earliest first. */
  slots: number[];
  /** Those that it has used since it last told, by when each opens again. */
  used: number[];
  /** Writes that wait. */
  waiting: number;
  usedAt: number;
  /** Since when its slots are surely its own; used no longer than `divisionTimes.held` after. */
  heldAt: number;
  servedAt: number;
  /** How many replicas use the budget now. */
  users: number;
}

/** How long, in ms. */
export const divisionTimes = {
  /** A replica uses its slots for so long after it last told of itself. */
  held: 4_000,
  /** One that told nothing for so long has none any more. The difference is how far clocks may be apart. */
  gone: 9_000,
  /** A budget that is not used for so long is given back whole. */
  idle: 3_000,
  /** So far ahead slots are given out. */
  ahead: 1_000,
  /** A slot that its holder could not use for so long, as another budget kept it, goes to others who wait. */
  unused: 500,
  /** Whose wait was told longer ago waits no more. */
  fresh: 2_000,
} as const;

const ascending = (one: number, other: number): number => one - other;

/** What a replica has ready beside what waits: enough for half a second, where that is several writes. */
const readyFor = ({ count, windowMs }: Budget): number => {
  const writes = Math.floor((count * 500) / windowMs);
  return writes > 1 ? writes : 0;
};

/** Slots of replicas that are gone are nobody's again, each as if it had been used at the last moment. */
function reclaim(division: Division, name: string, now: number): { free: number[]; holders: Record<string, Holder> } {
  const free = [...division.free];
  const holders: Record<string, Holder> = {};
  for (const [holder, state] of Object.entries(division.holders)) {
    // In the future is who told before the clock was set back.
    if (holder === name || Math.abs(now - state.at) <= divisionTimes.gone) holders[holder] = state;
    else free.push(...state.slots.map((opens) => Math.max(opens, state.at + divisionTimes.gone) + state.windowMs));
  }
  return { free, holders };
}

/** How many of the slots that can be given out are `name`'s: dealt one by one, beginning with whoever was served longest ago. */
function dealt(count: number, name: string, waiting: ReadonlyMap<string, Pick<Holder, "waiting" | "servedAt">>): number {
  const order = [...waiting].sort(([one, a], [other, b]) => a.servedAt - b.servedAt || (one < other ? -1 : 1));
  const left = order.map(([, state]) => state.waiting);
  let mine = 0;
  for (let given = 0, passes = 0; given < count && passes <= count; passes++) {
    for (const [index, [holder]] of order.entries()) {
      if (given === count || left[index] === 0) continue;
      left[index] = (left[index] ?? 0) - 1;
      given++;
      if (holder === name) mine++;
    }
  }
  return mine;
}

/**
 * One replica tells what it used, gives back what it does not need, and takes what it does.
 * `part` loses at once what is given back; what is taken comes with `take`, once the division is stored.
 * @param division as it is stored; undefined: nobody has used the budget yet
 * @param leaving it needs nothing any more
 */
export function divide(
  division: Division | undefined,
  name: string,
  part: Part,
  now: number,
  leaving: boolean,
): {
  readonly division: Division;
  readonly take: () => void;
  /** When the next slot of nobody's opens. */
  readonly opens: number;
} {
  const { budget } = part;
  const { free, holders } = reclaim(division ?? { free: [], holders: {} }, name, now);
  const own = holders[name];
  // What was stored counts. Without its entry it was taken for gone; with more than it knows of, an exchange had no known end.
  if (own === undefined) part.slots = part.used = [];
  const unknown = (own?.slots.length ?? 0) - part.slots.length - part.used.length;
  free.push(...part.used, ...Array.from({ length: unknown }, () => now + budget.windowMs));
  part.used = [];

  delete holders[name];
  const others = Object.entries(holders);
  const total = others.reduce((sum, [, { slots }]) => sum + slots.length, free.length + part.slots.length);
  free.push(...Array.from({ length: Math.max(0, budget.count - total) }, () => 0));

  const asking = others.filter(([, { waiting, at }]) => waiting > 0 && at >= now - divisionTimes.fresh);
  const active = !leaving && (part.waiting > 0 || Math.abs(now - part.usedAt) < divisionTimes.idle);
  const needs = active ? Math.max(part.waiting, readyFor(budget)) : 0;
  const kept = part.slots.filter((opens) => asking.length === 0 || opens > now - divisionTimes.unused).slice(0, needs);
  const back = [...part.slots];
  for (const opens of kept) back.splice(back.indexOf(opens), 1);
  free.push(...back);
  // None opens later than a window from now, but where the clock was set back meanwhile.
  const sane = (opens: number): number => (opens <= now ? 0 : Math.min(opens, now + budget.windowMs));
  part.slots = kept.map(sane);
  const open = free.map(sane).sort(ascending);
  const near = open.filter((opens) => opens <= now + divisionTimes.ahead).length;
  const wish = { waiting: needs - kept.length, servedAt: part.servedAt };
  const taken = open.splice(0, dealt(near, name, new Map([...asking, [name, wish]])));
  if (taken.length > 0) part.servedAt = now;
  if (active) {
    holders[name] = {
      slots: [...part.slots, ...taken],
      at: now,
      windowMs: budget.windowMs,
      waiting: Math.max(0, part.waiting - kept.length - taken.length),
      servedAt: part.servedAt,
    };
  }
  return {
    division: { free: open, holders },
    take() {
      part.slots = [...part.slots, ...taken].sort(ascending);
      part.heldAt = now;
      part.users = Math.max(1, Object.keys(holders).length);
    },
    opens: open[0] ?? Infinity,
  };
}

/** How fast one of several replicas goes: evenly, all together as fast as one alone. What they may do the slots say. */
export function paceOf(budget: Budget, users: number): Budget {
  // Where a whole window may be used at once, nothing is spaced.
  if (users <= 1 || budget.burst >= budget.count) return budget;
  return { ...budget, count: Math.ceil(budget.count / users), burst: Math.max(1, Math.ceil(budget.burst / users)) };
}
