/** What tells one question, and its answer, from every other. */

/** @param thread and @param turn are counted from 0 */
export const markOf = (thread: number, turn: number): string =>
  `q${String(thread).padStart(4, "0")}x${String(turn).padStart(3, "0")}`;

const pattern = /q\d{4}x\d{3}/;

/** The last mark in a text: what is quoted of earlier messages stands before the question. */
export const markIn = (text: string): string | undefined => text.match(new RegExp(pattern, "g"))?.at(-1);

export const questionOf = (mark: string): string => `What do you know about ${mark}`;

const filler = "The harbour is quiet in the morning, and the boats come back before the wind turns to the west.";

/** What the model answers: of some length, with a beginning and an end that only this answer has. */
export const wholeAnswer = (mark: string): string =>
  `Here is what I know of ${mark}. ${filler} ${filler} That is all there is about ${mark}.`;

/** The mark of an answer of which at least the beginning is shown. */
export const begunIn = (text: string): string | undefined => /Here is what I know of (q\d{4}x\d{3})/.exec(text)?.[1];
