/** One turn while this process has it: its lease, its progress, its reply. */
import type { Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Document } from "../document.ts";
import type { Inbound } from "../inbound.ts";
import { LeaseLost } from "../next-owner.ts";
import type { ChatPlatform } from "../platform.ts";
import type { Relay, WriteGuard } from "../relay/relay.ts";
import type { Progress } from "./progress.ts";
import type { Leaves, StoredTurn, TurnStore } from "./store.ts";

/** How long, in ms. */
export const leaseTimes = {
  lease: 30_000,
  renew: 10_000,
  /** A write to a platform ends this long before the lease does. */
  margin: 5_000,
  /** No write takes longer than this. */
  write: 15_000,
  /** A successor waits this long past the lease's end. */
  grace: 1_000,
} as const;

/** Why a running turn ends that is to leave nothing of itself, or only its key. */
class Removal extends Fault {
  readonly leaves: Leaves;
  constructor(leaves: Leaves) {
    super("removed", "the message was deleted, or its person is forgotten");
    this.leaves = leaves;
  }
}
export const removal = (leaves: Leaves): Fault => new Removal(leaves);
/** What a turn is to leave of itself; undefined when it is only stopped, or not even that. */
export const removalOf = ({ aborted, reason }: AbortSignal): Leaves | undefined =>
  aborted && reason instanceof Removal ? reason.leaves : undefined;

/** The right to run a turn, until it is lost or given back. */
export interface Lease extends WriteGuard {
  /** Ends when the turn is no longer ours, or this process is to stop: leave everything as it is. */
  readonly over: AbortSignal;
  /** Ends when the asker wants the turn ended. */
  readonly stop: AbortSignal;
}

/** Whom something is for, and where they are. */
export type Listener = Pick<Inbound, "place" | "author">;
/** Whatever was done for the words is not done again: the turn waits for their platform. */
export type Whisper = (to: Listener, document: Document) => Promise<void>;

export interface TurnRun {
  readonly turn: StoredTurn;
  readonly lease: Lease;
  readonly platform: ChatPlatform;
  readonly log: Log;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** The reply, opened at the first use. */
  readonly relay: () => Relay;
  /** Shows something to one person alone, as soon as the platform takes it. */
  readonly whisper: Whisper;
  progress(): Progress;
  /** Stores what has been done. Throws `LeaseLost` when the turn is no longer ours. */
  save(change: Partial<Progress>): Promise<void>;
}

/** Renews a turn's lease until it is ended. */
export function holdLease(
  store: TurnStore,
  turn: StoredTurn,
  clock: Clock,
  log: Log,
  leaseUntil: number,
  /** A write came to its end after the lease had. */
  onLate: () => void,
): Lease & { end(reason: Fault): void } {
  const over = new AbortController();
  const stop = new AbortController();
  let until = leaseUntil;
  let cancel = (): void => {};

  const end = (reason: Fault): void => {
    cancel();
    if (!over.signal.aborted) over.abort(reason);
  };
  const renew = (): void => {
    const next = clock.now() + leaseTimes.lease;
    store.renew(turn, next).then(
      (held) => {
        if (over.signal.aborted) return;
        if (held === undefined) return end(new LeaseLost("another process has the turn"));
        until = next;
        if (held.removal !== null) stop.abort(removal(held.removal));
        else if (held.stopRequested) stop.abort(new Fault("stopped", "the asker stopped the turn"));
        cancel = clock.after(leaseTimes.renew, renew);
      },
      (thrown: unknown) => {
        if (over.signal.aborted) return;
        log.error({ err: thrown, turn: turn.key }, "the lease of a turn could not be renewed");
        if (clock.now() > until) return end(new LeaseLost("the lease ended before it could be renewed", { cause: thrown }));
        cancel = clock.after(leaseTimes.renew / 10, renew);
      },
    );
  };
  cancel = clock.after(leaseTimes.renew, renew);
  if (turn.removal !== null) stop.abort(removal(turn.removal));
  else if (turn.stopRequested) stop.abort(new Fault("stopped", "the asker stopped the turn"));

  return {
    over: over.signal,
    stop: stop.signal,
    end,
    permit() {
      over.signal.throwIfAborted();
      const left = until - leaseTimes.margin - clock.now();
      if (left <= 0) throw new LeaseLost("too little of the lease is left for a write");
      return AbortSignal.timeout(Math.min(left, leaseTimes.write));
    },
    acknowledged() {
      if (clock.now() > until) onLate();
    },
    lost() {
      const { aborted, reason } = over.signal;
      return clock.now() > until || (aborted && reason instanceof LeaseLost);
    },
  };
}
