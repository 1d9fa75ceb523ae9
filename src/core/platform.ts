/** The port that every adapter meets. Small and total: what differs between platforms is data. */
import type { Block, Document, DocumentState } from "./document.ts";
import type { Inbound, Inbox, InboundFile, Person } from "./inbound.ts";
import type { Place } from "./place.ts";

/** A message that the platform has acknowledged. */
export interface Posted {
  readonly place: Place;
  /** The platform's id of the message. */
  readonly id: string;
}

/**
 * How often the platform lets something be done: at most `count` in any `windowMs`, of which `burst` at once, the rest evenly.
 * Its figures may change as the platform tells them: they are read anew for each write.
 */
export interface Budget {
  /** As the platform counts: `chat.update:T012AB`, `post:C045`. Writes with the same key share the budget. */
  readonly key: string;
  readonly count: number;
  readonly windowMs: number;
  readonly burst: number;
  /** Until then nothing is left of it, as the platform has told, in ms since 1970. */
  readonly closedUntil?: number;
}

export type WriteMethod = "post" | "edit";

export interface Limits {
  /** Characters of one message, as `cost` counts them. */
  readonly characters: number;
  /** Blocks of one message, as `cost` counts them. */
  readonly blocks: number;
  /** What one block takes of a message, written this platform's way. Adding blocks adds their costs. */
  readonly cost: (block: Block) => { readonly characters: number; readonly blocks: number };
  /** Messages that one reply may become before the whole of it is attached as a file instead. */
  readonly messagesPerReply: number;
  readonly fileBytes: number;
  /** Fields that a form shows at once; longer forms are filled in page by page. */
  readonly formFields: number;
  /** How somebody gives this command a file: Markdown that goes on a sentence, as “attach one to the command”. */
  readonly howToAttach: (command: string) => string;
  /** The settings that mean something only on some platforms, and do on this one. */
  readonly ownSettings: readonly OwnSetting[];
  /** True: answers get buttons that say what people think of them. */
  readonly asksForRatings?: boolean;
  /** True: `Document.source` is to be given where there is one. */
  readonly wantsSource?: boolean;
  /**
   * The budgets that one write takes from, the first of them the tightest.
   * @param state of the reply that is written, where that matters
   */
  readonly budgets: (method: WriteMethod, place: Place, state?: DocumentState) => readonly Budget[];
}

/** `follow_ups`: there are threads among people. `streaming`: there are streams of the platform's own. */
export type OwnSetting = "follow_ups" | "streaming";

/** A file to post. */
export interface OutboundFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/**
 * A platform. Writes throw `WriteFault`; each carries a deadline of its own, ended by `signal` too.
 * No method retries by itself.
 */
export interface ChatPlatform {
  readonly name: string;
  readonly limits: Limits;
  /** Begins to put what comes in into `inbox`; resolves once the platform is connected. `signal` ends it. */
  start(inbox: Inbox, signal: AbortSignal): Promise<void>;
  /** Takes nothing more in; writes still work. */
  stop(): Promise<void>;
  /** Null when ready, else why not: for `/readyz`. */
  health(): string | null;
  /** Posts one message. `key` names this message for ever: `find` knows it by that. */
  post(place: Place, document: Document, key: string, signal: AbortSignal): Promise<Posted>;
  /**
   * Shows `document` in place of what the message showed.
   * @returns `again` when people see its words, and its form takes one more edit, from the budgets that it then has
   */
  edit(posted: Posted, document: Document, signal: AbortSignal): Promise<void | "again">;
  /** Removes a message; one that is gone already is not an error. */
  remove(posted: Posted, signal: AbortSignal): Promise<void>;
  /** Posts files as one message. */
  attach(place: Place, files: readonly OutboundFile[], key: string, signal: AbortSignal): Promise<Posted>;
  /**
   * The message that was posted with `key`, after an unknown outcome or a restart. Undefined: certainly not posted.
   * @param besides ids of messages that are not meant, though they may have that key
   */
  find(place: Place, key: string, signal: AbortSignal, besides?: readonly string[]): Promise<Posted | undefined>;
  /** Shows `document` to one person only, as far as the platform can; not stored, cannot be edited. */
  whisper(place: Place, person: Person, document: Document, signal: AbortSignal): Promise<void>;
  /**
   * What came in, with what the platform has to be asked for: names, who is a stranger, earlier messages of the thread.
   * Called when the turn is run, and again when it is tried again. Throws when the platform cannot tell for now.
   */
  complete(inbound: Inbound, signal: AbortSignal): Promise<Inbound>;
  /** Files of the newest messages of a place, whoever posted them, the newest first; none where they are not to be had. */
  recentFiles(place: Place, signal: AbortSignal): Promise<readonly InboundFile[]>;
  /** The bytes of a file that came in. Throws a Fault `file_skipped` with the reason, in the asker's words, when it is not to be had. */
  open(file: InboundFile, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}
