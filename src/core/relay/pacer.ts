/** Gives the platforms' write budgets to all the replies that want to write. */
import type { WriteFault } from "../../errors.ts";
import type { Budget } from "../platform.ts";

/**
 * What a write is for, most urgent first:
 * - `edge`: a reply's first words, or its last state;
 * - `sign`: the first sign of a reply that has no words yet;
 * - `more`: anything between.
 */
export type Urgency = "edge" | "sign" | "more";

/** A wish to write once. */
export interface Wish {
  readonly budgets: readonly Budget[];
  readonly urgency: Urgency;
  /** Since when the text to be written is unseen, in ms since 1970. Within one urgency, the oldest goes first. */
  readonly since: number;
  /** Called once, when there is a free slot. False: nothing was written, and the slot goes to the next. */
  readonly grant: () => boolean;
}

export interface Waiting {
  /** Takes the wish back; does nothing after the grant. */
  cancel(): void;
  /** Changes how urgent it is. */
  urge(urgency: Urgency): void;
}

export interface Pacer {
  wish(wish: Wish): Waiting;
  /** The platform refused a write as one too many. Closes the budget that it names, else the tightest of the write's. */
  limited(budgets: readonly Budget[], fault: WriteFault): void;
}
