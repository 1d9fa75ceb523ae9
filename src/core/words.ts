/** The words that go to the workspace: runs become text, and only what the asker typed may address an agent. */
import { createHash } from "node:crypto";
import type { ContextMessage, Run } from "./inbound.ts";

// Unseen between "@" and the name, so that the workspace finds no tag there.
const wordJoiner = "\u2060";

const neutral = (text: string): string => text.replace(/@(?=[\p{L}\p{N}_])/gu, `@${wordJoiner}`);

/**
 * Typed text: `@tag` of a known agent stands when it is a word of its own, in the tag's own spelling;
 * before any other use of a tag (an e-mail address, a longer name) the "@" is made harmless.
 */
function typed(text: string, tags: ReadonlySet<string>): string {
  return text.replace(/@([\p{L}\p{N}_-]+)/gu, (whole, word: string, offset: number) => {
    const before = text[offset - 1];
    const ownWord = before === undefined || /[\s([{"'*_~>,;:!?]/u.test(before);
    const name = word.toLowerCase();
    const tag = tags.has(name) ? name : name.replace(/[-_]+$/, "");
    if (ownWord && tags.has(tag)) return `@${tag}${word.slice(tag.length)}`;
    return ownWord && tag === "ai" ? whole : `@${wordJoiner}${word}`;
  });
}

/** @param tags the caller's own agents' tags, the only ones that may be addressed */
export function wordsOf(runs: readonly Run[], tags: ReadonlySet<string>): string {
  return runs
    .map((run) => ("typed" in run ? typed(run.typed, tags) : neutral("name" in run ? run.name : run.quoted)))
    .join("")
    .trim();
}

/** Text in which every mark that Markdown could read as more than text is escaped. */
export const literalMarkdown = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!<>|~&@:/]/g, "\\$&");

/** The same as a block quote. */
export const quotedMarkdown = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${literalMarkdown(line)}`)
    .join("\n");

/** Earlier messages of a thread as a Markdown file, speakers named. */
export const contextText = (messages: readonly ContextMessage[]): string =>
  [
    "Earlier messages of this thread, oldest first:",
    ...messages.map(({ author, text, at }) => `**${neutral(author)}** (${new Date(at).toISOString()}):\n${neutral(text)}`),
  ].join("\n\n");

/** What words are known again by. Surrounding blanks do not count, as a workspace may trim them. */
export const digestOf = (text: string): string => createHash("sha256").update(text.trim()).digest("hex");
