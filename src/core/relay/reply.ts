/** What a turn wants shown, what has been posted of it, and how showing it ended. */
import type { Action, DocumentState, Footnote } from "../document.ts";
import type { Place } from "../place.ts";
import type { OutboundFile, Posted } from "../platform.ts";

/** Files that a final reply ends with, as one message of their own. */
export interface ReplyFiles {
  /** Each no larger than the platform takes. */
  readonly list: readonly OutboundFile[];
  /** True: in the thread that the reply's first message begins, as that message stands in a channel. */
  readonly inThread: boolean;
}

/** The whole reply so far, never a delta. */
export interface ReplyState {
  /** Markdown. */
  readonly text: string;
  readonly state: DocumentState;
  readonly status: string | null;
  readonly notice: string | null;
  readonly footnotes: readonly Footnote[];
  readonly footer: string | null;
  readonly actions: readonly Action[];
  /** Shown once, when the reply is final. */
  readonly files?: ReplyFiles;
}

/** What the platform has acknowledged, as plain JSON. */
export interface Delivery {
  /** The messages that the reply has become, in order. */
  readonly messages: readonly Posted[];
  /** The message with the reply's files: its whole text where that is too long for messages, and what it ends with. */
  readonly attached: Posted | null;
}

export const emptyDelivery: Delivery = { messages: [], attached: null };

/** The right to write for a turn. */
export interface WriteGuard {
  /** A signal that ends before the lease does. Throws when the turn is no longer ours. */
  permit(): AbortSignal;
  /** A write was carried out just now, or may have been: where that was too late, somebody else may have written meanwhile. */
  acknowledged(): void;
  /** The right has ended, so that somebody else may have it. */
  lost(): boolean;
}

/** A post whose message no journal is known to hold, made by who had lost the turn meanwhile. */
export interface Stray {
  readonly place: Place;
  /** What it was posted with. */
  readonly name: string;
  /** Which of the reply's messages it is: from 0, or its files. */
  readonly slot: number | "file";
  /** Undefined: no answer came, and it may not have been posted. */
  readonly posted: Posted | undefined;
}

/**
 * How showing a reply ended:
 * - `delivered`: its newest final state is acknowledged in full;
 * - `gone`: its message or place no longer exists, or may not be written to;
 * - `lost`: the turn is no longer ours;
 * - `failed`: the platform took no write for too long, or something broke;
 * - `closed`: `close` was called first.
 */
export type ReplyOutcome =
  { readonly kind: "delivered" } | { readonly kind: "gone" | "lost" | "failed" | "closed"; readonly reason: string };

export const isFinal = (state: DocumentState): boolean => state === "done" || state === "failed" || state === "stopped";
