/**
 * Replies whose turns were closed here a moment ago. An owner that froze with a write on its way may cover one of them when
 * it wakes: it says so, and the reply is written once more.
 */
import type { Clock } from "../../clock.ts";
import { reasonOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { ReplyState, Relay, WriteGuard } from "../relay/relay.ts";
import { leaseTimes } from "./lease.ts";
import type { TurnStore } from "./store.ts";
import type { ReplyStart, TakenUp } from "./take-up.ts";

export interface ClosedReplies {
  /**
   * Keeps what a turn has shown at its end, where another process may have written for it before.
   * @param retriable its asker may have it tried again, in the same message
   */
  keep(run: TakenUp, retriable: boolean): void;
  /** Writes those of a lane once more. Never throws. */
  again(lane: string): Promise<void>;
}

export interface ClosedRepliesOptions {
  readonly store: Pick<TurnStore, "newestOf">;
  readonly openReply: (start: ReplyStart) => Relay;
  readonly clock: Clock;
  readonly log: Log;
}

interface Closed {
  readonly lane: string;
  readonly at: number;
  readonly retriable: boolean;
  readonly start: ReplyStart;
  readonly state: ReplyState;
}

/** By then a platform has ended the connection of one that froze in the middle of a request, in ms. */
const keptMs = 300_000;
/** Replies that are kept at most; the oldest go first. */
const keptLimit = 1_000;

/** The turn is closed, so nobody's lease is on its message. */
const guard: WriteGuard = { permit: () => AbortSignal.timeout(leaseTimes.write), acknowledged: () => {}, lost: () => false };

export function createClosedReplies({ store, openReply, clock, log }: ClosedRepliesOptions): ClosedReplies {
  /** By turn, oldest first. */
  const kept = new Map<string, Closed>();

  const sweep = (): void => {
    const old = clock.now() - keptMs;
    for (const [key, { at }] of kept) {
      if (at > old && kept.size <= keptLimit) return;
      kept.delete(key);
    }
  };
  const write = async (key: string, { lane, retriable, start, state }: Closed): Promise<void> => {
    // A later try may have gone on in the same message.
    if (retriable && (await store.newestOf(lane))?.key !== key) return;
    const relay = openReply(start);
    relay.show(state);
    const end = await relay.settled();
    await relay.close();
    log.info({ turn: key, outcome: end.kind }, "a closed reply was written once more, after a late write");
  };

  return {
    keep(run, retriable) {
      sweep();
      const { turn, platform } = run;
      const state = run.newest();
      const { delivery, origin } = run.progress();
      // Nobody had it before, nor showed that it waited, nor tried it before.
      const alone = turn.fence === 1 && turn.progress.signed !== true && origin === undefined;
      if (alone || state === undefined || delivery.messages.length === 0) return;
      // Its files stand for themselves.
      const { files: _files, ...words } = state;
      const start: ReplyStart = {
        platform,
        place: turn.inbound.place,
        turn: turn.key,
        key: origin ?? turn.key,
        delivery,
        resumed: false,
        guard,
        journal: () => Promise.resolve(),
      };
      kept.delete(turn.key);
      kept.set(turn.key, { lane: turn.lane, at: clock.now(), retriable, start, state: words });
    },
    async again(lane) {
      sweep();
      for (const [key, closed] of kept) {
        if (closed.lane !== lane) continue;
        try {
          await write(key, closed);
        } catch (thrown) {
          log.warn({ turn: key, reason: reasonOf(thrown) }, "a closed reply could not be written once more");
        }
      }
    },
  };
}
