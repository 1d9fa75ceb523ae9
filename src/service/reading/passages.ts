/** Finds the sentences of a set of files that answer a question best, by SQLite's full-text index. */
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Places } from "./extracted.ts";
import { sentencesOf } from "./sentences.ts";
import { askedWords, spaced } from "./words.ts";

/** A file's text as the reader gave it. */
export interface PassageSource {
  readonly fileId: number;
  readonly name: string;
  readonly text: string;
  readonly places?: Places;
}

/** A sentence of a file. */
export interface Passage {
  readonly fileId: number;
  readonly name: string;
  readonly text: string;
  /** Position in the file's text, in UTF-16 units. */
  readonly at: number;
  /** From 1; only for files with pages. */
  readonly page?: number;
  /** From 1; only for tables of one sheet. */
  readonly row?: number;
  /** Higher is better; comparable only within one answer. */
  readonly score: number;
}

/** Words of a question that are looked for, and characters in which they are sought; a longer one is a text, not a question. */
const questionWords = 40;
const questionCharacters = 4000;

/** Sentences indexed before other work gets its turn: about a millisecond's worth. */
const batch = 100;

/** A full-text query that matches any of the words. Quoted, so that no word is read as an operator. */
const anyOf = (words: readonly string[]): string => words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");

/** The number of the page or row that position `at` lies in. */
function numberAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}

const placeOf = ({ places }: PassageSource, at: number): { page?: number; row?: number } =>
  places === undefined ? {} : { [places.unit]: numberAt(places.starts, at) };

/**
 * The sentences of `files` that match `question` best, best first; none when no word of it occurs.
 * Case, accents and English word endings do not matter. The index lives as long as the call.
 * @param limit sentences at most
 */
export async function bestPassages(
  question: string,
  files: readonly PassageSource[],
  limit: number,
  signal?: AbortSignal,
): Promise<Passage[]> {
  const words = askedWords(question.slice(0, questionCharacters), questionWords);
  if (words.length === 0 || files.length === 0) return [];
  const index = new DatabaseSync(":memory:");
  try {
    index.exec(
      "create virtual table sentence using fts5 (words, text unindexed, source unindexed, at unindexed, tokenize = 'porter unicode61 remove_diacritics 2')",
    );
    const insert = index.prepare("insert into sentence (words, text, source, at) values (?, ?, ?, ?)");
    let count = 0;
    for (const [source, file] of files.entries()) {
      for (const { text, at } of sentencesOf(file.text)) {
        insert.run(spaced(text), text, source, at);
        if (++count % batch > 0) continue;
        await nextTurn();
        signal?.throwIfAborted();
      }
    }
    const rows = index
      .prepare("select text, source, at, -rank as score from sentence where sentence match ? order by rank, source, at limit ?")
      .all(anyOf(words), limit) as Array<{ text: string; source: number; at: number; score: number }>;
    return rows.flatMap(({ text, source, at, score }) => {
      const file = files[source];
      return file === undefined ? [] : [{ fileId: file.fileId, name: file.name, text, at, ...placeOf(file, at), score }];
    });
  } finally {
    index.close();
  }
}
