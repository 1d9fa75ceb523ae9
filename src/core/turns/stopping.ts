/** Stop: the reply ends at once; the lane is held until the workspace has ended too. */
import type { Conversing } from "./conversing.ts";
import { createAnswerFinder } from "./find-answer.ts";
import { followAnswer } from "./follow.ts";
import { removalOf } from "./lease.ts";
import type { TurnRun } from "./run.ts";
import { settled, withdraw, type Ending } from "./settle.ts";
import { stoppedReply } from "./show.ts";

/** How long a stopped turn holds its lane for the workspace to end the answer, in ms; a second send meanwhile is undefined. */
const stopHoldMs = 120_000;
/** A turn of which nothing is to stay does so for this long, in ms. */
const removalHoldMs = 15_000;

/** Shows that a turn was stopped, and waits until the workspace has ended the answer, or for two minutes. */
export async function stopped(run: TurnRun, context: Conversing, text: string): Promise<Ending> {
  const { workspace, clock } = context;
  const removed = removalOf(run.lease.stop) !== undefined;
  if (removed) await withdraw(run.relay());
  else run.relay().show({ ...stoppedReply(text) });
  const ending: Ending = removed
    ? { outcome: "cancelled", keepText: false }
    : await settled(run, context.clock, { outcome: "stopped", keepText: false });
  const { sent, answer, intent } = run.progress();
  if (sent === undefined) return ending;
  const deadline = new AbortController();
  const cancel = clock.after(removed ? removalHoldMs : stopHoldMs, () => deadline.abort());
  const signal = AbortSignal.any([run.lease.over, deadline.signal]);
  try {
    await workspace.conversations.stop(sent.conversationId, { signal });
    const following = followAnswer({
      workspace,
      conversationId: sent.conversationId,
      answerIn: createAnswerFinder(intent, intent?.after ?? 0, () => answer),
      clock,
      random: run.random,
      signal,
      onTrouble: (thrown) =>
        run.log.warn({ err: thrown, turn: run.turn.key }, "waiting for a stopped answer met trouble and goes on"),
    });
    let step = await following.next();
    while (step.done !== true) step = await following.next();
  } catch (thrown) {
    run.lease.over.throwIfAborted();
    run.log.warn(
      { err: thrown, turn: run.turn.key },
      "the workspace did not say that the stopped answer has ended; its lane goes on",
    );
  } finally {
    cancel();
  }
  return ending;
}
