/** A platform whose threads have names of their own: not part of the port, as only one platform has that. */
import type { Place } from "./place.ts";

export interface ThreadNames {
  /**
   * Names the thread of a place after its conversation. Does nothing for a thread that Parley did not begin, and for one that
   * has another name by now than Parley gave it at first: it is named once, and people's own names stay. Throws `WriteFault`.
   */
  rename(place: Place, name: string, signal: AbortSignal): Promise<void>;
}
