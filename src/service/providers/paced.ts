/** Gives out a finished text as a model would: in pieces that end between words, at a steady pace. */
import { sleep, type Clock } from "../../clock.ts";

/** Pieces come about this often; more would be seen by nobody. */
const piecesPerSecond = 20;

/** A text takes no longer than this, in ms, however long it is: then the pace is raised. */
const longestMs = 90_000;

/** Pieces of about `size` characters, each ending behind white space; together they are the text. */
function* pieces(text: string, size: number): Generator<string> {
  let piece = "";
  for (const word of text.match(/\S*\s+|\S+$/g) ?? []) {
    piece += word;
    if (piece.length < size) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/**
 * Yields `text` in pieces, each when it is due. Throws the signal's reason as soon as it is aborted.
 * @param charactersPerSecond above 0
 */
export async function* paced(
  text: string,
  charactersPerSecond: number,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const pace = Math.max(charactersPerSecond, (text.length * 1000) / longestMs);
  const start = clock.now();
  let given = 0;
  for (const piece of pieces(text, pace / piecesPerSecond)) {
    given += piece.length;
    // Counted from the start, so that late timers do not add up.
    await sleep(clock, start + (given * 1000) / pace - clock.now(), signal);
    yield piece;
  }
}
