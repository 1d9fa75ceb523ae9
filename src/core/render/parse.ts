/** Markdown (CommonMark and GFM) as top-level nodes with their places in the source. */
import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { hostileFrom } from "./hostile.ts";

// One tilde means "about" far more often than it means a deletion.
const extensions = [gfm({ singleTilde: false })];
// Addresses are found in the source, where escapes count; not once more in the text that comes of it, where they no longer do.
const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));

export interface Parsed {
  readonly nodes: readonly RootContent[];
  /** From here on the source is not Markdown, but text to be shown as it is. */
  readonly literalFrom: number;
}

export function parse(source: string): Parsed {
  const literalFrom = hostileFrom(source);
  const markdown = literalFrom === source.length ? source : source.slice(0, literalFrom);
  return { nodes: fromMarkdown(markdown, { extensions, mdastExtensions }).children, literalFrom };
}

export const startOf = (node: { position?: RootContent["position"] }): number => node.position?.start.offset ?? 0;
export const endOf = (node: { position?: RootContent["position"] }): number => node.position?.end.offset ?? 0;
