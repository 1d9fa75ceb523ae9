/** What a question and a saved prompt have alike when they end before their time: what there is of the answer is shown with it. */
import { attempt } from "./attempt.ts";
import type { Conversing } from "./conversing.ts";
import type { TurnRun } from "./run.ts";
import { settled, type Ending } from "./settle.ts";
import { retryAction } from "./show.ts";
import { stopped } from "./stopping.ts";

/** What there is of an answer, kept for when it is stopped or breaks off. */
export interface Growing {
  text: string;
}

/**
 * Does `work`; throws what `attempt` does.
 * @param key the turn that the reply belongs to, whose buttons come back with it
 * @param what is said in the log of a failure
 */
export function answering(
  run: TurnRun,
  key: string,
  context: Conversing,
  what: string,
  work: (signal: AbortSignal, growing: Growing) => Promise<Ending>,
): Promise<Ending> {
  const { showing, clock } = context;
  const growing: Growing = { text: "" };
  return attempt(run, context, {
    work: (signal) => work(signal, growing),
    stopped: async () => stopped(run, context, await showing.stopped(growing.text)),
    keyRefused: context.keyRefused,
    async failed(thrown, correlation) {
      await showing.failed(growing.text, await context.explain(thrown), [retryAction(key)]);
      return settled(run, clock, { outcome: "failed", keepText: true, correlation });
    },
    what,
  });
}
