/**
 * Finds a message of Parley's by its key. Discord tells a message's nonce only once, so that the mark on its buttons is looked
 * for; a message without buttons is not found, and posting it again with its nonce gives it back, for the few minutes that
 * Discord remembers.
 */
import type { Place } from "../../../src/core/place.ts";
import { carriesMark } from "./buttons.ts";
import { discordCodeOf, unknownChannel } from "./faults.ts";
import { markOf, nonceOf } from "./nonce.ts";
import { channelOf } from "./rates.ts";
import type { DiscordRest } from "./rest.ts";

/** Messages of one page: a turn's first message is among the newest of its thread. */
const pageSize = 100;

interface MessageRecord {
  readonly id: string;
  readonly nonce?: string | number;
  readonly components?: unknown;
}

/** @returns the message's id; undefined where it is not seen */
export async function findMessage(
  rest: DiscordRest,
  place: Place,
  key: string,
  signal: AbortSignal,
  besides: readonly string[],
): Promise<string | undefined> {
  let newest: readonly MessageRecord[];
  try {
    const route = `/channels/${channelOf(place)}/messages` as const;
    newest = (await rest.call({ method: "GET", route, query: { limit: pageSize } }, signal)) as readonly MessageRecord[];
  } catch (thrown) {
    // A thread that is not made yet has no messages.
    if (place.thread !== null && discordCodeOf(thrown) === unknownChannel) return undefined;
    throw thrown;
  }
  const nonce = nonceOf(key, 0);
  const carries = (one: MessageRecord): boolean => one.nonce === nonce || carriesMark(one.components, markOf(key));
  return newest.find((one) => carries(one) && !besides.includes(one.id))?.id;
}
