/** The right to run a turn: held by renewing it, and lost with its time or to another process. */
import type { Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { LeaseLost } from "../next-owner.ts";
import type { WriteGuard } from "../relay/relay.ts";
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
/** Why a running turn ends that is only stopped. */
export const stopByAsker = (): Fault => new Fault("stopped", "the asker stopped the turn");
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
  const heed = ({ removal: leaves, stopRequested }: Pick<StoredTurn, "removal" | "stopRequested">): void => {
    if (leaves !== null) stop.abort(removal(leaves));
    else if (stopRequested) stop.abort(stopByAsker());
  };
  const renew = (): void => {
    const next = clock.now() + leaseTimes.lease;
    store.renew(turn, next).then(
      (held) => {
        if (over.signal.aborted) return;
        if (held === undefined) return end(new LeaseLost("another process has the turn"));
        until = next;
        heed(held);
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
  heed(turn);

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
