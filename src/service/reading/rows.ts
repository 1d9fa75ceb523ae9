/** Tables as text: one line a row, cells apart by bars, so that a row is also a passage that can be quoted. */
import { clippedNote, type Extracted } from "./extracted.ts";

/** One row as one line; line breaks inside a cell become spaces. */
export const rowLine = (cells: readonly unknown[]): string => cells.map(cellText).join(" | ").trimEnd();

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return cell.toISOString().replace("T00:00:00.000Z", "");
  return String(cell as string | number | boolean)
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * The rows of one table, as many as fit.
 * @param limits `characters` kept
 * @param note what is known to be missing before the first row is read
 */
export async function rowsToText(
  rows: AsyncIterable<readonly unknown[]>,
  limits: { readonly characters: number },
  note: string | undefined,
): Promise<Extracted> {
  const lines: string[] = [];
  const starts: number[] = [];
  let length = 0;
  let clipped = note !== undefined;
  for await (const row of rows) {
    const line = rowLine(row);
    if (length + line.length > limits.characters) {
      clipped = true;
      break;
    }
    starts.push(length);
    lines.push(line);
    length += line.length + 1;
  }
  const text = lines.join("\n");
  const places = { unit: "row", starts } as const;
  return clipped ? { text, places, note: clippedNote(text.length) } : { text, places };
}
