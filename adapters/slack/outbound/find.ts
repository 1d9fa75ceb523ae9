/** Finds a message of Parley's by its key, which stands in its metadata, or, with files, in a block's id. */
import { createHash } from "node:crypto";
import type { Clock } from "../../../src/clock.ts";
import type { Place } from "../../../src/core/place.ts";
import type { Posted } from "../../../src/core/platform.ts";
import { budgetKeyOf } from "./limits.ts";
import type { SlackWeb } from "./web.ts";

const metadataType = "parley_reply";

/** Metadata of a message with this key. */
export const metadataOf = (key: string): object => ({ event_type: metadataType, event_payload: { key } });

/** Sharing files takes no metadata, so that the key is a block's id, which has at most 255 characters. */
export const blockIdOf = (key: string): string => `parley_${createHash("sha256").update(key).digest("hex").slice(0, 40)}`;

/** Messages of one page. Some apps get 15 whatever they ask for. */
const pageSize = 200;
/** Where a key names no time, nothing older is looked at: no turn is tried for longer, in s. */
const longestTurnSeconds = 24 * 60 * 60;

interface SlackMessageRecord {
  readonly ts?: string;
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: { readonly key?: unknown } };
  readonly blocks?: readonly { readonly block_id?: string }[];
}

const carries = ({ metadata, blocks }: SlackMessageRecord, key: string): boolean =>
  (metadata?.event_type === metadataType && metadata.event_payload?.key === key) ||
  blocks?.some((block) => block.block_id === blockIdOf(key)) === true;

/** The answer is younger than the message that it answers, whose time stamp is in the key. */
function oldest(key: string, clock: Clock): string {
  const said = /(?<!\d)\d{10}\.\d{6}(?!\d)/.exec(key)?.[0];
  return said ?? String(Math.floor(clock.now() / 1000) - longestTurnSeconds);
}

export async function findMessage(
  { web, clock }: { readonly web: SlackWeb; readonly clock: Clock },
  place: Place,
  key: string,
  signal: AbortSignal,
  besides: readonly string[] = [],
): Promise<Posted | undefined> {
  const method = place.thread === null ? "conversations.history" : "conversations.replies";
  const where = { channel: place.channel, ...(place.thread === null ? {} : { ts: place.thread }) };
  let cursor: string | undefined;
  do {
    const page = await web.call(
      method,
      {
        ...where,
        oldest: oldest(key, clock),
        limit: pageSize,
        include_all_metadata: true,
        ...(cursor === undefined ? {} : { cursor }),
      },
      signal,
      budgetKeyOf(method, place),
    );
    const messages = (page["messages"] ?? []) as readonly SlackMessageRecord[];
    const found = messages.find((message) => carries(message, key) && !besides.includes(message.ts ?? ""));
    if (found?.ts !== undefined) return { place, id: found.ts };
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  return undefined;
}
