/** What to write next, so that people come to see a reply's documents. */
import { isDeepStrictEqual } from "node:util";
import type { Block, Document } from "../document.ts";
import type { Posted, WriteMethod } from "../platform.ts";

export type Step =
  | { readonly kind: "post"; readonly index: number; readonly document: Document }
  | { readonly kind: "edit"; readonly index: number; readonly posted: Posted; readonly document: Document }
  | { readonly kind: "remove"; readonly posted: Posted }
  | { readonly kind: "attach" };

/** The budget that a step takes from: a removal is counted as an edit, a file as a post. */
export const methodOf = (step: Step): WriteMethod => (step.kind === "post" || step.kind === "attach" ? "post" : "edit");

// Blocks change at the end, so differences are found soonest from there; unchanged blocks are the same objects.
const sameBlocks = (a: readonly Block[], b: readonly Block[]): boolean =>
  a === b ||
  (a.length === b.length && a.findLastIndex((block, index) => block !== b[index] && !isDeepStrictEqual(block, b[index])) < 0);

const sameDocument = (a: Document, b: Document): boolean => {
  if (a === b) return true;
  const { blocks: aBlocks, ...aRest } = a;
  const { blocks: bBlocks, ...bRest } = b;
  return sameBlocks(aBlocks, bBlocks) && isDeepStrictEqual(aRest, bRest);
};

/** One message as the platform has it; `shown` is undefined where that is not known. */
export interface Message {
  readonly posted: Posted;
  readonly shown: Document | undefined;
}

/**
 * The first write that is missing: messages in reading order, then those too many, last first, then the file.
 * @returns null when everything is as it should be
 */
export function nextStep(documents: readonly Document[], messages: readonly Message[], attach: boolean): Step | null {
  for (const [index, document] of documents.entries()) {
    const message = messages[index];
    if (message === undefined) return { kind: "post", index, document };
    if (message.shown === undefined || !sameDocument(message.shown, document)) {
      return { kind: "edit", index, posted: message.posted, document };
    }
  }
  const surplus = messages.at(-1);
  if (messages.length > documents.length && surplus !== undefined) return { kind: "remove", posted: surplus.posted };
  return attach ? { kind: "attach" } : null;
}
