/** Takes a claimed turn up where an earlier owner, or its waiting sign, left it. */
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { LeaseLost } from "../next-owner.ts";
import type { ChatPlatform } from "../platform.ts";
import type { Delivery, Relay, ReplyState, WriteGuard } from "../relay/relay.ts";
import type { Place } from "../place.ts";
import type { Lease } from "./lease.ts";
import type { Progress } from "./progress.ts";
import type { TurnRun } from "./run.ts";
import { createSaving } from "./saving.ts";
import type { StoredTurn, TurnStore } from "./store.ts";
import type { Shown } from "./waiting.ts";
import { createWhisper } from "./whispering.ts";

/** What a reply is opened with, of what differs between turns. */
export interface ReplyStart {
  readonly platform: ChatPlatform;
  readonly place: Place;
  /** The turn that has the reply. */
  readonly turn: string;
  /** The turn that the reply's messages are named after: the first of those that tried to answer. */
  readonly key: string;
  readonly delivery: Delivery;
  readonly resumed: boolean;
  readonly guard: WriteGuard;
  readonly journal: (delivery: Delivery) => Promise<void>;
}

export interface TakingUp {
  readonly turn: StoredTurn;
  readonly lease: Lease;
  readonly platform: ChatPlatform;
  /** What the sign that it waited has posted; undefined where that is not known. */
  readonly sign: Shown | undefined;
  /** True when something may have been posted for the turn that its progress does not know. */
  readonly resumed: boolean;
  readonly store: TurnStore;
  readonly openReply: (start: ReplyStart) => Relay;
  readonly clock: Clock;
  /** From 0 up to 1, for the jitter of waits. */
  readonly random: () => number;
  readonly log: Log;
}

export interface TakenUp extends TurnRun {
  /** Resolves when a message of the turn stands on the platform, or none is going to. */
  readonly placed: Promise<void>;
  /** What its reply shows, or is about to; undefined where none was given. */
  newest(): ReplyState | undefined;
  /** Ends the reply; a write under way comes to its end, so that whoever has the turn next finds what it did. */
  readonly close: () => Promise<void>;
  /** Has the newest of the reply written once more. */
  readonly again: () => void;
}

export function takeUp({ turn, lease, platform, sign, resumed, store, openReply, clock, random, log }: TakingUp): TakenUp {
  const initial: Progress = sign === undefined ? turn.progress : { ...turn.progress, delivery: sign.delivery };
  const { progress, save } = createSaving(initial, async (next) => {
    if (!(await store.saveProgress(turn, next))) throw new LeaseLost("another process has the turn");
  });
  let relay: Relay | undefined;
  let newest: ReplyState | undefined;
  const placing = Promise.withResolvers<void>();
  if (initial.delivery.messages.length > 0) placing.resolve();

  const whisper = createWhisper({ platform, lease, clock, random, log });
  const journal = (delivery: Delivery): Promise<void> => save({ delivery });
  const open = (): Relay => {
    const { origin, delivery } = progress();
    const key = origin ?? turn.key;
    const { place } = turn.inbound;
    const opened = openReply({ platform, place, turn: turn.key, key, delivery, resumed, guard: lease, journal });
    void opened.placed().then(placing.resolve);
    return {
      ...opened,
      show(state) {
        newest = state;
        opened.show(state);
      },
    };
  };
  return {
    turn,
    lease,
    platform,
    log,
    random,
    save,
    whisper(to, document) {
      // What its asker alone sees has no place in the order.
      placing.resolve();
      return whisper(to, document);
    },
    progress,
    relay: () => (relay ??= open()),
    placed: placing.promise,
    newest: () => newest,
    async close() {
      await relay?.close();
      placing.resolve();
    },
    again: () => relay?.again(),
  };
}
