/** What both halves of the adapter know of an interaction: plain JSON, so that it is still answered after a restart. */
import type { Place } from "../../src/core/place.ts";

export interface Interaction {
  readonly id: string;
  readonly applicationId: string;
  /** Writes for fifteen minutes, with no other right. A secret: never logged. */
  readonly token: string;
  /** The key of its inbound: the keys of its turns and messages begin with it. */
  readonly key: string;
  /** The place of its inbound. */
  readonly place: Place;
  /** Who ran, chose or pressed it. */
  readonly person: string;
  /** From then on Discord refuses the token, in ms since 1970. */
  readonly expiresAt: number;
  /**
   * - `everybody`, `asker`: acknowledged with an empty message, to be filled in, that these see;
   * - `none`: acknowledged without one, as a button is.
   */
  readonly deferred: "everybody" | "asker" | "none";
  /** The bot is not in the channel: whatever is said there goes through the token, or not at all. */
  readonly tokenOnly: boolean;
  /** The largest file that Discord takes here, in bytes; null where it does not say. */
  readonly fileBytes: number | null;
}

/** Where the receiving half notes interactions, and the writing half finds them. */
export interface InteractionNotes {
  /** Stores an interaction, before the inbox has its turn. */
  opened(interaction: Interaction): Promise<void>;
  /** The token can be used from now on; `false`: the acknowledgement failed, and it never can. */
  acknowledged(id: string, accepted: boolean): void;
}
