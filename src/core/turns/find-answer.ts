/** Tells the answer to a turn's words from the other messages of its conversation. */
import type { Message } from "../../contract/records.ts";
import type { Intent } from "./progress.ts";
import { isIntended } from "./send.ts";

/**
 * The answer is the first AI message behind the question; a comparison's wrapper is none.
 * The question is known by its words, or, where a rule of the workspace has changed them, by being new.
 * @param after the newest message that was there before the send
 * @param known the answer's ID, once it is known
 */
export function createAnswerFinder(
  intent: Intent | undefined,
  after: number,
  known: () => number | undefined,
): (messages: readonly Message[]) => Message | undefined {
  let question = 0;
  return (messages) => {
    const answer = known();
    if (answer !== undefined) return messages.find(({ ID }) => ID === answer);
    const asked =
      (intent === undefined ? undefined : messages.find((message) => isIntended(intent, message))) ??
      messages.find(({ isUser, ID }) => isUser && ID > after);
    question = Math.max(question, asked?.ID ?? 0);
    if (question === 0) return undefined;
    return messages.findLast(({ isUser, type, ID }) => !isUser && type !== "sub_conversation" && ID > question);
  };
}
