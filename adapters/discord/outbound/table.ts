/** A table, for which Discord has no form: columns in a code block where a phone shows them in one line each, else a list of rows. */
import type { PhrasingContent, Table, TableRow } from "mdast";
import { plainText } from "../../../src/core/render/tree.ts";
import { plainLines, shown } from "./literal.ts";
import { phrasing } from "./phrasing.ts";

/** Characters of a code block's line that a phone shows without wrapping, about. */
const widestLine = 44;

const columnsOf = (table: Table): number => Math.max(0, ...table.children.map(({ children }) => children.length));
const cellOf = (row: TableRow | undefined, column: number): readonly PhrasingContent[] => row?.children[column]?.children ?? [];

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Columns that a fixed-width font takes for it: two for East Asian characters and emoji. */
const widthOf = (text: string): number =>
  [...graphemes.segment(text)].reduce((width, { segment }) => width + (wide.test(segment) ? 2 : 1), 0);

const isLinked = (nodes: readonly PhrasingContent[]): boolean =>
  nodes.some((node) => node.type === "link" || node.type === "image" || ("children" in node && isLinked(node.children)));

/** @returns undefined where it would be too wide, or has links, which lead nowhere in code */
export function columns(table: Table): string | undefined {
  const count = columnsOf(table);
  if (count === 0 || table.children.some(({ children }) => children.some((cell) => isLinked(cell.children)))) return undefined;
  const rows = table.children.map((row) =>
    Array.from({ length: count }, (_, column) =>
      shown(
        plainText({ type: "paragraph", children: [...cellOf(row, column)] })
          .replace(/\s+/g, " ")
          .trim(),
      ),
    ),
  );
  const widths = Array.from({ length: count }, (_, column) => Math.max(1, ...rows.map((row) => widthOf(row[column] ?? ""))));
  if (widths.reduce((sum, width) => sum + width + 3, -3) > widestLine) return undefined;
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => {
        const space = " ".repeat((widths[column] ?? 0) - widthOf(text));
        return table.align?.[column] === "right" ? space + text : text + space;
      })
      .join(" │ ")
      .trimEnd();
  const [header = [], ...body] = rows;
  return [line(header), widths.map((width) => "─".repeat(width)).join("─┼─"), ...body.map(line)].join("\n");
}

/** Each row under its first cell, and its other cells under the headers. */
export function records(table: Table): string {
  const [header, ...rows] = table.children;
  const words = (row: TableRow | undefined, column: number, strong = false): string =>
    plainLines(
      phrasing(cellOf(row, column), strong)
        .replace(/\s*\n\s*/g, " ")
        .trim(),
    );
  const bold = (text: string): string => (text === "" ? "" : `**${text}**`);
  const names = Array.from({ length: columnsOf(table) }, (_, column) => words(header, column));
  const others = names.map((_, column) => column).slice(1);
  const record = (row: TableRow): string => {
    const cells = others.map((column) => [names[column] ?? "", words(row, column)] as const).filter(([, text]) => text !== "");
    const first = bold(words(row, 0, true)) || (cells.length === 0 ? "" : "**–**");
    const lines = cells.map(([name, text]) => (name === "" ? `- ${text}` : `- ${name}: ${text}`));
    return [first, ...lines].filter((line) => line !== "").join("\n");
  };
  const title = names.filter((name) => name !== "").join(" · ");
  const body = rows.map(record).filter((text) => text !== "");
  return [title === "" ? "" : `-# ${title}`, ...body].filter((text) => text !== "").join("\n");
}
