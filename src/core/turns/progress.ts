/** How far a turn has come, as it is stored beside it: ids only, never text. Written before and after each step that cannot be repeated. */
import type { Permit } from "../permissions.ts";
import type { Delivery } from "../relay/relay.ts";

export interface Progress {
  /** It has been counted against its asker's and its channel's allowance. */
  readonly counted?: true;
  /** What has been posted for the turn. */
  readonly delivery: Delivery;
  /** What it asks waits for its asker's own account, apart from the turn. */
  readonly parked?: true;
  /** The account that the turn acts with, chosen once. */
  readonly account?: TurnAccount;
  /** A sign that the turn waits may have been posted, before the turn was first begun. */
  readonly signed?: boolean;
  /** Digest of the platform's file id -> workspace file id, of files uploaded already. */
  readonly uploads?: Readonly<Record<string, number>>;
  /** Recordings that are written down for the answer, by the digest of the platform's file id. */
  readonly transcripts?: Readonly<Record<string, TranscriptProgress>>;
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
  /** Stored before it is asked for: the reference of the failure that it is run again for; null where that one has none. */
  readonly rerunOf?: string | null;
  /** What is to be made for it is kept beside it, and gone on with by that. */
  readonly ordered?: true;
  /** Stored before something is begun that is made for credits. */
  readonly media?: MediaProgress;
  /** Its answer may have been shown to its asker alone. */
  readonly aside?: "begun";
  /** The failed turn that this one tries again: its messages are gone on with. */
  readonly origin?: string;
}

/** Stored before it is begun, for each recording. */
export interface TranscriptProgress {
  readonly at: number;
  /** The transcription's id, as soon as the workspace has answered. */
  readonly job?: number;
  /** Credits: it is done. */
  readonly cost?: string;
  /** Why it was not, and is not tried again. */
  readonly failed?: "disabled" | "lost" | "quota" | "late" | "failed";
}

export interface TurnAccount {
  readonly id: string;
  /** `team`: the shared account, spoken of as the team's; `thread`: a colleague's, who began the conversation. */
  readonly as: "own" | "team" | "thread";
  readonly permit: Permit;
}

export interface MediaProgress {
  readonly at: number;
  /** The newest job of the kind that there was; 0 for what is no job. */
  readonly after: number;
  /** Known as soon as the workspace has answered. */
  readonly job?: number;
  /** A failed job is to be begun anew, or that has been asked for, once. */
  readonly again?: "wanted" | "asked";
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

/** Files of the workspace that came with the words, from the place itself. */
export const givenFiles = ({ uploads = {}, contextFile }: Progress): ReadonlySet<number> =>
  new Set([...Object.values(uploads), ...(contextFile === undefined ? [] : [contextFile])]);
