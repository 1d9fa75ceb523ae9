/** Finds the agent that a message addresses by `@tag`. */

// A tag is addressed only as a word of its own: not inside an e-mail address, a path or a longer name.
const handle = /(?<![\p{L}\p{N}@.+/-])@([\p{L}\p{N}_-]+)/gu;

/**
 * The first of `agents` that `text` mentions, by its tag in the tag's own spelling. A hyphen or underscore behind the tag
 * may be punctuation, so the longer name is looked for first.
 */
export function mentioned<Agent extends { readonly tag: string }>(text: string, agents: readonly Agent[]): Agent | undefined {
  for (const [, word = ""] of text.matchAll(handle)) {
    const bare = word.replace(/[-_]+$/, "");
    const found = agents.find(({ tag }) => tag === word) ?? agents.find(({ tag }) => tag === bare);
    if (found !== undefined) return found;
  }
  return undefined;
}
