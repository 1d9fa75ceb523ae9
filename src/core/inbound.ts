/** What comes in from a platform, as plain JSON, so that it can be stored before it is acknowledged and read after a restart. */
import type { FormValues } from "./forms.ts";
import type { Place } from "./place.ts";
import type { PromptOrder } from "./prompts/order.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  /** A bot, a webhook or Parley itself: never answered. */
  readonly bot?: boolean;
  /** Somebody of another organisation, or a guest. */
  readonly external?: boolean;
  /** A guest of the tenant, who is `external` too. */
  readonly guest?: boolean;
  /** Roles or user groups, as far as the platform was asked. */
  readonly groups?: readonly string[];
  /** The tenant whose id the person's is; without it the place's. */
  readonly home?: string;
}

/** A file on the platform; its bytes are read with `ChatPlatform.open`. */
export interface InboundFile {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  /** As the platform states it; null where it does not. */
  readonly bytes: number | null;
}

/**
 * A run of a message's text. Only what the asker typed may address an agent by `@tag`;
 * a person's name or quoted text must never do so.
 */
export type Run = { readonly typed: string } | { readonly name: string } | { readonly quoted: string };

/** An earlier message of the thread, sent along as context. */
export interface ContextMessage {
  readonly author: string;
  readonly text: string;
  readonly at: number;
}

interface InboundBase {
  /** Unique for ever: `platform:tenant:channel:ts:kind`, or the interaction's id. Retries and twins have the same key. */
  readonly key: string;
  /** The conversation's place: the thread (which a mention in a channel begins), or a direct message. */
  readonly place: Place;
  readonly author: Person;
  /** When it was said, in ms since 1970. */
  readonly at: number;
  /** The place is a direct message: private, and a conversation without a thread. */
  readonly direct?: boolean;
  /** Who reads the channel: its members alone, or people of other organisations too. Without it everybody of the tenant may. */
  readonly readers?: "members" | "others";
  /** Its author wrote a workspace key into it, which was cut out: it is not answered. */
  readonly spilled?: true;
}

export interface InboundMessage extends InboundBase {
  readonly kind: "message";
  /** The platform's id of the message. */
  readonly message: string;
  readonly runs: readonly Run[];
  readonly files: readonly InboundFile[];
  /** Earlier messages of a thread in which Parley had no part yet. */
  readonly context?: readonly ContextMessage[];
  /** Parley had no part in the thread yet: `ChatPlatform.complete` adds the earlier messages as `context`. */
  readonly joins?: true;
  /** Its recordings are written down for the turn, whatever the place has chosen. */
  readonly transcribe?: true;
  /** A saved prompt that is run in the place of sending the words, which say it to people. */
  readonly prompt?: PromptOrder;
}

export interface InboundCommand extends InboundBase {
  readonly kind: "command";
  readonly name: string;
  /** Options by name, as the platform gave them; the command table reads them. */
  readonly options: Readonly<Record<string, string>>;
  /** What was typed behind the name, where the platform has no options of its own. */
  readonly text: string;
  readonly files: readonly InboundFile[];
  /** Chosen in the menu of a message, whose files these are: it is about them alone, and comes without options. */
  readonly chosen?: true;
  /** What the command asks is about the thread so far: its messages go along. */
  readonly joins?: true;
  /** The button with which its person said yes to it; never given by a platform. */
  readonly confirmed?: string;
}

/** A button or menu of a posted document. */
export interface InboundAction extends InboundBase {
  readonly kind: "action";
  readonly action: string;
  /** The turn whose document carries the button: `Action.turn`. */
  readonly turn: string;
}

/** A form was filled in and sent. Its values may be secret: they are sealed with the turn, and gone when it is closed. */
export interface InboundSubmission extends InboundBase {
  readonly kind: "submission";
  /** `Form.id`; `place` and `direct` are the form's too. */
  readonly form: string;
  readonly values: FormValues;
}

/** A message was changed; its own key carries the change's time stamp. */
export interface InboundEdit extends InboundBase {
  readonly kind: "edit";
  /** The key of the message's own inbound. */
  readonly target: string;
  readonly runs: readonly Run[];
}

export interface InboundDelete extends InboundBase {
  readonly kind: "delete";
  readonly target: string;
}

/** Something that happened to Parley itself: it came into a channel, or was removed from the tenant. */
export interface InboundNotice extends InboundBase {
  readonly kind: "notice";
  readonly notice: "joined" | "removed";
}

export type Inbound =
  InboundMessage | InboundCommand | InboundAction | InboundSubmission | InboundEdit | InboundDelete | InboundNotice;

/** Where adapters put what comes in. */
export interface Inbox {
  /**
   * Stores `inbound` durably; only then may the adapter acknowledge it. Throws when it cannot be stored: do not acknowledge.
   * @returns `known` when this key was stored before: acknowledge, and do nothing more
   */
  receive(inbound: Inbound): Promise<"new" | "known">;
}
