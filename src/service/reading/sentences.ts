/** Cuts a text into sentences that can be quoted, each with its position. */
import { clip } from "./extracted.ts";

export interface Sentence {
  /** The sentence on one line. */
  readonly text: string;
  /** Where it begins in the whole text, in UTF-16 units. */
  readonly at: number;
}

// A sentence break rule that every language shares; the locale only adds abbreviations.
const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** A line shorter than this was ended on purpose (a heading, an address, a verse), not by the width of a page. */
const wrappedLine = 40;

/** A sentence longer than this is cut: it is a table or a listing, and too long to quote. */
const longestSentence = 600;

/** True when a line goes on in the next one, as it does in text that was wrapped to a width. */
const goesOn = (line: string, next: string): boolean =>
  line.length >= wrappedLine &&
  /[\p{L}\p{N},\-–—]$/u.test(line.slice(-2)) &&
  /^[\p{Ll}\p{Lo}\p{N}(]/u.test(next) &&
  !line.includes(" | ");

/** Undoes the line breaks inside paragraphs, each replaced by one space so that positions stay. */
function unwrap(text: string): string {
  const lines = text.split("\n");
  return lines.map((line, number) => line + (goesOn(line, lines[number + 1] ?? "") ? " " : "\n")).join("");
}

/** The sentences of `text`, in order; what holds no letter or digit is left out. */
export function* sentencesOf(text: string): Generator<Sentence> {
  for (const { segment, index } of segmenter.segment(unwrap(text))) {
    for (let from = 0, piece = ""; from < segment.length; from += piece.length) {
      piece = clip(segment.slice(from), longestSentence).text;
      if (!/[\p{L}\p{N}]/u.test(piece)) continue;
      const indent = piece.length - piece.trimStart().length;
      yield { text: piece.trim().replace(/\s+/g, " "), at: index + from + indent };
    }
  }
}
