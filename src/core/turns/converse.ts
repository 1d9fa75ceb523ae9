/** A message's way: prepare, send once, relay the answer, close. */
import { Fault, WorkspaceFault } from "../../errors.ts";
import type { InboundMessage } from "../inbound.ts";
import type { Conversing } from "./conversing.ts";
import { deliver } from "./deliver.ts";
import { explainFailedAnswer } from "./explain.ts";
import { noAnswer } from "./follow.ts";
import { relayAnswer } from "./relay-answer.ts";
import type { TurnRun } from "./run.ts";
import { withMadeFiles } from "./made-files.ts";
import { settled, withdraw, type Ending } from "./settle.ts";
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
import { stopped } from "./stopping.ts";
import { tellTranscripts } from "./tell-transcripts.ts";

/** After what nobody foresaw a turn is begun again so often, over about a minute, before it ends with saying so. */
const leastTries = 7;

/**
 * Answers a message in its place. Resolves once the last edit is acknowledged, or the message is gone.
 * @param key the turn that the reply belongs to, whose buttons come back with it
 */
export async function converse(run: TurnRun, message: InboundMessage, key: string, context: Conversing): Promise<Ending> {
  const { lease } = run;
  const { showing } = context;
  const signal = AbortSignal.any([lease.over, lease.stop]);
  const actions = [stopAction(key)];
  const relay = run.relay();
  let text = "";
  try {
    // What an earlier owner has shown of the answer stays until there is more.
    if (run.progress().sent === undefined) showing.forming(workingReply("Thinking…", actions));
    const sent = await deliver(run, message, context, signal, (status) => showing.forming(workingReply(status, actions)));
    if (sent === "unknown") {
      relay.show(
        failedReply("", "Parley cannot tell whether the workspace has your message, and asks nothing twice by itself.", [
          { ...retryAction(key), label: "Ask again" },
        ]),
      );
      return await settled(run, context.clock, { outcome: "unknown", keepText: true });
    }
    if ("refused" in sent) {
      await showing.failed("", sent.refused, []);
      return await settled(run, context.clock, { outcome: "refused", keepText: false });
    }
    const answer = await relayAnswer(run, message, sent, context, signal, (growing) => {
      text = growing.text;
      showing.forming(growingReply(growing, actions));
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
      return await settled(run, context.clock, {
        outcome: "failed",
        keepText: true,
        correlation: answer.error_id ?? undefined,
        credits: answer.credits_used,
      });
    }
    const { footer } = await context.settings.effective(message.place);
    const finished = withOnBehalf(
      context.onBehalf,
      finishedReply(answer, run.platform.limits.asksForRatings === true ? ratingActions(key) : []),
    );
    const told = await tellTranscripts(run, message, { ...context, signal });
    const lines = [finished.footer, told.footer].filter((line) => line !== null);
    const last = footer === false || lines.length === 0 ? null : lines.join(" · ");
    const whole = { ...finished, footer: last, notice: told.notice };
    const answered: Ending = { outcome: "answered", keepText: false, credits: answer.credits_used };
    if (await showing.withholds(answer, whole)) return await settled(run, context.clock, answered);
    const { state, release } = await withMadeFiles(run, message, answer, whole, context, signal, () =>
      showing.forming({ ...growingReply(answer, actions), status: "Fetching the files…" }),
    );
    try {
      relay.show(state);
      return await settled(run, context.clock, answered);
    } finally {
      release();
    }
  } catch (thrown) {
    lease.over.throwIfAborted();
    if (thrown instanceof Fault && (thrown.code === "reply_not_shown" || thrown.code === "lease_lost")) throw thrown;
    if (lease.stop.aborted) return stopped(run, context, await showing.stopped(text));
    // A store that is away, for one: the lane tries again, and what has been sent is known or looked for then.
    if (!(thrown instanceof Fault) && run.turn.fence < leastTries) throw thrown;
    if (thrown instanceof WorkspaceFault) context.metrics.workspaceError(thrown.kind);
    if (thrown instanceof WorkspaceFault && thrown.kind === "unauthorized") {
      const ending = await context.keyRefused();
      if (ending !== null) return ending;
    }
    run.log.error({ err: thrown, turn: run.turn.key }, "a turn failed");
    await showing.failed(text, await context.explain(thrown), [retryAction(key)]);
    const correlation = thrown instanceof WorkspaceFault ? thrown.correlationId : undefined;
    return await settled(run, context.clock, { outcome: "failed", keepText: true, correlation });
  }
}
