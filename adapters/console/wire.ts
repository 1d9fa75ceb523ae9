/** What the console's server and its page say to each other: plain JSON. */
import type { Document } from "../../src/core/document.ts";
import type { FileKind as TakenKind } from "../../src/core/media/kinds.ts";
import type { FileKind } from "./file-kinds.ts";

export interface ChannelView {
  readonly id: string;
  readonly name: string;
  readonly kind: "channel" | "direct";
}

export interface FileView {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** What a command in the menu of its message may be about. */
  readonly kinds: readonly TakenKind[];
  /** How it is shown in the message; null: only offered for download. */
  readonly shown: FileKind | null;
}

export interface MessageView {
  readonly id: string;
  /** The order in which messages are shown. */
  readonly seq: number;
  /** Grows with every change: a page never shows an older state over a newer one. */
  readonly rev: number;
  readonly channel: string;
  readonly thread: string | null;
  readonly author: { readonly id: "you" | "parley"; readonly name: string };
  readonly kind: "text" | "command" | "document" | "files";
  readonly at: number;
  readonly editedAt: number | null;
  readonly removed: boolean;
  /** Parley answers it. */
  readonly addressed: boolean;
  readonly text: string | null;
  readonly document: Document | null;
  readonly files: readonly FileView[];
  /** What hangs from it; `lastAt` is 0 where nothing does. */
  readonly replies: { readonly count: number; readonly lastAt: number };
}

/** Shown to the person only, and kept no longer than the server's process. */
export interface WhisperView {
  readonly id: string;
  readonly channel: string;
  readonly thread: string | null;
  readonly at: number;
  readonly document: Document;
}

export type FeedEvent =
  | { readonly type: "message"; readonly message: MessageView }
  | { readonly type: "whisper"; readonly whisper: WhisperView }
  | { readonly type: "whisper-gone"; readonly id: string }
  | { readonly type: "channel"; readonly channel: ChannelView }
  | { readonly type: "person"; readonly name: string };

/** A frame of the live connection; `resumed: false` has the page read everything again. */
export type Frame =
  | { readonly type: "hello"; readonly run: string; readonly seq: number; readonly resumed: boolean }
  | { readonly type: "events"; readonly events: readonly (FeedEvent & { readonly seq: number })[] }
  | { readonly type: "beat" };
