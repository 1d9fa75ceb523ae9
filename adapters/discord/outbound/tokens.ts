/** The interactions that replies are written with, stored so that a restart does not lose them: a token writes for 15 minutes. */
import { sleep, type Clock } from "../../../src/clock.ts";
import { placeKey, type Place } from "../../../src/core/place.ts";
import type { Interaction, InteractionNotes } from "../interactions.ts";

/** A request has to arrive while the token is good, in ms. */
const marginMs = 10_000;
/** An interaction that is not acknowledged by then no longer can be, in ms: Discord waits for three seconds. */
const acknowledgedMs = 5_000;
/** Kept for longer than the token is good, so that it is known which messages only it could write. */
const keptMs = 60 * 60_000;

/** An interaction, and what has been written with it. */
export interface Token extends Interaction {
  /** The message that was deferred has its words, or was taken away. */
  readonly filled: boolean;
  /** What the deferred message has become. */
  readonly messageId: string | null;
}

type Entry = Token | { readonly pointsTo: string };

/** A map whose entries end by themselves; keyv meets it. */
export interface TokenMap {
  get(key: string): Promise<Entry | undefined>;
  set(key: string, value: Entry, ttlMs: number): Promise<unknown>;
}

export interface Tokens extends InteractionNotes {
  /** The interaction that a message's key begins with. */
  ofKey(key: string): Promise<Token | undefined>;
  /** The newest interaction of a person in a place. */
  ofPerson(place: Place, person: string): Promise<Token | undefined>;
  /** The interaction that a message was written with. */
  ofMessage(messageId: string): Promise<Token | undefined>;
  /** A message was written, or with null the deferred one was taken away. */
  wrote(token: Token, messageId: string | null): Promise<void>;
  /** Whether it can be written with now. Waits for the acknowledgement, without which Discord knows no token. */
  usable(token: Token, signal: AbortSignal): Promise<boolean>;
}

const keyName = (key: string): string => `key:${key}`;
const messageName = (id: string): string => `message:${id}`;
const personName = (place: Place, person: string): string => `person:${person}:${placeKey(place)}`;

export function createTokens(map: TokenMap, clock: Clock): Tokens {
  const acknowledgements = new Map<string, { readonly accepted: Promise<boolean>; settle(accepted: boolean): void }>();

  const get = async (key: string): Promise<Token | undefined> => {
    const entry = await map.get(keyName(key));
    return entry === undefined || "pointsTo" in entry ? undefined : entry;
  };
  const follow = async (name: string): Promise<Token | undefined> => {
    const entry = await map.get(name);
    return entry === undefined || !("pointsTo" in entry) ? undefined : get(entry.pointsTo);
  };

  return {
    async opened(interaction) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      acknowledgements.set(interaction.id, { accepted: promise, settle: resolve });
      clock.after(keptMs, () => void acknowledgements.delete(interaction.id));
      const token: Token = { ...interaction, filled: interaction.deferred === "none", messageId: null };
      await map.set(keyName(interaction.key), token, keptMs);
      await map.set(personName(interaction.place, interaction.person), { pointsTo: interaction.key }, keptMs);
    },
    acknowledged(id, accepted) {
      acknowledgements.get(id)?.settle(accepted);
    },
    ofKey: (key) => get(key.split("/")[0] ?? key),
    ofPerson: (place, person) => follow(personName(place, person)),
    ofMessage: (messageId) => follow(messageName(messageId)),
    async wrote(token, messageId) {
      if (!token.filled) await map.set(keyName(token.key), { ...token, filled: true, messageId }, keptMs);
      if (messageId !== null) await map.set(messageName(messageId), { pointsTo: token.key }, keptMs);
    },
    async usable({ id, expiresAt }, signal) {
      if (clock.now() >= expiresAt - marginMs) return false;
      // After a restart nothing is known of the acknowledgement: Discord's answer will tell.
      const pending = acknowledgements.get(id);
      if (pending === undefined) return true;
      const late = new AbortController();
      try {
        return await Promise.race([
          pending.accepted,
          sleep(clock, acknowledgedMs, AbortSignal.any([signal, late.signal])).then(() => false),
        ]);
      } finally {
        late.abort();
      }
    },
  };
}
