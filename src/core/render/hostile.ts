/** Text that would take a Markdown parser far too long, or deeper than the stack: it is shown as it is. */

// Measured with the parser in use on 12,000 characters: answers stay far below each limit, and at it a parse takes under 0.3 s.
const mostBracketDepth = 50;
const mostStrayBrackets = 1_000;
const mostDelimiters = 2_000;

/** More than 32 containers opened on one line, or a list item far to the right. */
const deepLine = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){33}|^[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;

function isHostile(chunk: string): boolean {
  let depth = 0;
  let stray = 0;
  let delimiters = 0;
  for (const character of chunk) {
    if (character === "[") depth++;
    else if (character === "]" && depth > 0) depth--;
    else if (character === "]") stray++;
    else if (character === "*" || character === "_" || character === "~") delimiters++;
    if (depth > mostBracketDepth || stray > mostStrayBrackets || delimiters > mostDelimiters) return true;
  }
  return deepLine.test(chunk);
}

const blankLine = /\n[ \t]*\n/g;

/** Where the first hostile run of lines between blank lines begins; the length of `source` when there is none. */
export function hostileFrom(source: string): number {
  let from = 0;
  for (const { index, 0: blank } of source.matchAll(blankLine)) {
    if (isHostile(source.slice(from, index))) return from;
    // The second line break may begin the next blank line.
    from = index + blank.length - 1;
  }
  return isHostile(source.slice(from)) ? from : source.length;
}
