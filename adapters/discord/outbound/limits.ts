/** Discord's limits, in one place, as they may change: https://docs.discord.com/developers/resources/message. */
import type { Block } from "../../../src/core/document.ts";
import type { Limits } from "../../../src/core/platform.ts";
import { written } from "./blocks.ts";

/** Characters of one message. Discord counts code points; UTF-16 units are never fewer. */
const mostCharacters = 2_000;
/** Messages of one reply: about 15,000 characters. What is longer reads better as a file. */
const messagesPerReply = 8;

const mebibyte = 1024 * 1024;
/** One file, where a server has no boosts. */
export const fileBytes = 10 * mebibyte;
/**
 * One file in a server of this boost tier, 0 to 3. The figures of tiers 2 and 3 are what Discord's help tells its users, not its
 * developers: a file that is refused all the same is told as too large.
 */
export const fileBytesOf = (tier: number): number => (tier >= 3 ? 100 : tier === 2 ? 50 : 10) * mebibyte;
/** One request with several files: 25 MiB, less what is around them. A larger file goes alone. */
export const requestBytes = 24 * mebibyte;
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
  formFields: 5,
  howToAttach: (command) => `give one with the last option of \`/${command}\``,
  ownSettings: ["follow_ups"],
  messagesPerReply,
  fileBytes,
  asksForRatings: true,
};
