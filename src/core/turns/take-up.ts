/** Takes a claimed turn up where an earlier owner, or its waiting sign, left it. */
import type { Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { ChatPlatform } from "../platform.ts";
import type { Delivery, Relay, WriteGuard } from "../relay/relay.ts";
import type { Place } from "../place.ts";
import type { Progress } from "./progress.ts";
import type { Lease, TurnRun } from "./run.ts";
import type { StoredTurn, TurnStore } from "./store.ts";
import type { Shown } from "./waiting.ts";
import { createWhisper } from "./whispering.ts";

/** What a reply is opened with, of what differs between turns. */
export interface ReplyStart {
  readonly platform: ChatPlatform;
  readonly place: Place;
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

export function takeUp({
  turn,
  lease,
  platform,
  sign,
  resumed,
  store,
  openReply,
  clock,
  random,
  log,
}: TakingUp): TurnRun & { readonly close: () => Promise<void>; readonly again: () => void } {
  let progress: Progress = sign === undefined ? turn.progress : { ...turn.progress, delivery: sign.delivery };
  let relay: Relay | undefined;

  const save = async (change: Partial<Progress>): Promise<void> => {
    const next = { ...progress, ...change };
    if (!(await store.saveProgress(turn, next))) throw new Fault("lease_lost", "another process has the turn");
    progress = next;
  };
  const journal = (delivery: Delivery): Promise<void> => save({ delivery });
  const open = (): Relay => {
    const key = progress.origin ?? turn.key;
    return openReply({ platform, place: turn.inbound.place, key, delivery: progress.delivery, resumed, guard: lease, journal });
  };
  return {
    turn,
    lease,
    platform,
    log,
    save,
    whisper: createWhisper({ platform, lease, clock, random, log }),
    progress: () => progress,
    relay: () => (relay ??= open()),
    // A write under way comes to its end, so that whoever has the turn next finds what it did.
    close: async () => void (await relay?.close()),
    again: () => relay?.again(),
  };
}
