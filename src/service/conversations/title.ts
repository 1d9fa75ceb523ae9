/** A conversation's automatic name. */

const limit = 60;

/** The beginning of the first message, on one line, cut between words; `New conversation` for a message without words. */
export function titleOf(message: string): string {
  const line = message
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .replace(/^[\s#>*_`~-]+/, "")
    .trim();
  if (line === "") return "New conversation";
  const letters = [...new Intl.Segmenter().segment(line.slice(0, limit * 16))].map(({ segment }) => segment);
  if (letters.length <= limit) return letters.join("");
  const cut = letters.slice(0, limit).join("");
  return `${cut.replace(/\s+\S{0,20}$/, "")}…`;
}
