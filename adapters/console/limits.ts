/** What the console's page can take: generous, as nothing but the page's own speed sets it. */
import type { Block } from "../../src/core/document.ts";
import type { Limits } from "../../src/core/platform.ts";

/** Everything in a block that is shown or linked to. */
function characters(node: object): number {
  let sum = 0;
  for (const [name, value] of Object.entries(node)) {
    if (name === "type") continue;
    if (typeof value === "string") sum += value.length;
    else if (Array.isArray(value))
      for (const child of value) sum += typeof child === "object" && child !== null ? characters(child) : 0;
  }
  return sum;
}

const tenant = "console:local";

export const consoleLimits: Limits = {
  characters: 40_000,
  blocks: 200,
  cost: (block: Block) => ({ characters: characters(block), blocks: 1 }),
  formFields: 50,
  howToAttach: (command) => `attach one beside \`/${command}\``,
  ownSettings: [],
  messagesPerReply: 5,
  fileBytes: 100 * 1024 * 1024,
  // Twenty a second is faster than anyone reads, and each of them is a commit that is synced to disk.
  budgets: () => [{ key: tenant, count: 20, windowMs: 1000, burst: 20 }],
};

/** Characters of one person's message; what is longer belongs into a file. */
export const textLimit = 100_000;
/** Files of one message. */
export const filesPerMessage = 10;
