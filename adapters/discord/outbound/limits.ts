/** Discord's limits, in one place, as they may change: https://docs.discord.com/developers/resources/message. */
import type { Block } from "../../../src/core/document.ts";
import type { Limits } from "../../../src/core/platform.ts";
import { written } from "./blocks.ts";

/** Characters of one message. Discord counts code points; UTF-16 units are never fewer. */
const mostCharacters = 2_000;
/** Messages of one reply: about 15,000 characters. What is longer reads better as a file. */
const messagesPerReply = 8;

/** One file, where a server has no boosts. */
export const fileBytes = 10 * 1024 * 1024;
/** One request with files: 25 MiB, less what is around them. */
export const requestBytes = 24 * 1024 * 1024;
export const filesPerMessage = 10;

/** What stands before a block at most: a blank line, or a line break and the mark of small text or of a failure. */
const before = 4;

const cost = (block: Block): { readonly characters: number; readonly blocks: number } => ({
  characters: written(block).length + before,
  blocks: 1,
});

/** Everything but the budgets, which Discord tells with each answer: `rates.ts`. */
export const discordLimits: Omit<Limits, "budgets"> = {
  characters: mostCharacters,
  // Discord has no limit of its own.
  blocks: mostCharacters,
  cost,
  messagesPerReply,
  fileBytes,
  asksForRatings: true,
};
