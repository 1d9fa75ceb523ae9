/** What a question and a saved prompt have alike: how the whole answer is shown, and what becomes of what goes wrong on the way. */
import type { Message } from "../../contract/records.ts";
import { Fault, WorkspaceFault } from "../../errors.ts";
import type { InboundMessage } from "../inbound.ts";
import { isForNextOwner } from "../next-owner.ts";
import type { Conversing } from "./conversing.ts";
import { passing, uncertain } from "./explain.ts";
import { withMadeFiles } from "./made-files.ts";
import type { ReplyState } from "../relay/reply.ts";
import type { TurnRun } from "./run.ts";
import { settled, type Ending } from "./settle.ts";
import { retryAction, stopAction } from "./show.ts";
import { stopped } from "./stopping.ts";

/** What may be over in a moment has the turn begun again so often, over about a minute, before it ends with saying so. */
const leastTries = 7;
/** What has been tried for so long by itself already, in ms, is not begun again: a send tries for about a minute. */
const patienceMs = 30_000;

/** A store that is away, a workspace that cannot be reached: what has been sent is known, or looked for, at the next try. */
const mayPass = (thrown: unknown): boolean => !(thrown instanceof Fault) || passing(thrown) || uncertain(thrown);

/** What there is of an answer, kept for when it is stopped or breaks off. */
export interface Growing {
  text: string;
}

/**
 * Does `work`, and shows what ends it before its time: Stop, a key that is refused, a failure.
 * Throws what another owner or another try is to go on with: a lease that was lost, a reply that nobody takes, what may pass.
 * @param key the turn that the reply belongs to, whose buttons come back with it
 * @param what is said in the log of a failure
 */
export async function answering(
  run: TurnRun,
  key: string,
  context: Conversing,
  what: string,
  work: (signal: AbortSignal, growing: Growing) => Promise<Ending>,
): Promise<Ending> {
  const { lease } = run;
  const { showing, clock } = context;
  const begunAt = clock.now();
  const growing: Growing = { text: "" };
  try {
    return await work(AbortSignal.any([lease.over, lease.stop]), growing);
  } catch (thrown) {
    lease.over.throwIfAborted();
    if (isForNextOwner(thrown)) throw thrown;
    if (lease.stop.aborted) return stopped(run, context, await showing.stopped(growing.text));
    if (thrown instanceof WorkspaceFault) context.metrics.workspaceError(thrown.kind);
    if (mayPass(thrown) && run.turn.fence < leastTries && clock.now() - begunAt < patienceMs) throw thrown;
    if (thrown instanceof WorkspaceFault && thrown.kind === "unauthorized") {
      const ending = await context.keyRefused();
      if (ending !== null) return ending;
    }
    run.log.error({ err: thrown, turn: run.turn.key }, what);
    await showing.failed(growing.text, await context.explain(thrown), [retryAction(key)]);
    const correlation = thrown instanceof WorkspaceFault ? thrown.correlationId : undefined;
    return await settled(run, clock, { outcome: "failed", keepText: true, correlation });
  }
}

/** A whole answer, as it is to be shown. */
export interface Whole {
  /** As the workspace has it; undefined where it does not show it. */
  readonly answer: Message | undefined;
  /** The words come from elsewhere, so that the answer does not tell what they draw on. */
  readonly foreign?: boolean;
  readonly reply: ReplyState;
}

/** Shows a whole answer with the files that were made in it, or keeps it from the place. Resolves once that is acknowledged. */
export async function showWhole(
  run: TurnRun,
  message: InboundMessage,
  key: string,
  { answer, foreign = false, reply }: Whole,
  context: Conversing,
  signal: AbortSignal,
): Promise<Ending> {
  const { showing, clock } = context;
  const { footer } = await context.settings.effective(message.place);
  const whole = footer === false ? { ...reply, footer: null } : reply;
  const answered: Ending = { outcome: "answered", keepText: false, credits: answer?.credits_used };
  if (await showing.withholds(foreign ? undefined : answer, whole)) return settled(run, clock, answered);
  const made = answer ?? { attachments: [], parts: [] };
  const fetching = (): void =>
    showing.forming({ ...whole, state: "working", status: "Fetching the files…", footer: null, actions: [stopAction(key)] });
  const { state, release } = await withMadeFiles(run, message, made, whole, context, signal, fetching);
  try {
    run.relay().show(state);
    return await settled(run, clock, answered);
  } finally {
    release();
  }
}
