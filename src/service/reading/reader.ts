/** Reads a stored file for the model: text where it has text, a picture as a picture, anything else named with the reason. */
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Clock } from "../../clock.ts";
import { keep, kept, type Kept } from "./cache.ts";
import { notRead, Unreadable, type Extracted } from "./extracted.ts";
import { inspectImage, type ImageMediaType } from "./image.ts";
import { parseIsolated } from "./isolate.ts";
import { readingLimits, type ReadingLimits } from "./limits.ts";
import type { ParsedKind } from "./parser-thread.ts";
import { readPlain } from "./plain.ts";
import { slots } from "./slots.ts";

/** A file on disk, and the name that its owner gave it: the name decides how it is read. */
interface ReadableFile {
  readonly path: string;
  readonly name: string;
}

type Reading =
  | ({ readonly kind: "text" } & Extracted)
  /** `path` holds the bytes of the picture, at most `ReadingLimits.imageBytes`. */
  | { readonly kind: "image"; readonly mediaType: ImageMediaType; readonly path: string }
  /** `reason` completes "<name> was not read: …". */
  | { readonly kind: "unread"; readonly reason: string };

export interface Reader {
  /** Never throws for a file that cannot be read; rejects only when `signal` is aborted or the disk fails. */
  read(file: ReadableFile, signal?: AbortSignal): Promise<Reading>;
}

const parsed: Readonly<Record<string, ParsedKind>> = {
  ".pdf": "pdf",
  ".docx": "docx",
  ".docm": "docx",
  ".xlsx": "xlsx",
  ".xlsm": "xlsx",
};
const images = new Set([".png", ".jpg", ".jpeg", ".jfif", ".gif", ".webp"]);
// Text on the disk, but not for a reader: markup that drowns the words.
const markup = new Set([".rtf", ".eps", ".ps"]);

/** Parsers that run at the same time; more would only share the processor and add up their memory. */
const parsers = 1;

export function createReader(options: { readonly clock: Clock; readonly limits?: Partial<ReadingLimits> }): Reader {
  const { clock } = options;
  const limits = { ...readingLimits, ...options.limits };
  const inSlot = slots(parsers);

  async function parse(kind: ParsedKind, path: string, signal: AbortSignal | undefined): Promise<Kept> {
    try {
      return { extracted: await parseIsolated({ kind, path, limits }, clock, signal) };
    } catch (error) {
      if (error instanceof Unreadable && !error.passing) return { unreadable: error.message };
      throw error;
    }
  }

  async function document(kind: ParsedKind, path: string, signal: AbortSignal | undefined): Promise<Extracted> {
    const { size } = await stat(path);
    if (size > limits.documentBytes) throw new Unreadable(`the document is larger than ${limits.documentBytes / 2 ** 20} MB`);
    // Looked up inside the slot: of two turns that want the same file, the second finds what the first kept.
    const found = await inSlot(async () => {
      const before = await kept(path, limits);
      if (before !== undefined) return before;
      const now = await parse(kind, path, signal);
      await keep(path, limits, now);
      return now;
    }, signal);
    if ("unreadable" in found) throw new Unreadable(found.unreadable);
    return found.extracted;
  }

  async function readAs(file: ReadableFile, signal: AbortSignal | undefined): Promise<Reading> {
    const extension = extname(file.name).toLowerCase();
    if (images.has(extension)) return { kind: "image", mediaType: await inspectImage(file.path, limits), path: file.path };
    if (markup.has(extension)) return { kind: "unread", reason: notRead };
    const parser = parsed[extension];
    if (parser !== undefined) return { kind: "text", ...(await document(parser, file.path, signal)) };
    if (extension === ".csv" || extension === ".tsv") {
      const { readCsv } = await import("./csv.ts");
      return { kind: "text", ...(await readCsv(file.path, file.name, limits)) };
    }
    return { kind: "text", ...(await readPlain(file.path, limits)) };
  }

  return {
    async read(file, signal) {
      signal?.throwIfAborted();
      try {
        const reading = await readAs(file, signal);
        return reading.kind === "text" && reading.text.trim() === ""
          ? { ...reading, note: "No text was found in this file." }
          : reading;
      } catch (error) {
        if (error instanceof Unreadable) return { kind: "unread", reason: error.message };
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "unread", reason: "it is no longer stored" };
        throw error;
      }
    },
  };
}
