/** Runs a saved prompt once, shows its answer, and gives its conversation to the place. */
import type { Message } from "../../contract/records.ts";
import type { PromptRun, PromptRunEntry } from "../../contract/prompt-records.ts";
import { WorkspaceFault } from "../../errors.ts";
import type { InboundMessage } from "../inbound.ts";
import type { PromptOrder } from "../prompts/order.ts";
import { digestOf } from "../words.ts";
import { uncertain } from "../workspace-faults.ts";
import { answering } from "./answering.ts";
import type { Conversing } from "./conversing.ts";
import { explainFailedAnswer } from "./explain.ts";
import { lookTwice, skewMs } from "./look-twice.ts";
import type { Intent } from "./progress.ts";
import { madeFiles } from "../media/made-files.ts";
import type { TurnRun } from "./run.ts";
import { settled, type Ending } from "./settle.ts";
import {
  emptyReply,
  failedReply,
  finishedReply,
  ratingActions,
  retryAction,
  stopAction,
  withOnBehalf,
  workingReply,
} from "./show.ts";
import { showWhole } from "./show-whole.ts";

interface Ran {
  readonly conversationId: number;
  /** What the run said of itself; null where another process, or a lost answer, had it. */
  readonly result: PromptRun | null;
}
/** Why it failed, as the workspace says. */
interface Failed {
  readonly failed: { readonly text: string; readonly id: string | null };
}

/** @param key the turn that the reply belongs to, whose buttons come back with it */
export function answerPrompt(
  run: TurnRun,
  message: InboundMessage,
  order: PromptOrder,
  key: string,
  context: Conversing,
): Promise<Ending> {
  const { showing, clock } = context;
  const relay = run.relay();
  return answering(run, key, context, "running a prompt failed", async (signal) => {
    showing.forming(workingReply("Running the prompt…", [stopAction(key)]));
    const ran = await runOnce(run, message, order, context, signal);
    if (ran === "unknown") {
      const notice = "Parley cannot tell whether the prompt was run, and runs nothing twice by itself.";
      relay.show(failedReply("", notice, [{ ...retryAction(key), label: "Ask again" }]));
      return settled(run, clock, { outcome: "unknown", keepText: true });
    }
    if ("failed" in ran) {
      await showing.failed("", explainFailedAnswer(ran.failed.text, ran.failed.id), [retryAction(key)]);
      return settled(run, clock, { outcome: "failed", keepText: true, correlation: ran.failed.id ?? undefined });
    }
    const answer = await answerIn(ran, context, signal);
    await bind(message, ran.conversationId, answer, context);
    if (answer !== undefined && answer.error_text !== null) {
      await showing.failed(answer.text, explainFailedAnswer(answer.error_text, answer.error_id), [retryAction(key)]);
      return settled(run, clock, { outcome: "failed", keepText: true, credits: answer.credits_used });
    }
    const whole = answer !== undefined && answer.text !== "";
    const text = whole ? answer.text : await textOf(ran.result);
    if (text === "" && (answer === undefined || madeFiles(answer, new Set()).length === 0)) {
      relay.show(failedReply("", "The prompt was run, and the workspace gives no words of its answer.", []));
      return settled(run, clock, { outcome: "failed", keepText: false, credits: answer?.credits_used });
    }
    const ratings = run.platform.limits.asksForRatings === true ? ratingActions(key) : [];
    const finished = whole ? finishedReply(answer, ratings) : ({ ...emptyReply, state: "done", text, actions: ratings } as const);
    const reply = withOnBehalf(context.onBehalf, finished);
    return showWhole(run, message, key, { answer, foreign: !whole, reply }, context, signal);
  });
}

/** Runs cost, and the workspace does not know a repeated one: the intent is stored before, and what was lost is looked for. */
async function runOnce(
  run: TurnRun,
  { place }: InboundMessage,
  order: PromptOrder,
  context: Conversing,
  signal: AbortSignal,
): Promise<Ran | Failed | "unknown"> {
  const { sent, intent: former } = run.progress();
  if (sent !== undefined) return { conversationId: sent.conversationId, result: null };
  if (former !== undefined) return adopt(run, await find(order, former, context, signal));
  const intent: Intent = { at: context.clock.now(), conversationId: null, after: 0, digest: digestOf(JSON.stringify(order)) };
  await run.save({ intent });
  try {
    const values = order.values.map(({ variable_id, value }) => ({ variable_id, value }));
    const result = await context.workspace.prompts.run(order.id, values, { signal });
    if (result.run_status === "error")
      return { failed: { text: result.error_text ?? "the workspace does not say why", id: result.error_id } };
    await run.save({ sent: { conversationId: result.conversation_context_id } });
    return { conversationId: result.conversation_context_id, result };
  } catch (thrown) {
    if (!uncertain(thrown)) throw thrown;
    run.log.warn({ err: thrown, turn: run.turn.key, channel: place.channel }, "the answer to a run was lost; looking for it");
    return adopt(run, await find(order, intent, context, signal));
  }
}

async function adopt(run: TurnRun, found: PromptRunEntry | undefined): Promise<Ran | Failed | "unknown"> {
  if (found === undefined) return "unknown";
  if (found.run_status === "error")
    return { failed: { text: found.error_text ?? "the workspace does not say why", id: found.error_id } };
  await run.save({ sent: { conversationId: found.conversation_context_id } });
  return { conversationId: found.conversation_context_id, result: null };
}

/** Looks for a run whose answer was lost. Undefined: none tells, or more than one may be it. */
const find = (
  order: PromptOrder,
  intent: Intent,
  context: Conversing,
  signal: AbortSignal,
): Promise<PromptRunEntry | undefined> =>
  lookTwice(
    context,
    signal,
    () => look(order, intent, context, signal),
    (found) => found !== undefined,
  );

const sameValues = (order: PromptOrder, { variables }: PromptRunEntry): boolean =>
  order.values.every(({ variable_id, value }) =>
    variables.some((one) => one.variable_id === variable_id && one.value.trim() === value.trim()),
  );

async function look(
  order: PromptOrder,
  intent: Intent,
  { workspace, threads }: Conversing,
  signal: AbortSignal,
): Promise<PromptRunEntry | undefined> {
  let items: readonly PromptRunEntry[];
  try {
    ({ items } = await workspace.prompts.runHistory(order.id, { size: 50, signal }));
  } catch (thrown) {
    // A key that may run prompts need not be one that may read what was run.
    if (thrown instanceof WorkspaceFault && (thrown.kind === "forbidden" || thrown.kind === "not_found")) return undefined;
    throw thrown;
  }
  const matches: PromptRunEntry[] = [];
  for (const entry of items) {
    const known = entry.conversation_context_id > 0 && Date.parse(entry.created_at) >= intent.at - skewMs;
    if (!known || !sameValues(order, entry)) continue;
    if ((await threads.placeOf(entry.conversation_context_id)) === undefined) matches.push(entry);
  }
  return matches.length === 1 ? matches[0] : undefined;
}

/** The run's message, with its Markdown, sources and cost. Undefined where the key may not read it, or there is none. */
async function answerIn(
  { conversationId, result }: Ran,
  { workspace }: Conversing,
  signal: AbortSignal,
): Promise<Message | undefined> {
  if (conversationId <= 0) return undefined;
  try {
    const { items } = await workspace.conversations.messages(conversationId, { size: 50, signal });
    return items.find(({ isUser, type }) => !isUser && type !== "sub_conversation");
  } catch (thrown) {
    // What the run itself said is still there to be shown.
    if (result !== null && thrown instanceof WorkspaceFault && thrown.kind !== "unauthorized") return undefined;
    throw thrown;
  }
}

async function textOf(result: PromptRun | null): Promise<string> {
  if (result === null) return "";
  if (result.raw_text !== null && result.raw_text !== "") return result.raw_text;
  const { markdownOf } = await import("../prompts/html.ts");
  return markdownOf(result.result);
}

/** From now on the place has the run's conversation. */
async function bind(
  { place }: InboundMessage,
  conversationId: number,
  answer: Message | undefined,
  { threads, clock, account }: Conversing,
): Promise<void> {
  if (conversationId <= 0) return;
  await threads.set(place, { conversationId, newest: answer?.ID ?? 0, startedAt: clock.now(), account });
}
