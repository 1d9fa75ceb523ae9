/** What blocks and whole documents take of a message. */
import type { Text } from "mdast";
import { paragraph, type Block, type Document, type Footnote } from "../document.ts";
import type { Limits } from "../platform.ts";

/** Characters and blocks, as a platform's `Limits.cost` counts them. */
export interface Size {
  readonly characters: number;
  readonly blocks: number;
}

export const nothing: Size = { characters: 0, blocks: 0 };

export const plus = (a: Size, b: Size): Size => ({ characters: a.characters + b.characters, blocks: a.blocks + b.blocks });
export const minus = (a: Size, b: Size): Size => ({ characters: a.characters - b.characters, blocks: a.blocks - b.blocks });
export const within = (size: Size, room: Size): boolean => size.characters <= room.characters && size.blocks <= room.blocks;

export const costOf = (blocks: readonly Block[], limits: Limits): Size =>
  blocks.reduce((sum, block) => plus(sum, limits.cost(block)), nothing);

const text = (value: string): Text => ({ type: "text", value });

/** A source as one line of blocks: what it costs at most. */
const footnoteLine = ({ index, title, url, detail }: Footnote): Block => ({
  type: "paragraph",
  children: [
    text(`[${index}] `),
    url === null ? text(title) : { type: "link", url, title: null, children: [text(title)] },
    ...(detail === "" ? [] : [text(` (${detail})`)]),
  ],
});

type Trimmings = Pick<Document, "status" | "notice" | "footnotes" | "footer" | "actions">;

/**
 * What surrounds a message's blocks, each counted as a paragraph, and all its buttons as one more.
 * A platform writes them in no more than this.
 */
function trimmingsCost({ status, notice, footnotes, footer, actions }: Trimmings, limits: Limits): Size {
  const lines = [status, notice, footer].filter((line) => line !== null && line !== "").map((line) => paragraph(line ?? ""));
  const buttons = actions.length === 0 ? [] : [paragraph(actions.map(({ label }) => label).join(" "))];
  return costOf([...lines, ...footnotes.map(footnoteLine), ...buttons], limits);
}

/** What a whole document takes of a message. */
export const documentCost = (document: Document, limits: Limits): Size =>
  plus(costOf(document.blocks, limits), trimmingsCost(document, limits));
