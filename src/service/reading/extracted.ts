/** What every kind of reader gives back, and how it says that it cannot. */

/** The text of a file. */
export interface Extracted {
  readonly text: string;
  /** Where each page or row begins in `text`, in UTF-16 units; the first entry is number 1. Absent for files without such places. */
  readonly places?: Places;
  /** What is missing from `text`, as a sentence for the person who attached the file. */
  readonly note?: string;
}

export interface Places {
  readonly unit: "page" | "row";
  readonly starts: readonly number[];
}

/** Thrown by a reader for a file that it cannot read; `message` says why, in words for the person who attached it. */
export class Unreadable extends Error {
  /** True where another attempt may succeed: the machine was too busy, not the file too broken. */
  readonly passing: boolean;
  constructor(reason: string, options: { passing?: boolean; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.name = "Unreadable";
    this.passing = options.passing ?? false;
  }
}

/** `text` without what comes after `limit` characters, never cut inside a surrogate pair. */
export function clip(text: string, limit: number): { text: string; clipped: boolean } {
  if (text.length <= limit) return { text, clipped: false };
  const last = text.charCodeAt(limit - 1);
  const insidePair = last >= 0xd800 && last <= 0xdbff;
  return { text: text.slice(0, insidePair ? limit - 1 : limit), clipped: true };
}

const digits = new Intl.NumberFormat("en");

/** The note of a file of which only the first `characters` were kept. */
export const clippedNote = (characters: number): string =>
  `Only the first ${digits.format(characters)} characters of this file were read.`;

/** Why a file of any other kind is not read. */
export const notRead = "it is not a text, PDF, Word, Excel, CSV or image file";
