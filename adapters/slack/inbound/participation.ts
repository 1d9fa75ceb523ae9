/** The threads that Parley takes part in: there, messages are for it without a mention. */
import type { KeyValueMap } from "../../../src/core/maps.ts";
import { placeKey, type Place } from "../../../src/core/place.ts";

export interface Participation {
  /** Written before what made Parley a part is acknowledged, so that the next message finds it. */
  join(place: Place): Promise<void>;
  takesPart(place: Place): Promise<boolean>;
}

/** As many as fit in little memory; older ones are read from the map. */
const remembered = 10_000;

export function createParticipation(map: KeyValueMap<true>): Participation {
  const known = new Set<string>();
  const remember = (key: string): void => {
    known.add(key);
    const oldest = known.size > remembered ? known.values().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
  };
  return {
    async join(place) {
      const key = placeKey(place);
      if (place.thread === null || known.has(key)) return;
      await map.set(key, true);
      remember(key);
    },
    async takesPart(place) {
      const key = placeKey(place);
      if (known.has(key)) return true;
      if ((await map.get(key)) !== true) return false;
      remember(key);
      return true;
    },
  };
}
