/** What happens when there is more to answer than can be answered: nothing is dropped in silence. */
import type { Refusal } from "./refusal.ts";

/** Messages that wait in one place; each is shown its number. More are refused, and their askers told. */
export const laneLimit = 20;
/** Turns that one process has at once; over PostgreSQL the others take what is more. Beyond it, messages are refused. */
export const turnsLimit = 2_000;
/** Refusals and other turns that wait for nothing are run beyond `turnsLimit`, up to this many. */
export const spareTurns = 500;
/** Of those, so many are of one person: a crowd of theirs leaves room for everybody else. Beyond it, what they ask is refused. */
export const personTurns = 200;
/** What waits for no other turn, such as a command or a press that stops one, is run beyond `personTurns`, up to this many. */
export const spareOfPerson = 50;
/** Answers that one process forms at once; those who wait for room are shown their number. */
export const answersLimit = 500;

export const tooMuch: Refusal = {
  code: "busy",
  text: "There are too many messages to answer right now, so I did not take this one. Please ask again in a few minutes.",
};
