/** Keys and places of what comes from Slack. */
import type { Place } from "../../../src/core/place.ts";

export const slackName = "slack";

/** Who Parley is in the workspace, from `auth.test`. */
export interface Identity {
  readonly team: string;
  readonly user: string;
  readonly bot: string;
  readonly app: string;
}

export const placeOf = (team: string, channel: string, thread: string | null): Place => ({
  platform: slackName,
  tenant: team,
  channel,
  thread,
});

/**
 * Unique for ever. A message is known by its channel and time stamp, never by the event's id:
 * one mention comes as two events, and each event may come more than once.
 */
export const keyOf = (team: string, channel: string, ts: string, kind: string): string =>
  [slackName, team, channel, ts, kind].join(":");

export const messageKey = (team: string, channel: string, ts: string): string => keyOf(team, channel, ts, "message");

/** A direct message's channel; group messages and channels have threads like any other. */
export const isDirect = (channel: string): boolean => channel.startsWith("D");
