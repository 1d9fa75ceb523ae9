/** What Parley holds of people and tenants, and how it lets go of it. */
import type { Place } from "./place.ts";
import type { Delivery } from "./relay/relay.ts";

/** How many of what was deleted: `{ turns: 3, ratings: 1 }`. */
export type Counts = Readonly<Record<string, number>>;

/** Whose turns: a person's on a platform, or everybody's of a tenant. */
export type Whose =
  { readonly platform: string; readonly person: string } | { readonly platform: string; readonly tenant: string };

/** What is known of a turn, however long ago its text was deleted. */
export interface Remains {
  readonly key: string;
  readonly place: Place;
  readonly person: string;
  readonly kind: string;
  readonly closed: boolean;
  readonly delivery: Delivery;
}

export interface Forgotten {
  readonly counts: Counts;
  /** Under which the audit log has them from now on. */
  readonly pseudonym: string;
}

/** A conversation at the workspace that was begun with a person's own key. */
export interface Begun {
  readonly account: string;
  readonly conversationId: number;
}

export interface Forgetting {
  /** Keys of the turns that are not closed. */
  openTurns(whose: Whose): Promise<readonly string[]>;
  /** The conversations that Parley knows to have been begun with the key that the person has linked. */
  begun(platform: string, person: string): Promise<readonly Begun[]>;
  /** Deletes everything of the tenant but the turn `except`. Entries of the audit log stay, with pseudonyms for people and without channels. */
  tenant(platform: string, tenant: string, except: string): Promise<Counts>;
  /**
   * Deletes everything of the person but the turn `except` and what it needs for its answer. Entries of the audit log stay, under a pseudonym that nothing leads back from.
   * @param direct their direct message, where they ask from one
   */
  person(platform: string, person: string, direct: Place | null, except: string): Promise<Forgotten>;
  /** The turn itself, and the tries that went on in its messages. */
  remains(key: string): Promise<readonly Remains[]>;
  /** Leaves nothing of a turn but its key and place, by which it is known when it comes again. */
  strip(key: string): Promise<void>;
  /** Deletes a closed turn, and what was kept for its answer. */
  drop(key: string): Promise<void>;
  /** Deletes turns that were closed before `before`, with their ratings, as many as are deleted at once; returns how many. */
  prune(before: number): Promise<number>;
}
