/** What the command line prints: plain lines for people, tables with aligned columns. */

export interface Output {
  line(text: string): void;
}

export const standardOutput: Output = { line: (text) => void process.stdout.write(`${text}\n`) };

/** Rows under their heads, columns aligned. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
