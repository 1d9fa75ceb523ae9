/** A message's way: prepare, send once, relay the answer, close. */
import type { InboundMessage } from "../inbound.ts";
import { answering } from "./answering.ts";
import type { Conversing } from "./conversing.ts";
import { deliver } from "./deliver.ts";
import { explainFailedAnswer, explainUnknown } from "./explain.ts";
import { noAnswer } from "./follow.ts";
import { relayAnswer } from "./relay-answer.ts";
import type { TurnRun } from "./run.ts";
import { refused, settled, withdraw, type Ending } from "./settle.ts";
import {
  failedReply,
  finishedReply,
  growingReply,
  ratingActions,
  retryAction,
  stopAction,
  withOnBehalf,
  workingReply,
} from "./show.ts";
import { showWhole } from "./show-whole.ts";
import { tellTranscripts } from "./tell-transcripts.ts";

/**
 * Answers a message in its place. Resolves once the last edit is acknowledged, or the message is gone.
 * @param key the turn that the reply belongs to, whose buttons come back with it
 */
export function converse(run: TurnRun, message: InboundMessage, key: string, context: Conversing): Promise<Ending> {
  const { showing } = context;
  const actions = [stopAction(key)];
  const relay = run.relay();
  return answering(run, key, context, "a turn failed", async (signal, growing) => {
    // What an earlier owner has shown of the answer stays until there is more.
    if (run.progress().sent === undefined) showing.forming(workingReply("Thinking…", actions));
    const sent = await deliver(run, message, context, signal, (status) => showing.forming(workingReply(status, actions)));
    if (sent === "unknown") {
      relay.show(failedReply("", explainUnknown, [{ ...retryAction(key), label: "Ask again" }]));
      return settled(run, context.clock, { outcome: "unknown", keepText: true });
    }
    if ("refused" in sent) {
      await showing.failed("", sent.refused, []);
      return settled(run, context.clock, refused);
    }
    const answer = await relayAnswer(run, message, sent, context, signal, (grown) => {
      growing.text = grown.text;
      showing.forming(growingReply(grown, actions));
    });
    if (answer === noAnswer) {
      await withdraw(relay);
      return { outcome: "no_answer", keepText: false };
    }
    if (answer.error_text !== null) {
      const notice = explainFailedAnswer(answer.error_text, answer.error_id);
      run.log.warn(
        { turn: run.turn.key, errorId: answer.error_id, errorCode: answer.error_code },
        "the workspace's answer failed",
      );
      await showing.failed(answer.text, notice, [retryAction(key)]);
      return settled(run, context.clock, {
        outcome: "failed",
        keepText: true,
        correlation: answer.error_id ?? undefined,
        credits: answer.credits_used,
      });
    }
    const ratings = run.platform.limits.asksForRatings === true ? ratingActions(key) : [];
    const finished = withOnBehalf(context.onBehalf, finishedReply(answer, ratings));
    const told = await tellTranscripts(run, message, { ...context, signal });
    const footer = [finished.footer, told.footer].filter((line) => line !== null).join(" · ") || null;
    const reply = { ...finished, footer, notice: told.notice };
    return showWhole(run, message, key, { answer, reply }, context, signal);
  });
}
