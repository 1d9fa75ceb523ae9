/** CSV and TSV files, streamed row by row into one line each. */
import { createReadStream } from "node:fs";
import { extname } from "node:path";
import { rowsToText } from "./rows.ts";
import type { Extracted } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";
import { readPlain } from "./plain.ts";

/** The separator that the first line has most of; a comma when it has none. */
function separatorOf(firstLine: string): string {
  const counted = [",", ";", "\t", "|"].map((separator) => ({ separator, count: firstLine.split(separator).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}

/**
 * Reads a table of separated values. A table that breaks the rules of quoting is read as the plain text it also is.
 * @param name the file's own name: `.tsv` fixes the separator
 */
export async function readCsv(path: string, name: string, limits: ReadingLimits): Promise<Extracted> {
  // Also the check that it is text, and what remains when the quoting is broken.
  const plain = await readPlain(path, limits);
  const separator = extname(name).toLowerCase() === ".tsv" ? "\t" : separatorOf(plain.text.split("\n", 1)[0] ?? "");
  const { CsvError, parse } = await import("csv-parse");
  const source = createReadStream(path, { end: limits.textBytes - 1 });
  const rows = parse({
    bom: true,
    delimiter: separator,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: limits.characters,
  });
  source.once("error", (error) => rows.destroy(error));
  try {
    return await rowsToText(source.pipe(rows) as AsyncIterable<string[]>, limits, plain.note);
  } catch (error) {
    if (error instanceof CsvError) return plain;
    throw error;
  } finally {
    source.destroy();
    rows.destroy();
  }
}
