/** Which workspace key acts for a person: the port that the store meets. */
import type { Inbound } from "./inbound.ts";
import { placeKey } from "./place.ts";

/** Somebody, as the platform knows them. */
export interface Holder {
  readonly platform: string;
  /** The tenant in which the person's id means this person. */
  readonly tenant: string;
  readonly person: string;
}

export interface Link extends Holder {
  /** Random: it says nothing of the key, and stays when the person links another key. */
  readonly id: string;
  readonly key: string;
  readonly linkedAt: number;
  /** When the workspace did not accept the key any more; null while it does. */
  readonly brokenAt: number | null;
}

export interface Links {
  of(holder: Holder): Promise<Link | undefined>;
  byId(id: string): Promise<Link | undefined>;
  /** Links the key in place of the one before. */
  put(holder: Holder, key: string, now: number): Promise<Link>;
  /** False: there was none. */
  remove(holder: Holder): Promise<boolean>;
  /** The workspace does not accept this key. Nothing happens when another was linked meanwhile. */
  markBroken(link: Pick<Link, "id" | "key">, now: number): Promise<void>;
}

/** Who an inbound's author is, wherever they wrote it. */
export const holderOf = ({ place, author }: Pick<Inbound, "place" | "author">): Holder => ({
  platform: place.platform,
  tenant: author.home ?? place.tenant,
  person: author.id,
});

/** The one string that stands for an inbound's author, wherever they wrote it. */
export function askerKey(inbound: Pick<Inbound, "place" | "author">): string {
  const { platform, tenant, person } = holderOf(inbound);
  return placeKey({ platform, tenant, channel: person, thread: null });
}
