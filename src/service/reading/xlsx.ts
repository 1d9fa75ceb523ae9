/** The text of an Excel workbook: every sheet, one line a row. */
import { checkArchive } from "./archive.ts";
import { clippedNote, Unreadable, type Extracted } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";
import { rowLine } from "./rows.ts";

async function sheetsOf(bytes: Buffer): Promise<ReadonlyArray<{ sheet: string; data: ReadonlyArray<readonly unknown[]> }>> {
  // The universal build unpacks by the central directory, which is what `checkArchive` has measured.
  const { default: readXlsxFile } = await import("read-excel-file/universal");
  try {
    return await readXlsxFile(new Uint8Array(bytes).buffer);
  } catch (cause) {
    throw new Unreadable("the Excel workbook is damaged", { cause });
  }
}

/** Reads the cells of an Excel workbook (`.xlsx`); each sheet begins with a line that names it. */
export async function readXlsx(bytes: Buffer, limits: ReadingLimits): Promise<Extracted> {
  checkArchive(bytes, limits);
  const lines: string[] = [];
  let length = 0;
  for (const { sheet, data } of await sheetsOf(bytes)) {
    for (const line of [`Sheet: ${sheet}`, ...data.map(rowLine)]) {
      if (length + line.length > limits.characters) return { text: lines.join("\n"), note: clippedNote(length) };
      lines.push(line);
      length += line.length + 1;
    }
  }
  return { text: lines.join("\n") };
}
