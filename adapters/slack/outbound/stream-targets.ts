/** Where and for whom answers are streamed: noted when a turn begins, as a post knows only its place. */
import { placeKey, type Place } from "../../../src/core/place.ts";
import type { Streaming } from "../../../src/core/settings.ts";

/** Whom Slack wants named when a stream begins; null in direct messages, where it is clear. */
export interface StreamTarget {
  readonly recipient: { readonly user: string; readonly team: string } | null;
}

export interface StreamTargets {
  /**
   * A turn begins.
   * @param mode `auto`: streams in direct messages, edits elsewhere
   */
  note(place: Place, asker: string, mode: Streaming): void;
  /** Undefined: answers are edited here. */
  of(place: Place): StreamTarget | undefined;
}

/** Places that are remembered: far more than have turns at once. */
const most = 5_000;

const isDirect = ({ channel }: Place): boolean => channel.startsWith("D");

export function createStreamTargets(): StreamTargets {
  const targets = new Map<string, StreamTarget>();
  return {
    note(place, asker, mode) {
      const key = placeKey(place);
      targets.delete(key);
      // A stream belongs to a thread.
      if (place.thread === null || mode === "edit" || (mode === "auto" && !isDirect(place))) return;
      targets.set(key, { recipient: isDirect(place) ? null : { user: asker, team: place.tenant } });
      const oldest = targets.size > most ? targets.keys().next().value : undefined;
      if (oldest !== undefined) targets.delete(oldest);
    },
    of: (place) => targets.get(placeKey(place)),
  };
}
