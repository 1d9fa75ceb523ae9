/** What the core needs of the durable table of turns. Every write but `put` names the fence it was claimed with and does nothing under an older one. */
import type { Inbound } from "../inbound.ts";
import type { Delivery } from "../relay/reply.ts";
import type { Progress } from "./progress.ts";

/** What somebody thinks of an answer. */
export const verdicts = ["helpful", "unhelpful"] as const;
export type Verdict = (typeof verdicts)[number];

/** How a turn ended, for metrics and logs, and what that means to whoever reads them. */
export const outcomes = {
  answered: "the answer, or what was made, is shown",
  done: "a command or button that needs no more than its own reply",
  no_answer: "the workspace took the message, and has no answer for it: people talk there",
  refused: "not allowed, not possible as it was asked, or beyond a limit; the asker was told",
  stopped: "by Stop",
  cancelled: "its message was deleted, or its request taken back",
  failed: "an error, which its message says; it may be tried again",
  unknown: "nobody can tell whether the workspace took it: its message says so, and offers to ask again",
  gone: "its channel, thread or message is no longer there to be written to",
} as const;
export type Outcome = keyof typeof outcomes;

/** What stays of a turn that was taken back: its key, by which a repeat of it is known, or nothing. */
export type Leaves = "key" | "nothing";

export interface StoredTurn {
  readonly id: number;
  readonly key: string;
  readonly lane: string;
  readonly fence: number;
  readonly inbound: Inbound;
  readonly progress: Progress;
  readonly createdAt: number;
  readonly closedAt: number | null;
  readonly outcome: Outcome | null;
  readonly stopRequested: boolean;
  /** Its end is to leave no more of it than this. */
  readonly removal: Leaves | null;
}

export interface Claim {
  /** Of this claim alone, so that one whose answer was lost can be taken back. */
  readonly owner: string;
  readonly now: number;
  readonly leaseUntil: number;
  /** Only this lane's first turn; without it the one of any lane that has been due longest. */
  readonly lane?: string;
}

export interface TurnStore {
  /** Stores a turn that is due at `dueAt`; `known` when its key is there already. */
  put(inbound: Inbound, lane: string, now: number): Promise<"new" | "known">;
  /** Takes the first open turn of a lane that nobody runs. Undefined when there is none. */
  claim(claim: Claim): Promise<StoredTurn | undefined>;
  /**
   * A claim without a lane passes over what waits behind others. This finds what no longer does, where it was missed: as when
   * one process stored a turn while another closed the one before it, or when that one was deleted.
   */
  bringForward(): Promise<void>;
  /** Holds on to a claimed turn. Undefined: it is no longer ours. */
  renew(turn: StoredTurn, leaseUntil: number): Promise<Pick<StoredTurn, "stopRequested" | "removal"> | undefined>;
  /** Frees the turns whose lease ended before `before`; returns how many. */
  expire(before: number): Promise<number>;
  /** Gives back whatever a claim by `owner` took. */
  disown(owner: string): Promise<void>;
  /** False: no longer ours, nothing was written. */
  saveProgress(turn: StoredTurn, progress: Progress): Promise<boolean>;
  /** Ends a turn. Its text is deleted unless `keepText`, which keeps it for Retry until `forgetText`. */
  close(turn: StoredTurn, now: number, outcome: Outcome, keepText: boolean): Promise<boolean>;
  /** Gives a turn back, to be claimed again from `dueAt` on. */
  release(turn: StoredTurn, dueAt: number): Promise<boolean>;
  /** Changes what a turn that nobody has begun says. False when it has begun, or is closed or unknown. */
  replaceWaiting(key: string, inbound: Inbound): Promise<boolean>;
  /** Closes a turn that nobody runs. False when it is running, closed or unknown. */
  cancelWaiting(key: string, now: number): Promise<boolean>;
  /** Asks whoever runs the turn to end it. False when it is closed or unknown. */
  requestStop(key: string, now: number): Promise<boolean>;
  /** Asks whoever runs the turn to end it and to leave no more of it than `leaves`. False when it is closed or unknown. */
  requestRemoval(key: string, now: number, leaves: Leaves): Promise<boolean>;
  /** Keeps what `person` thinks of the turn's answer, in place of what they thought before. False: there is no such turn. */
  rate(key: string, person: string, verdict: Verdict, now: number): Promise<boolean>;
  /** Undefined also when the text is gone. */
  find(key: string): Promise<StoredTurn | undefined>;
  /** The newest message of a lane, or try of one; undefined also when its text is gone. */
  newestOf(lane: string): Promise<StoredTurn | undefined>;
  /** Keys of a lane's open turns, first to run first, at most `limit`. */
  openIn(lane: string, limit: number): Promise<readonly string[]>;
  /** The turns of a lane that nobody runs, first to run first. */
  waitingIn(lane: string, limit: number): Promise<readonly StoredTurn[]>;
  /** Notes in its progress that a sign of the turn may be posted. False when it has begun, or is closed or unknown. */
  markSigned(key: string): Promise<boolean>;
  /**
   * Keeps what the sign of a waiting turn has become, by the right of its lane's `running` turn; nothing where it waits no longer.
   * False: `running` is no longer ours, nothing was written.
   */
  saveSign(running: StoredTurn, key: string, delivery: Delivery): Promise<boolean>;
  depth(now: number): Promise<{ readonly waiting: number; readonly running: number; readonly oldestWaitingMs: number }>;
  /** Deletes the kept text of turns closed before `before`; returns how many. */
  forgetText(before: number): Promise<number>;
}
