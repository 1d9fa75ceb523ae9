/** Whose each map's entries are: one rule for each map, so that none is left over when somebody is forgotten. */
import type { KeptForm } from "../core/forms/book.ts";
import type { Creation, JobClaim, Picture } from "../core/media/creations.ts";
import { placeKey } from "../core/place.ts";
import type { KeptButton } from "../core/command-buttons.ts";
import type { Share } from "../core/turns/share.ts";
import { accountIdOf, type Thread } from "../core/threads.ts";

/** What an entry is about. */
export interface About {
  /** Keys of places. */
  readonly places?: readonly string[];
  readonly people?: readonly { readonly platform: string; readonly person: string }[];
  /** Accounts at the workspace. */
  readonly accounts?: readonly string[];
  /** A conversation at the workspace. */
  readonly conversation?: string;
  /** A turn that it is needed for until the turn's end. */
  readonly turn?: string;
  /** It goes when the entry with this key goes, or is no longer there. */
  readonly follows?: string;
}

export interface Holding {
  readonly about: (key: string, value: unknown) => About;
  /** For an entry about many: what is left of its value without the places that `isGone`. */
  readonly without?: (value: unknown, isGone: (place: string) => boolean) => unknown;
}

const byPlace: Holding = { about: (key) => ({ places: [key] }) };

const ofPlaceAndAccount: Holding = {
  about: (key, value) => ({ places: [key], accounts: [(value as Picture).account] }),
};

type Token = { readonly pointsTo: string } | { readonly place: Parameters<typeof placeKey>[0]; readonly person: string };
interface Mark {
  readonly at: number;
  readonly direct: readonly string[];
}

export const mapHoldings = {
  threads: { about: (key, value) => ({ places: [key], accounts: [accountIdOf(value as Thread)] }) },
  // A conversation's id, and its place.
  conversations: { about: (key, value) => ({ places: [value as string], conversation: key }) },
  settings: byPlace,
  forms: {
    about(_key, value) {
      const { place, person } = value as KeptForm;
      return { places: [placeKey(place)], people: [{ platform: place.platform, person: person.id }] };
    },
  },
  shares: {
    about(_key, value) {
      const { place, person } = value as Share;
      return { places: [placeKey(place)], people: [{ platform: place.platform, person }] };
    },
  },
  "media-orders": {
    about(key, value) {
      const { place, author } = value as Creation;
      return { places: [placeKey(place)], people: [{ platform: place.platform, person: author.id }], turn: key };
    },
  },
  "media-jobs": {
    about(_key, value) {
      const { account, turn, place, author } = value as JobClaim;
      const people = [{ platform: place.platform, person: author.id }];
      return { places: [placeKey(place)], people, accounts: [account], turn };
    },
  },
  pictures: ofPlaceAndAccount,
  "carried-pictures": ofPlaceAndAccount,
  buttons: {
    about(_key, value) {
      const { place, person, begun } = value as KeptButton;
      const turn = begun === undefined ? {} : { turn: begun };
      return { places: [placeKey(place)], people: [{ platform: place.platform, person }], ...turn };
    },
  },
  "slack-participation": byPlace,
  "slack-seen": byPlace,
  "discord-joined": byPlace,
  "discord-told": byPlace,
  // One entry, with all channels of direct messages.
  "discord-marks": {
    about: () => ({}),
    without: (value, isGone) => {
      const mark = value as Mark;
      const placeOf = (channel: string) => placeKey({ platform: "discord", tenant: "@me", channel, thread: null });
      return { ...mark, direct: mark.direct.filter((channel) => !isGone(placeOf(channel))) };
    },
  },
  "discord-tokens": {
    about(key, value) {
      const token = value as Token;
      if ("pointsTo" in token) return { follows: `key:${token.pointsTo}` };
      const { place, person } = token;
      return { places: [placeKey(place)], people: [{ platform: place.platform, person }], turn: key.replace(/^key:/, "") };
    },
  },
} satisfies Record<string, Holding>;

export type MapName = keyof typeof mapHoldings;
export const holdingOf = (name: MapName): Holding => mapHoldings[name];
