/** A reply's Markdown as the pages of its messages. */
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Block } from "../document.ts";
import type { Limits } from "../platform.ts";

/** The blocks of one message. */
export type Page = readonly Block[];

export interface Rendered {
  readonly pages: readonly Page[];
  /** There is more than fits the messages of one reply: the last page says that the whole is attached. */
  readonly truncated: boolean;
}

export interface Renderer {
  /** @param final false while more text may come */
  render(text: string, final: boolean): Rendered;
}

export function createRenderer(_limits: Limits): Renderer {
  return {
    render(text) {
      const blocks = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
      return { pages: blocks.length === 0 ? [] : [blocks], truncated: false };
    },
  };
}
