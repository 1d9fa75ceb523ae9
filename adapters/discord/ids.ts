/** Discord's ids and the keys and places made of them. */
import type { Place } from "../../src/core/place.ts";

export const discordName = "discord";
/** In place of a guild, for direct messages. */
export const directTenant = "@me";

/** Discord counts from the first second of 2015. https://docs.discord.com/developers/reference#snowflakes */
const epoch = 1_420_070_400_000n;
const isId = (text: string): boolean => /^\d{1,20}$/.test(text);

/** When the thing with this id was made, in ms since 1970; 0 for what is no id. */
export const timeOf = (id: string): number => (isId(id) ? Number((BigInt(id) >> 22n) + epoch) : 0);

/** An id that is older than everything made at or after `at`. */
export const idBefore = (at: number): string =>
  String(((BigInt(Math.max(Math.floor(at), Number(epoch))) - epoch) << 22n) - 1n).replace("-", "");

export const isNewer = (id: string, than: string): boolean => isId(id) && isId(than) && BigInt(id) > BigInt(than);

/** The key of a message's inbound, or with `edit:<time>` or `delete` of what became of it. */
export const messageKey = (tenant: string, channel: string, message: string, kind = "message"): string =>
  [discordName, tenant, channel, message, kind].join(":");

/** An interaction comes once, under an id of its own. */
export const interactionKey = (id: string): string => `${discordName}:interaction:${id}`;

const fromHere = ":from-here";
/** The key of a menu's summary, which is about everything from its message on. */
export const summaryKey = (id: string): string => interactionKey(id) + fromHere;
export const isSummary = (key: string): boolean => key.endsWith(fromHere);

export const placeOf = (tenant: string, channel: string, thread: string | null): Place => ({
  platform: discordName,
  tenant,
  channel,
  thread,
});
