/** Brings a message to the workspace: into its place's conversation, or a new one. */
import { WorkspaceFault } from "../../errors.ts";
import type { InboundMessage } from "../inbound.ts";
import { accountIdOf } from "../threads.ts";
import { digestOf } from "../words.ts";
import type { Conversing } from "./conversing.ts";
import { prepare } from "./prepare.ts";
import type { TurnRun } from "./run.ts";
import { send } from "./send.ts";

export type Delivered = { readonly conversationId: number; readonly after: number } | { readonly refused: string } | "unknown";

/** Prepares and sends the words, once. Throws `WorkspaceFault` when the workspace refuses them. */
export async function deliver(
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
    account: context.account,
    carried: context.carried,
    hearing: {
      workspace,
      lists,
      account: context.account,
      watch: context.watch,
      clock,
      signal,
      onStatus,
    },
    signal,
    onUpload: (name) => onStatus(`Reading “${name}”…`),
  });
  if ("refusal" in prepared) return { refused: prepared.refusal.text };

  const sendTo = (conversationId: number | null, newest: number): Promise<Delivered> => {
    if (conversationId !== null) return sendAndBind(conversationId, newest);
    // Starts with the same words go one at a time, until each is bound to its place: so a lost one can be told from its twin.
    const words = digestOf(prepared.followUp.message ?? "");
    return context.alone(`start:${context.account}:${words}`, signal, () => sendAndBind(null, newest));
  };
  const sendAndBind = async (conversationId: number | null, newest: number): Promise<Delivered> => {
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
        onStatus(
          fault.kind === "rate_limited"
            ? "The workspace is asked too often; trying again soon…"
            : "The workspace cannot be reached; trying again…",
        );
      },
    });
    return sent === "unknown" ? sent : bind(context, message, sent);
  };
  const intent = run.progress().intent;
  if (intent !== undefined) return sendTo(intent.conversationId, intent.after);
  const thread = await threads.get(message.place);
  // Another account cannot go on with the place's conversation: it begins its own.
  if (thread === undefined || accountIdOf(thread) !== context.account) return sendTo(null, 0);
  try {
    return await sendTo(thread.conversationId, thread.newest);
  } catch (thrown) {
    if (!(thrown instanceof WorkspaceFault && thrown.kind === "not_found")) throw thrown;
    run.log.warn({ err: thrown, turn: run.turn.key }, "the thread's conversation is gone; a new one is begun");
    await threads.forget(message.place);
    // The refused send left nothing behind that could be looked for.
    await run.save({ intent: undefined });
    return sendTo(null, 0);
  }
}

/** From now on the place has this conversation. */
async function bind(
  { threads, clock, account }: Conversing,
  message: InboundMessage,
  sent: { conversationId: number; after: number },
): Promise<Delivered> {
  const thread = await threads.get(message.place);
  if (thread?.conversationId !== sent.conversationId) {
    const { conversationId, after: newest } = sent;
    await threads.set(message.place, { conversationId, newest, startedAt: clock.now(), account });
  }
  return sent;
}
