/** Slack's limits and rates, in one place, as they may change: https://docs.slack.dev/apis/web-api/rate-limits. */
import type { Block } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/place.ts";
import type { Budget, Limits, WriteMethod } from "../../../src/core/platform.ts";
import type { Size } from "../../../src/core/render/measure.ts";
import type { SlackBlock } from "./block-kit.ts";
import { blocksOf } from "./blocks.ts";

/** A minute, and the time that requests may move closer together on their way: Slack counts where they arrive. */
const minute = 60_500;

/** Posting: one a second in a channel; "several hundred" a minute in a workspace. */
const postsInChannel = { count: 1, windowMs: 1_000, burst: 1 };
const postsInWorkspace = { count: 300, windowMs: minute, burst: 20 };
/**
 * Editing is in Slack's tier 3: 50 a minute for each method and workspace. Evenly spaced, as a burst is paid for
 * by silence at the minute's end, when somebody is still reading.
 */
const edits = { count: 50, windowMs: minute, burst: 1 };

/** Streams: starting and stopping are in tier 2, appending in tier 4. They begin one a second, as messages do. */
const streaming = {
  start: { method: "chat.startStream", count: 20 },
  append: { method: "chat.appendStream", count: 100 },
  stop: { method: "chat.stopStream", count: 20 },
} as const;

const channelKey = ({ tenant, channel }: Place): string => `chat.postMessage:${tenant}:${channel}`;

const budgets = (method: WriteMethod, place: Place): readonly Budget[] =>
  method === "edit"
    ? [{ key: `chat.update:${place.tenant}`, ...edits }]
    : [
        { key: channelKey(place), ...postsInChannel },
        { key: `chat.postMessage:${place.tenant}`, ...postsInWorkspace },
      ];

export function streamBudgets(step: keyof typeof streaming, place: Place): readonly Budget[] {
  const { method, count } = streaming[step];
  const key = budgetKeyOf(method, place);
  if (step === "append") return [{ key, count, windowMs: minute, burst: 1 }];
  const all = { key, count, windowMs: minute, burst: count };
  // No more streams end than began, so that an end need not wait.
  return step === "stop" ? [all] : [all, { key: `${key}:second`, count: 1, windowMs: 1_000, burst: 1 }];
}

/**
 * The budget that a 429 is about. It holds for one method in one workspace; of posting, the channel's is the tightest,
 * and other channels go on.
 */
export const budgetKeyOf = (method: string, place: Place): string =>
  method === "chat.postMessage" ? channelKey(place) : `${method}:${place.tenant}`;

/**
 * Slack refuses blocks that are too long together, by a rule that is not stated. 9,597 characters of text in 15,561 of JSON were
 * taken, 11,341 in 17,694 refused (slackapi/bolt-js#2867); of Markdown blocks alone, 13,297 (#2509). So both are kept
 * below what was taken.
 */
const mostCharacters = 9_500;
const perJsonCharacter = 0.62;

/** The characters that people see or follow. */
function textIn(node: unknown): number {
  if (typeof node !== "object" || node === null) return 0;
  return Object.entries(node).reduce(
    (sum, [name, value]) =>
      sum + (typeof value === "string" ? (name === "text" || name === "url" ? value.length : 0) : textIn(value)),
    0,
  );
}

const charactersOf = (block: SlackBlock): number =>
  Math.max(textIn(block), Math.ceil(JSON.stringify(block).length * perJsonCharacter));

/** What Slack blocks take of a message. */
export const sizeOf = (blocks: readonly SlackBlock[]): Size => ({
  characters: blocks.reduce((sum, block) => sum + charactersOf(block), 0),
  blocks: blocks.length,
});

/** A table is Slack's own or text, by what else is in its message: the larger counts. */
function cost(block: Block): Size {
  const own = sizeOf(blocksOf(block));
  if (block.type !== "table") return own;
  const text = sizeOf(blocksOf(block, false));
  return { characters: Math.max(own.characters, text.characters), blocks: Math.max(own.blocks, text.blocks) };
}

export const slackLimits: Limits = {
  characters: mostCharacters,
  // Of 50. Buttons are counted as one block, and may become two.
  blocks: 48,
  cost,
  formFields: 50,
  howToAttach: (command) =>
    `write \`@parley /${command}\` in a message that has one, or \`/parley ${command}\` with nothing behind it, which asks for one`,
  ownSettings: ["follow_ups", "streaming"],
  messagesPerReply: 8,
  asksForRatings: true,
  // For native streams.
  wantsSource: true,
  fileBytes: 100 * 1024 * 1024,
  budgets,
};

/** UTF-8 bytes of `text`: chat.update refuses more than 4,000. Beside blocks it is what notifications show. */
export const mostFallbackBytes = 3_000;
