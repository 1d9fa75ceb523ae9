/** Runs turns: one at a time in each lane, in the order they came, many lanes at once, across all processes. */
import type { Clock } from "../clock.ts";
import { Fault, reasonOf, WorkspaceFault } from "../errors.ts";
import type { Log } from "../log.ts";
import { spareTurns, turnsLimit } from "./busy.ts";
import type { Inbound } from "./inbound.ts";
import { askerKey } from "./links.ts";
import type { CoreMetrics } from "./metrics.ts";
import { Later, LeaseLost } from "./next-owner.ts";
import { holdLease, leaseTimes, stopByAsker, type Lease } from "./turns/lease.ts";
import type { StoredTurn, TurnStore } from "./turns/store.ts";

export interface LanesOptions {
  readonly store: TurnStore;
  /** This process's name among the owners of leases. */
  readonly owner: string;
  /** True when no other process can have the store open: leases left by a dead one are freed at once. */
  readonly exclusive: boolean;
  /** Runs a turn to its end and closes or releases it. What it throws is logged, and the turn is tried again. */
  readonly run: (turn: StoredTurn, lease: Lease) => Promise<void>;
  /** A lane whose turn was run here, and whose next one is not: another process may have it from now on. */
  readonly onLeft: (lane: string) => void;
  /** A turn was given back, for another process to go on with at once. */
  readonly onReleased: (lane: string) => void;
  /** A write of the lane's turn came to its end after its lease had: it may have covered a newer one. */
  readonly onLateWrite: (lane: string) => void;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
  readonly log: Log;
}

type Asker = Pick<Inbound, "place" | "author">;

export interface Lanes {
  start(): Promise<void>;
  /** Claims the lane's first turn, if nobody runs one. Resolves with its key once it is claimed, not when it is done. */
  wake(lane: string): Promise<string | undefined>;
  /** Asks a running turn of this process to end, at once. */
  stop(key: string, why?: Fault): void;
  /** Looks for turns that nobody has announced, at once. */
  look(): void;
  /** This process has as many turns as it takes. */
  readonly full: boolean;
  /** How many of its turns are of whoever asks this. */
  countOf(asked: Asker): number;
  /** Claims nothing more and gives the running turns back; resolves when the last of them has let go. */
  drain(): Promise<void>;
  readonly running: number;
}

/** Between two looks for turns that no message has announced, in ms. */
const pollMs = 1_000;
/** The first and every such look also goes through what waits behind others. */
const thoroughEvery = 10;
/** Before a turn that failed by a fault of ours is tried again, in ms; doubled at each try. */
const retryMs = 1_000;
const retryLimitMs = 60_000;
/** A lane that begins with this is a turn's own: it waits for no other. */
export const atOnce = "now:";

export function createLanes(options: LanesOptions): Lanes {
  const { store, owner, clock, metrics, log } = options;
  const running = new Map<
    string,
    { readonly lease: ReturnType<typeof holdLease>; readonly done: Promise<void>; readonly stop: AbortController }
  >();
  /** Running turns by whose they are. */
  const counts = new Map<string, number>();
  let draining = false;
  let claims = 0;
  let looks = 0;
  /** Claims whose answer was lost: each may have taken a turn that nobody runs. */
  const lost = new Set<string>();
  let cancelPoll = (): void => {};
  let polling: Promise<void> = Promise.resolve();

  const count = (asker: string, by: 1 | -1): void => {
    const next = (counts.get(asker) ?? 0) + by;
    if (next === 0) counts.delete(asker);
    else counts.set(asker, next);
    metrics.turnsHere(running.size);
  };

  const begin = (turn: StoredTurn, leaseUntil: number): void => {
    const asker = askerKey(turn.inbound);
    const lease = holdLease(store, turn, clock, log, leaseUntil, () => {
      metrics.lateWrite();
      log.warn({ turn: turn.key }, "a write came to its end after its lease had; what it may have covered is written once more");
      options.onLateWrite(turn.lane);
    });
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      try {
        await options.run(turn, { ...lease, stop: AbortSignal.any([lease.stop, stop.signal]) });
      } catch (thrown) {
        if (lease.over.aborted || thrown instanceof LeaseLost) {
          metrics.leaseLost();
          const reason = lease.over.aborted ? String(lease.over.reason) : reasonOf(thrown);
          log.info({ turn: turn.key, reason }, "a turn was left to its next owner");
          // One that is still ours in the store, as after a database that was away for long, need not wait for its lease's end.
          const ours = draining || !lease.over.aborted;
          if (ours && (await store.release(turn, clock.now()))) options.onReleased(turn.lane);
        } else if (thrown instanceof Later) {
          await store.release(turn, clock.now() + thrown.ms);
        } else {
          const wait = Math.min(retryMs * 2 ** Math.min(turn.fence - 1, 10), retryLimitMs);
          const said = { err: thrown, turn: turn.key, tryAgainMs: wait };
          if (thrown instanceof WorkspaceFault) log.warn(said, "the workspace failed at a turn, which is tried again");
          else log.error(said, "a turn failed by a fault of Parley and is tried again");
          await store.release(turn, clock.now() + wait);
        }
      }
    };
    const done = run()
      .catch((thrown: unknown) =>
        log.error({ err: thrown, turn: turn.key }, "a turn could not be given back; its lease will end by itself"),
      )
      .then(async () => {
        lease.end(new Fault("turn_over", "the turn is over"));
        running.delete(turn.key);
        count(asker, -1);
        let next: string | undefined;
        try {
          next = await wake(turn.lane);
        } finally {
          if (next === undefined) options.onLeft(turn.lane);
        }
      })
      .catch((thrown: unknown) =>
        log.error({ err: thrown, lane: turn.lane }, "the next turn of a lane could not be claimed; the poll will find it"),
      )
      .then(() => {});
    running.set(turn.key, { lease, done, stop });
    count(asker, 1);
  };

  const claim = async (lane?: string): Promise<StoredTurn | undefined> => {
    const limit = lane?.startsWith(atOnce) === true ? turnsLimit + spareTurns : turnsLimit;
    if (draining || running.size >= limit) return undefined;
    const now = clock.now();
    const leaseUntil = now + leaseTimes.lease;
    const mine = `${owner}/${++claims}`;
    try {
      const turn = await store.claim({ owner: mine, now, leaseUntil, ...(lane === undefined ? {} : { lane }) });
      if (turn !== undefined) begin(turn, leaseUntil);
      return turn;
    } catch (thrown) {
      lost.add(mine);
      throw thrown;
    }
  };

  const wake = async (lane: string): Promise<string | undefined> => (await claim(lane))?.key;

  const poll = async (): Promise<void> => {
    try {
      for (const unanswered of lost) {
        await store.disown(unanswered);
        lost.delete(unanswered);
      }
      const freed = await store.expire(clock.now() - leaseTimes.grace);
      if (freed > 0) log.warn({ freed }, "turns of an owner that is gone were freed");
      if (looks++ % thoroughEvery === 0) await store.bringForward();
      while ((await claim()) !== undefined);
    } catch (thrown) {
      log.error({ err: thrown }, "the store could not be asked for waiting turns");
    }
    if (!draining) cancelPoll = clock.after(pollMs, () => void (polling = poll()));
  };

  return {
    async start() {
      if (options.exclusive) await store.expire(Number.MAX_SAFE_INTEGER);
      await (polling = poll());
    },
    wake,
    stop(key, why = stopByAsker()) {
      running.get(key)?.stop.abort(why);
    },
    look() {
      if (draining) return;
      cancelPoll();
      polling = polling.then(poll);
    },
    get full() {
      return running.size >= turnsLimit;
    },
    countOf: (asked) => counts.get(askerKey(asked)) ?? 0,
    async drain() {
      draining = true;
      cancelPoll();
      await polling;
      const reason = new Fault("draining", "this process is stopping");
      const held = [...running.values()];
      for (const { lease } of held) lease.end(reason);
      await Promise.all(held.map(({ done }) => done));
    },
    get running() {
      return running.size;
    },
  };
}
