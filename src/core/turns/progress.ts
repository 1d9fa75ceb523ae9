/** How far a turn has come, as it is stored beside it: ids only, never text. Written before and after each step that cannot be repeated. */
import type { Delivery } from "../relay/relay.ts";

export interface Progress {
  /** What has been posted for the turn. */
  readonly delivery: Delivery;
  /** A post may have gone out that `delivery` does not know: look before posting. */
  readonly mayHavePosted?: true;
  /** Platform file id -> workspace file id, of files uploaded already. */
  readonly uploads?: Readonly<Record<string, number>>;
  /** The workspace file that holds the thread's earlier messages. */
  readonly contextFile?: number;
  /** Stored before the words are sent. */
  readonly intent?: Intent;
  /** Known as soon as the workspace has answered the send. */
  readonly sent?: { readonly conversationId: number };
  /** The AI message that answers. */
  readonly answer?: number;
  /** The workspace has been asked once to run a broken answer again. */
  readonly rerun?: true;
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
