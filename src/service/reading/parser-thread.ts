/** The program of a parser's thread: reads one document and posts its text, or why there is none. */
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Unreadable, type Extracted } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";

/** The documents that only a parser in its own thread may open. */
export type ParsedKind = "pdf" | "docx" | "xlsx";

export interface ParserTask {
  readonly kind: ParsedKind;
  readonly path: string;
  readonly limits: ReadingLimits;
}

export type ParserAnswer = { readonly extracted: Extracted } | { readonly unreadable: string };

async function parse({ kind, path, limits }: ParserTask): Promise<Extracted> {
  const bytes = await readFile(path);
  switch (kind) {
    case "pdf":
      return (await import("./pdf.ts")).readPdf(bytes, limits);
    case "docx":
      return (await import("./docx.ts")).readDocx(bytes, limits);
    case "xlsx":
      return (await import("./xlsx.ts")).readXlsx(bytes, limits);
  }
}

async function answer(task: ParserTask): Promise<ParserAnswer> {
  try {
    return { extracted: await parse(task) };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    throw error;
  }
}

parentPort?.postMessage(await answer(workerData as ParserTask));
