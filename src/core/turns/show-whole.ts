/** Shows a whole answer, of a question or a saved prompt. */
import type { Message } from "../../contract/records.ts";
import type { InboundMessage } from "../inbound.ts";
import type { ReplyState } from "../relay/reply.ts";
import type { Conversing } from "./conversing.ts";
import { withMadeFiles } from "./made-files.ts";
import type { TurnRun } from "./run.ts";
import { settled, type Ending } from "./settle.ts";
import { stopAction } from "./show.ts";

/** A whole answer, as it is to be shown. */
export interface Whole {
  /** As the workspace has it; undefined where it does not show it. */
  readonly answer: Message | undefined;
  /** The words come from elsewhere, so that the answer does not tell what they draw on. */
  readonly foreign?: boolean;
  readonly reply: ReplyState;
}

/**
 * Shows it with the files that were made in it, or keeps it from the place. Resolves once that is acknowledged.
 * @param key the turn that the reply belongs to, whose buttons come back with it
 */
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
