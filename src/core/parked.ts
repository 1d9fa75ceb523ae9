/** What waits until its asker has linked an account: the port that the store meets. */
import type { Inbound } from "./inbound.ts";
import type { Holder } from "./links.ts";

/** The key of the turn that goes on with what has waited. */
export const linkedKey = (key: string): string => `${key}/linked`;

export interface Parked {
  /** Keeps `inbound`, sealed, until `until`; one that is kept already stays as it is. */
  put(holder: Holder, inbound: Inbound, until: number): Promise<void>;
  of(holder: Holder): Promise<readonly Inbound[]>;
  find(key: string): Promise<Inbound | undefined>;
  /** Changes what is kept, if it still is. */
  change(inbound: Inbound): Promise<void>;
  remove(key: string): Promise<void>;
  /** What nobody has linked an account for in time. */
  expired(now: number): Promise<readonly Inbound[]>;
}
