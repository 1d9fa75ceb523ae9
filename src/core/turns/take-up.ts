/** Takes a claimed turn up where an earlier owner, or its waiting sign, left it. */
import { Fault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { ChatPlatform } from "../platform.ts";
import type { Delivery, Relay, WriteGuard } from "../relay/relay.ts";
import type { Place } from "../place.ts";
import type { Progress } from "./progress.ts";
import type { Lease, TurnRun } from "./run.ts";
import type { StoredTurn, TurnStore } from "./store.ts";
import type { Sign } from "./waiting.ts";

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
  readonly sign: Sign | undefined;
  /** True when something may have been posted for the turn that its progress does not know. */
  readonly resumed: boolean;
  readonly store: TurnStore;
  readonly openReply: (start: ReplyStart) => Relay;
  readonly log: Log;
}

export function takeUp({ turn, lease, platform, sign, resumed, store, openReply, log }: TakingUp): TurnRun & { close(): void } {
  let progress: Progress = sign === undefined ? turn.progress : { ...turn.progress, delivery: sign.delivery() };
  let relay: Relay | undefined;

  const save = async (change: Partial<Progress>): Promise<void> => {
    const next = { ...progress, ...change };
    if (!(await store.saveProgress(turn, next))) throw new Fault("lease_lost", "another process has the turn");
    progress = next;
  };
  const journal = (delivery: Delivery): Promise<void> => save({ delivery });
  const open = (): Relay => {
    if (sign !== undefined) return sign.adopt(lease, journal);
    const key = progress.origin ?? turn.key;
    return openReply({ platform, place: turn.inbound.place, key, delivery: progress.delivery, resumed, guard: lease, journal });
  };
  return {
    turn,
    lease,
    platform,
    log,
    save,
    progress: () => progress,
    relay: () => (relay ??= open()),
    close: () => (relay ?? sign?.relay)?.close(),
  };
}
