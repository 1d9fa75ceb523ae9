/** One turn while this process has it: its lease, its progress, its reply. */
import type { Log } from "../../log.ts";
import type { Document } from "../document.ts";
import type { Inbound } from "../inbound.ts";
import type { ChatPlatform } from "../platform.ts";
import type { Relay } from "../relay/relay.ts";
import type { Lease } from "./lease.ts";
import type { Progress } from "./progress.ts";
import type { StoredTurn } from "./store.ts";

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
