/** What operators may see of Parley at work: numbers, ids and times, never words or keys. */
import type { Decimal } from "decimal.js";
import type { Place } from "./place.ts";
import type { Outcome } from "./turns/store.ts";

export interface LinkSeen {
  readonly platform: string;
  readonly person: string;
  readonly linkedAt: number;
  /** The workspace does not accept the key any more. */
  readonly broken: boolean;
}

/** What was used today, from midnight UTC. */
export interface UseSeen {
  readonly platform: string;
  /** `person:<id>` or `channel:<key of a place>`. */
  readonly subject: string;
  readonly credits: Decimal;
}

export interface LaneSeen {
  readonly place: Place;
  readonly open: number;
  readonly oldest: number;
}

/** A turn that failed and can still be tried again, or that is open for longer than any answer takes. */
export interface DeadSeen {
  readonly key: string;
  readonly place: Place;
  readonly person: string;
  readonly kind: string;
  readonly at: number;
  /** Null: stuck. */
  readonly outcome: Outcome | null;
}

export interface Oversight {
  /** Newest first; `count` counts all. */
  links(most: number): Promise<{ readonly count: number; readonly newest: readonly LinkSeen[] }>;
  used(now: number, most: number): Promise<readonly UseSeen[]>;
  /** The places with most open turns. */
  lanes(most: number): Promise<readonly LaneSeen[]>;
  /** Oldest first. */
  dead(now: number, most: number): Promise<{ readonly count: number; readonly oldest: readonly DeadSeen[] }>;
  /** Lets a turn that waits for its next try be tried now. False: nobody waits, it runs or is closed. */
  hasten(key: string, now: number): Promise<boolean>;
}

/** A turn that is open for longer, in ms, is stuck: no answer is followed for so long without a change. */
export const stuckMs = 15 * 60_000;
