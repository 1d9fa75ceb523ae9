/** A table: Slack's own where its limits allow it, else its text in columns. */
import type { Table, TableRow } from "mdast";
import { richText, section, type RichElement, type RichTextBlock, type TableBlock } from "./block-kit.ts";
import { phrasing, words } from "./phrasing.ts";

/** Slack's limits of a table block, https://docs.slack.dev/reference/block-kit/blocks/table-block. */
const mostRows = 100;
const mostColumns = 20;
const mostCharacters = 10_000;

/** Wider text is not lined up: it would be wrapped on every screen. */
const widestLine = 100;

const cell = (elements: ReturnType<typeof phrasing>): RichTextBlock =>
  // Slack refuses a cell without any character.
  richText([section(elements.length === 0 ? words(" ") : elements)]);

const columnsOf = (table: Table): number => Math.max(0, ...table.children.map(({ children }) => children.length));

const length = (element: RichElement): number =>
  element.type === "rich_text_list"
    ? 0
    : element.elements.reduce((sum, one) => sum + one.text.length + (one.type === "link" ? one.url.length : 0), 0);

/** @returns undefined where the table is beyond Slack's limits */
export function tableBlock(table: Table): TableBlock | undefined {
  const columns = columnsOf(table);
  if (table.children.length > mostRows || columns === 0 || columns > mostColumns) return undefined;
  const rows = table.children.map((row, index) =>
    Array.from({ length: columns }, (_, column) =>
      cell(phrasing(row.children[column]?.children ?? [], index === 0 ? { bold: true } : {})),
    ),
  );
  const characters = rows.flat().reduce((sum, { elements }) => sum + elements.reduce((all, one) => all + length(one), 0), 0);
  if (characters > mostCharacters) return undefined;
  const settings = Array.from({ length: columns }, (_, column) => table.align?.[column] ?? "left");
  return { type: "table", rows, column_settings: settings.map((align) => ({ align, is_wrapped: true })) };
}

const cellText = (row: TableRow, column: number): string =>
  phrasing(row.children[column]?.children ?? [])
    .map((element) =>
      element.type === "link" && element.text !== element.url ? `${element.text} <${element.url}>` : element.text,
    )
    .join("")
    .replaceAll("\n", " ");

/** The table's text, in columns where they are narrow enough. */
export function tableText(table: Table): string {
  const columns = columnsOf(table);
  const rows = table.children.map((row) => Array.from({ length: columns }, (_, column) => cellText(row, column)));
  const widths = Array.from({ length: columns }, (_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const aligned = widths.reduce((sum, width) => sum + width + 3, 0) <= widestLine;
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, column) => (aligned ? text.padEnd(widths[column] ?? 0) : text))
      .join(" | ")
      .trimEnd();
  const [header, ...body] = rows.map(line);
  const rule = aligned ? widths.map((width) => "-".repeat(width)).join("-|-") : "---";
  return [header ?? "", ...(body.length === 0 ? [] : [rule]), ...body].join("\n");
}
