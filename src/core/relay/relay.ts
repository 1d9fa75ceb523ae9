/** Turns a stream of whole replies into posts and edits: one write at a time, always with the newest text. */
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Place } from "../place.ts";
import type { ChatPlatform } from "../platform.ts";
import type { Pacer } from "./pacer.ts";
import type { Delivery, ReplyOutcome, ReplyState, WriteGuard } from "./reply.ts";

export { emptyDelivery } from "./reply.ts";
export type { Delivery, ReplyOutcome, ReplyState, WriteGuard } from "./reply.ts";

/** What is measured of replies. Times in ms. */
export interface RelayMetrics {
  /** From the relay's opening to the first acknowledged words. */
  firstWords(ms: number): void;
  /** How old the oldest unseen text was when it was acknowledged. */
  staleness(ms: number): void;
  editSent(): void;
  /** An update that needed no write of its own, as a newer one was shown instead. */
  editSaved(): void;
  /** From the final state to its acknowledgement in full. */
  finish(ms: number): void;
}

export interface RelayOptions {
  readonly platform: ChatPlatform;
  readonly place: Place;
  /** The turn's key; page n is posted with `${key}/${n}`. */
  readonly key: string;
  /** What an earlier owner of the turn had posted. */
  readonly delivery: Delivery;
  /** True: an earlier owner may have posted what it could not journal, so the platform is asked before the first post. */
  readonly resumed: boolean;
  readonly pacer: Pacer;
  readonly guard: WriteGuard;
  /** Stores what has been posted; awaited before the next write. */
  readonly journal: (delivery: Delivery) => Promise<void>;
  readonly clock: Clock;
  /** Between 0 and 1, for the spread of retries. */
  readonly random: () => number;
  readonly metrics: RelayMetrics;
  readonly log: Log;
}

export interface Relay {
  /** What is to be shown from now on. Never waits, never throws. */
  show(state: ReplyState): void;
  /** Resolves when the newest final state is acknowledged in full, or can no longer be. */
  settled(): Promise<ReplyOutcome>;
  /** Ends the relay at once, leaving the messages as they are. */
  close(): void;
}
