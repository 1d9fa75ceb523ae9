/** A table in Markdown. */

// A table cell ends at a bar or a line's end.
const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();

export const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(" | ")} |`).join("\n");
