/** Words as the full-text index sees them, for any script. */

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

// Scripts that put no spaces between words; elsewhere SQLite's own tokeniser finds them faster.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** `text` with spaces between its words, also where its script has none. */
export function spaced(text: string): string {
  if (!unspaced.test(text)) return text;
  return Array.from(segmenter.segment(text), ({ segment }) => segment).join(" ");
}

// Words that say nothing about what is asked, in the languages most asked in; a word of another language costs only precision.
const fillers = new Set(
  (
    "a about all also am an and any are as at be been but by can could did do does for from had has have he her his how i if in into is it its " +
    "me more most my no not of on or our out please she should so some tell than that the their them then there these they this those to us " +
    "was we were what when where which who whom whose why will with would you your file document attached say says " +
    "der die das den dem des ein eine einen einem einer und oder ist sind war wie was wer wo wann warum im in zu von mit für auf nicht es er sie ich wir ihr " +
    "le la les un une des du de et ou est sont que qui quoi dans pour sur avec pas il elle je nous vous " +
    "el los las una unos y o es son qué que quién cómo cuándo dónde en por para con no se su lo al del " +
    "的 了 是 在 吗 我 你 和 什么"
  ).split(" "),
);

/** Also a word all in hiragana: a particle or an ending, as Japanese writes what is meant in kanji or katakana. */
const isFiller = (word: string): boolean => fillers.has(word) || /^\p{Script=Hiragana}+$/u.test(word);

/** The words of a question that are worth looking for, each once, at most `limit`; all of its words if every one is a filler. */
export function askedWords(question: string, limit: number): string[] {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter.segment(question)) {
    if (isWordLike === true) words.add(segment.toLowerCase());
  }
  const telling = [...words].filter((word) => !isFiller(word));
  return (telling.length > 0 ? telling : [...words]).slice(0, limit);
}
