/** A message's way: prepare, send once, relay the answer, close. */
import type { Clock } from "../../clock.ts";
import { interruptedCode } from "../../contract/errors.ts";
import { Fault, WorkspaceFault } from "../../errors.ts";
import type { Message } from "../../contract/records.ts";
import type { WorkspaceLists } from "../directory.ts";
import type { InboundMessage } from "../inbound.ts";
import type { CoreMetrics } from "../metrics.ts";
import type { SettingsBook } from "../settings.ts";
import type { Threads } from "../threads.ts";
import type { Workspace } from "../workspace.ts";
import { explain, explainFailedAnswer, passing } from "./explain.ts";
import { followAnswer, noAnswer } from "./follow.ts";
import { prepare } from "./prepare.ts";
import type { TurnRun } from "./run.ts";
import { isIntended, send } from "./send.ts";
import {
  failedReply,
  finishedReply,
  growingReply,
  ratingActions,
  retryAction,
  stopAction,
  stoppedReply,
  workingReply,
} from "./show.ts";
import type { Outcome } from "./store.ts";

export interface Conversing {
  readonly workspace: Workspace;
  readonly lists: WorkspaceLists;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
}

/** How a turn ended, and whether its text is kept for Retry. */
export interface Ending {
  readonly outcome: Outcome;
  readonly keepText: boolean;
}

/**
 * Answers a message in its place. Resolves once the last edit is acknowledged, or the message is gone.
 * @param key the turn that the reply belongs to, whose buttons come back with it
 */
export async function converse(run: TurnRun, message: InboundMessage, key: string, context: Conversing): Promise<Ending> {
  const { lease } = run;
  const signal = AbortSignal.any([lease.over, lease.stop]);
  const actions = [stopAction(key)];
  const relay = run.relay();
  let text = "";
  try {
    relay.show(workingReply("Thinking…", actions));
    const sent = await deliver(run, message, context, signal, (status) => relay.show(workingReply(status, actions)));
    if (sent === "unknown") {
      relay.show(
        failedReply("", "Parley cannot tell whether the workspace has your message, and asks nothing twice by itself.", [
          { ...retryAction(key), label: "Ask again" },
        ]),
      );
      return await settled(run, context.clock, { outcome: "unknown", keepText: true });
    }
    if ("refused" in sent) {
      relay.show(failedReply("", sent.refused, []));
      return await settled(run, context.clock, { outcome: "refused", keepText: false });
    }
    const answer = await relayAnswer(run, message, sent, context, signal, (growing) => {
      text = growing.text;
      relay.show(growingReply(growing, actions));
    });
    if (answer === noAnswer) {
      await withdraw(run);
      return { outcome: "no_answer", keepText: false };
    }
    if (answer.error_text !== null) {
      const notice = explainFailedAnswer(answer.error_text, answer.error_id);
      run.log.warn(
        { turn: run.turn.key, errorId: answer.error_id, errorCode: answer.error_code },
        "the workspace's answer failed",
      );
      relay.show(failedReply(answer.text, notice, [retryAction(key)]));
      return await settled(run, context.clock, { outcome: "failed", keepText: true });
    }
    const { footer } = await context.settings.effective(message.place);
    const finished = finishedReply(answer, run.platform.limits.asksForRatings === true ? ratingActions(key) : []);
    relay.show(footer === false ? { ...finished, footer: null } : finished);
    return await settled(run, context.clock, { outcome: "answered", keepText: false });
  } catch (thrown) {
    lease.over.throwIfAborted();
    if (thrown instanceof Fault && thrown.code === "reply_not_shown") throw thrown;
    if (lease.stop.aborted) return stopped(run, context, text);
    if (thrown instanceof WorkspaceFault) context.metrics.workspaceError(thrown.kind);
    run.log.error({ err: thrown, turn: run.turn.key }, "a turn failed");
    relay.show(failedReply(text, explain(thrown), [retryAction(key)]));
    return await settled(run, context.clock, { outcome: "failed", keepText: true });
  }
}

/** A reply that no platform has taken for this long, in ms, is given up. */
const undeliverableMs = 6 * 60 * 60_000;

/**
 * Waits until the reply's final state is acknowledged. A message that is gone ends the turn.
 * Throws when the turn is another's, or the platform took nothing for now: it is then tried again.
 */
export async function settled(run: TurnRun, clock: Clock, ending: Ending): Promise<Ending> {
  const end = await run.relay().settled();
  run.lease.over.throwIfAborted();
  if (end.kind === "delivered") return ending;
  const old = clock.now() - run.turn.createdAt > undeliverableMs;
  if (end.kind !== "gone" && !old) throw new Fault("reply_not_shown", `the reply could not be shown to its end: ${end.reason}`);
  run.log.warn({ turn: run.turn.key, reason: end.reason }, "the reply can no longer be shown");
  return { outcome: "gone", keepText: false };
}

/** No answer comes: whatever sign was posted goes away again. */
export async function withdraw(run: TurnRun): Promise<void> {
  run.relay().close();
  for (const posted of run.progress().delivery.messages) await run.platform.remove(posted, run.lease.permit());
}

type Delivered = { readonly conversationId: number; readonly after: number } | { readonly refused: string } | "unknown";

async function deliver(
  run: TurnRun,
  message: InboundMessage,
  context: Conversing,
  signal: AbortSignal,
  onStatus: (status: string) => void,
): Promise<Delivered> {
  const { workspace, threads, clock, lists } = context;
  const settings = await context.settings.effective(message.place);
  const known = run.progress().sent;
  if (known !== undefined)
    return bind(context, message, { conversationId: known.conversationId, after: run.progress().intent?.after ?? 0 });
  const prepared = await prepare(run, {
    workspace,
    lists,
    settings,
    message,
    signal,
    onUpload: (name) => onStatus(`Reading “${name}”…`),
  });
  if ("refusal" in prepared) return { refused: prepared.refusal.text };

  const attempt = async (conversationId: number | null, newest: number): Promise<Delivered> => {
    const sent = await send(run, {
      workspace,
      threads,
      clock,
      place: message.place,
      conversationId,
      newest,
      ...prepared,
      projectId: settings.project?.id,
      signal,
      onTrouble: (fault) => {
        context.metrics.workspaceError(fault.kind);
        onStatus("The workspace cannot be reached; trying again…");
      },
    });
    return sent === "unknown" ? sent : bind(context, message, sent);
  };
  const intent = run.progress().intent;
  if (intent !== undefined) return attempt(intent.conversationId, intent.after);
  const thread = await threads.get(message.place);
  if (thread === undefined) return attempt(null, 0);
  try {
    return await attempt(thread.conversationId, thread.newest);
  } catch (thrown) {
    if (!(thrown instanceof WorkspaceFault && thrown.kind === "not_found")) throw thrown;
    run.log.warn({ err: thrown, turn: run.turn.key }, "the thread's conversation is gone; a new one is begun");
    await threads.forget(message.place);
    return attempt(null, 0);
  }
}

/** From now on the place has this conversation. */
async function bind(
  { threads, clock }: Conversing,
  message: InboundMessage,
  sent: { conversationId: number; after: number },
): Promise<Delivered> {
  const thread = await threads.get(message.place);
  if (thread?.conversationId !== sent.conversationId) {
    await threads.set(message.place, { conversationId: sent.conversationId, newest: sent.after, startedAt: clock.now() });
  }
  return sent;
}

async function relayAnswer(
  run: TurnRun,
  message: InboundMessage,
  sent: { conversationId: number; after: number },
  context: Conversing,
  signal: AbortSignal,
  onGrowth: (answer: Message) => void,
): Promise<Message | typeof noAnswer> {
  const { workspace, clock, threads } = context;
  const { intent, answer: knownAnswer } = run.progress();
  let asked = 0;
  let answer = knownAnswer;
  // The answer is the first AI message behind the words that were sent. A comparison's wrapper is none.
  const isAnswer = (candidate: Message): boolean => {
    if (intent !== undefined && isIntended(intent, candidate)) asked = Math.max(asked, candidate.ID);
    if (candidate.isUser || candidate.type === "sub_conversation") return false;
    if (answer !== undefined) return candidate.ID === answer;
    return candidate.ID > Math.max(sent.after, asked);
  };
  for (;;) {
    if (run.progress().rerun === "wanted" && answer !== undefined)
      await runAgain(run, context, sent.conversationId, answer, signal);
    const following = followAnswer({
      workspace,
      conversationId: sent.conversationId,
      isAnswer,
      clock,
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
    const thread = await threads.get(message.place);
    if (thread?.conversationId === sent.conversationId) await threads.set(message.place, { ...thread, newest: step.value.ID });
    return step.value;
  }
}

/** Has a failed answer run again; one that is running already, from before a restart of ours, is left alone. */
async function runAgain(
  run: TurnRun,
  { workspace }: Conversing,
  conversationId: number,
  answer: number,
  signal: AbortSignal,
): Promise<void> {
  const { items } = await workspace.conversations.messages(conversationId, { size: 50, signal });
  const failed = items.find((message) => message.ID === answer);
  if (failed === undefined || failed.error_text !== null) await workspace.conversations.retry(conversationId, answer, { signal });
  await run.save({ rerun: "done" });
}

/** How long a stopped turn holds its lane for the workspace to end the answer, in ms; a second send meanwhile is undefined. */
const stopHoldMs = 120_000;

async function stopped(run: TurnRun, context: Conversing, text: string): Promise<Ending> {
  const { workspace, clock } = context;
  run.relay().show({ ...stoppedReply(text) });
  const ending = await settled(run, context.clock, { outcome: "stopped", keepText: false });
  const { sent, answer } = run.progress();
  if (sent === undefined) return ending;
  const deadline = new AbortController();
  const cancel = clock.after(stopHoldMs, () => deadline.abort());
  const signal = AbortSignal.any([run.lease.over, deadline.signal]);
  try {
    await workspace.conversations.stop(sent.conversationId, { signal });
    const following = followAnswer({
      workspace,
      conversationId: sent.conversationId,
      isAnswer: (message) =>
        !message.isUser && (answer === undefined ? message.ID > (run.progress().intent?.after ?? 0) : message.ID === answer),
      clock,
      signal,
      onTrouble: (thrown) =>
        run.log.warn({ err: thrown, turn: run.turn.key }, "waiting for a stopped answer met trouble and goes on"),
    });
    let step = await following.next();
    while (step.done !== true) step = await following.next();
  } catch (thrown) {
    run.lease.over.throwIfAborted();
    run.log.warn(
      { err: thrown, turn: run.turn.key, passing: passing(thrown) },
      "the workspace did not say that the stopped answer has ended; its lane goes on",
    );
  } finally {
    cancel();
  }
  return ending;
}
