/** Answers as models write them: mixed Markdown of a given length, different for each seed. */

const words =
  "the answer depends on what you measure first and how often it changes so begin with a small sample compare it with last week and write down every number that surprises you because later it will matter more than the average".split(
    " ",
  );

/** A small generator of even quality: the same seed gives the same answer everywhere. */
function randomOf(seed: number): () => number {
  let state = seed + 0x9e3779b9;
  return () => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function answerOf(seed: number, characters: number): string {
  const random = randomOf(seed);
  const word = (): string => words[Math.floor(random() * words.length)] ?? "";
  const phrase = (count: number): string => Array.from({ length: count }, word).join(" ");
  const marked = (): string => {
    const text = phrase(2);
    return (
      [text, `**${text}**`, `*${text}*`, `\`${text}\``, `[${text}](https://example.com/${word()})`][Math.floor(random() * 5)] ??
      text
    );
  };
  const sentence = (): string => `${phrase(6)} ${marked()} ${phrase(5)}.`;
  const paragraph = (): string => Array.from({ length: 3 }, sentence).join(" ");
  const lines = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join("\n");
  const forms = [
    paragraph,
    paragraph,
    paragraph,
    () => `## ${phrase(4)}`,
    () => lines(5, () => `- ${sentence()}`),
    () => lines(4, (index) => `${index + 1}. ${sentence()}`),
    () => `> ${sentence()}`,
    () => `| ${word()} | ${word()} | n |\n|---|---|---|\n${lines(4, (index) => `| ${phrase(2)} | ${word()} | ${index} |`)}`,
    () => `\`\`\`ts\n${lines(8, (index) => `const ${word()}${index} = compare("${phrase(3)}");`)}\n\`\`\``,
  ];
  let text = "";
  while (text.length < characters) text += `${forms[Math.floor(random() * forms.length)]?.() ?? ""}\n\n`;
  return text.slice(0, characters);
}
