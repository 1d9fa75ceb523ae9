/** How much of a file is read, and at what cost; each bound is a default that tests lower. */

export interface ReadingLimits {
  /** Bytes of a text or CSV file that are read; the rest is left out and the result says so. */
  readonly textBytes: number;
  /** Characters kept of any file: about 50,000 tokens, which leaves room for the question and other files. */
  readonly characters: number;
  /** Bytes of a PDF, Word or Excel file; a larger one is not read, as its parser holds it whole. */
  readonly documentBytes: number;
  /** Bytes of an image; the limit that the common model services share is near 20 MB. */
  readonly imageBytes: number;
  /** Bytes that all parts of a zipped document may inflate to. */
  readonly inflatedBytes: number;
  /** Parts of a zipped document. */
  readonly archiveEntries: number;
  /** Memory of a parser, in MB: its heap, and as much again outside the heap. */
  readonly parserMemoryMb: number;
  /** Time of a parser, in ms. */
  readonly parserMs: number;
}

const MiB = 2 ** 20;

export const readingLimits: ReadingLimits = {
  textBytes: MiB,
  characters: 200_000,
  documentBytes: 64 * MiB,
  imageBytes: 20 * MiB,
  inflatedBytes: 128 * MiB,
  archiveEntries: 10_000,
  parserMemoryMb: 256,
  parserMs: 20_000,
};
