/** Cuts one block in two along its tree, so that the first part fits. */
import type { BlockContent, DefinitionContent, ListItem, Table, TableRow } from "mdast";
import { paragraph, type Block } from "../document.ts";
import { cutLines, cutPhrasing, longestFitting } from "./cut.ts";
import { plainText } from "./tree.ts";

type FlowContent = BlockContent | DefinitionContent;
type Parts<T> = readonly [head: T, rest: T] | null;

/** @returns null when no part of it fits, or it cannot be cut */
export function split(block: Block, fits: (head: Block) => boolean): Parts<Block> {
  if (block.type === "paragraph" || block.type === "heading") {
    const parts = cutPhrasing(block.children, (children) => fits({ ...block, children }));
    return (
      parts && [
        { ...block, children: parts[0] },
        { ...block, children: parts[1] },
      ]
    );
  }
  if (block.type === "code" || block.type === "html") {
    const parts = cutLines(block.value, (value) => fits({ ...block, value }));
    return (
      parts && [
        { ...block, value: parts[0] },
        { ...block, value: parts[1] },
      ]
    );
  }
  if (block.type === "blockquote") {
    const parts = splitChildren(block.children, (children) => fits({ ...block, children }), splitChild);
    return (
      parts && [
        { ...block, children: parts[0] },
        { ...block, children: parts[1] },
      ]
    );
  }
  if (block.type === "list") {
    const parts = splitChildren(block.children, (children) => fits({ ...block, children }), splitItem);
    if (parts === null) return null;
    // An item that goes on keeps its number.
    const start = typeof block.start === "number" ? block.start + block.children.length - parts[1].length : null;
    return [
      { ...block, children: parts[0] },
      { ...block, start, children: parts[1] },
    ];
  }
  return block.type === "table" ? splitTable(block, fits) : null;
}

type Splitter<T> = (child: T, fits: (head: T) => boolean) => Parts<T>;

/** As many whole children as fit; only a first child that is too large for itself is cut. */
function splitChildren<T>(children: readonly T[], fits: (head: T[]) => boolean, splitChild: Splitter<T>): Parts<T[]> {
  const whole = longestFitting(children.length - 1, (count) => fits(children.slice(0, count)));
  if (whole > 0) return [children.slice(0, whole), children.slice(whole)];
  const [first, ...others] = children;
  const parts = first === undefined ? null : splitChild(first, (head) => fits([head]));
  return parts && [[parts[0]], [parts[1], ...others]];
}

/** A block within a block: cutting keeps its kind. */
const splitChild: Splitter<FlowContent> = (child, fits) =>
  split(child, (head) => fits(head as FlowContent)) as Parts<FlowContent>;

const splitItem: Splitter<ListItem> = (item, fits) => {
  const parts = splitChildren(item.children, (children) => fits({ ...item, children }), splitChild);
  return (
    parts && [
      { ...item, children: parts[0] },
      { ...item, checked: null, children: parts[1] },
    ]
  );
};

/** Between rows, with the header again; a row that is too large for itself within its cells. */
function splitTable(table: Table, fits: (head: Block) => boolean): Parts<Block> {
  const [header, ...rows] = table.children;
  if (header === undefined || rows.length === 0) return null;
  const withRows = (some: readonly TableRow[]): Table => ({ ...table, children: [header, ...some] });
  const parts = splitChildren(rows, (some) => fits(withRows(some)), splitRow);
  return parts && [withRows(parts[0]), withRows(parts[1])];
}

const splitRow: Splitter<TableRow> = (row, fits) => {
  const heads = [...row.children];
  const rests = row.children.map((cell) => ({ ...cell, children: [] as typeof cell.children }));
  // The last cells give way first, until the row fits.
  for (let index = heads.length - 1; index >= 0; index--) {
    const cell = heads[index];
    if (cell === undefined || cell.children.length === 0) continue;
    const wholeLeft = (children: typeof cell.children): TableRow => ({
      ...row,
      children: heads.with(index, { ...cell, children }),
    });
    rests[index] = cell;
    heads[index] = { ...cell, children: [] };
    if (!fits({ ...row, children: heads })) continue;
    const cut = cutPhrasing(cell.children, (children) => fits(wholeLeft(children)));
    if (cut !== null) {
      heads[index] = { ...cell, children: cut[0] };
      rests[index] = { ...cell, children: cut[1] };
    }
    const empty = heads.every(({ children }) => children.length === 0);
    return empty
      ? null
      : [
          { ...row, children: heads },
          { ...row, children: rests },
        ];
  }
  return null;
};

/** The block's words as paragraphs that can always be cut: for what fits no message in its own form. */
export const asText = (block: Block): Block => paragraph(plainText(block));
