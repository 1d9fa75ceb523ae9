/** The answer to words that were sent, followed to its end. */
import { interruptedCode } from "../../contract/errors.ts";
import type { Message } from "../../contract/records.ts";
import { WorkspaceFault } from "../../errors.ts";
import type { InboundMessage } from "../inbound.ts";
import type { Conversing } from "./conversing.ts";
import { createAnswerFinder } from "./find-answer.ts";
import { followAnswer, noAnswer } from "./follow.ts";
import type { TurnRun } from "./run.ts";

/** Follows the answer until it is finished; `onGrowth` hears of each change. One that the workspace cut off by ending is run again once. */
export async function relayAnswer(
  run: TurnRun,
  message: InboundMessage,
  sent: { conversationId: number; after: number },
  context: Conversing,
  signal: AbortSignal,
  onGrowth: (answer: Message) => void,
): Promise<Message | typeof noAnswer> {
  const { workspace, clock, threads } = context;
  let answer = run.progress().answer;
  const answerIn = createAnswerFinder(run.progress().intent, sent.after, () => answer);
  for (;;) {
    if (run.progress().rerun === "wanted" && answer !== undefined)
      await runAgain(run, context, sent.conversationId, answer, signal);
    const following = followAnswer({
      workspace,
      conversationId: sent.conversationId,
      answerIn,
      clock,
      random: run.random,
      signal,
      onTrouble: (thrown) => {
        if (thrown instanceof WorkspaceFault) context.metrics.workspaceError(thrown.kind);
        run.log.warn({ err: thrown, turn: run.turn.key }, "following an answer met trouble and goes on");
      },
    });
    const note = async (found: Message): Promise<void> => {
      if (answer === found.ID) return;
      answer = found.ID;
      await run.save({ answer });
      // However this turn ends, what comes after it is newer than this.
      const thread = await threads.get(message.place);
      if (thread?.conversationId === sent.conversationId) await threads.set(message.place, { ...thread, newest: found.ID });
    };
    let step = await following.next();
    for (; step.done !== true; step = await following.next()) {
      await note(step.value);
      onGrowth(step.value);
    }
    if (step.value === noAnswer) return noAnswer;
    await note(step.value);
    if (step.value.error_code === interruptedCode && run.progress().rerun === undefined) {
      run.log.warn(
        { turn: run.turn.key },
        "the workspace was restarted in the middle of an answer; it is asked once to run it again",
      );
      await run.save({ rerun: "wanted" });
      continue;
    }
    return step.value;
  }
}

/**
 * Has a failed answer run again, once. One that is running already, from before a restart of ours, is left alone; and so is one that
 * has failed anew meanwhile, which is another failure than the one that was noted.
 */
async function runAgain(
  run: TurnRun,
  { workspace }: Conversing,
  conversationId: number,
  answer: number,
  signal: AbortSignal,
): Promise<void> {
  const { items } = await workspace.conversations.messages(conversationId, { size: 50, signal });
  const failed = items.find((message) => message.ID === answer);
  const { rerunOf } = run.progress();
  const failure = failed?.error_id ?? null;
  const asked = rerunOf !== undefined && (rerunOf === null || rerunOf !== failure);
  if (!asked && (failed === undefined || failed.error_text !== null)) {
    await run.save({ rerunOf: failure });
    await workspace.conversations.retry(conversationId, answer, { signal });
  }
  await run.save({ rerun: "done" });
}
