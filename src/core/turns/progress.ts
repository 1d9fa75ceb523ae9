/** How far a turn has come, as it is stored beside it: ids only, never text. Written before and after each step that cannot be repeated. */
import type { Delivery } from "../relay/relay.ts";

export interface Progress {
  /** What has been posted for the turn. */
  readonly delivery: Delivery;
  /** Platform file id -> workspace file id, of files uploaded already. */
  readonly uploads?: Readonly<Record<string, number>>;
  /** The workspace file that holds the thread's earlier messages. */
  readonly contextFile?: number;
  /** Stored before the words are sent. */
  readonly intent?: Intent | undefined;
  /** Known as soon as the workspace has answered the send. */
  readonly sent?: { readonly conversationId: number };
  /** The AI message that answers. */
  readonly answer?: number;
  /** A failed answer is to be run again (`wanted`), or has been, once. */
  readonly rerun?: "wanted" | "done";
  /** The failed turn that this one tries again: its messages are gone on with. */
  readonly origin?: string;
}

export interface Intent {
  readonly at: number;
  /** Null: a new conversation is begun. */
  readonly conversationId: number | null;
  /** The newest message of the conversation that Parley knew of. */
  readonly after: number;
  /** SHA-256 of the words, to know them again. */
  readonly digest: string;
}

export const noProgress: Progress = { delivery: { messages: [], attached: null } };
