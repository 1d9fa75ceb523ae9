/** Where on a platform. A place with a thread is a conversation's; without one it is a channel, or a direct message. */

export interface Place {
  readonly platform: string;
  /** Slack workspace, Discord guild; `local` on the console. */
  readonly tenant: string;
  readonly channel: string;
  readonly thread: string | null;
}

// Each part is escaped, so that no two places share a key whatever characters their ids have.
const part = (value: string): string => value.replace(/[%:]/g, (character) => (character === "%" ? "%25" : "%3A"));

/** The one string that stands for a place: in keyv, in lanes, in logs. */
export const placeKey = (place: Place): string =>
  [place.platform, place.tenant, place.channel, place.thread ?? ""].map(part).join(":");

/** The place that a key stands for. */
export function readPlaceKey(key: string): Place {
  const [platform = "", tenant = "", channel = "", thread = ""] = key
    .split(":")
    .map((text) => text.replace(/%3A|%25/g, (code) => (code === "%25" ? "%" : ":")));
  return { platform, tenant, channel, thread: thread === "" ? null : thread };
}

/** The channel that a place's thread is in. */
export const channelOf = (place: Place): Place => ({ ...place, thread: null });
