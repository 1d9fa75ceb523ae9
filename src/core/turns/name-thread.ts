/** Gives a thread the name of the conversation that was begun in it, once that has one. */
import type { Clock } from "../../clock.ts";
import { Fault, reasonOf } from "../../errors.ts";
import type { ThreadNames } from "../thread-names.ts";
import type { Workspace } from "../workspace.ts";
import type { TurnRun } from "./run.ts";

/** The next message of the thread waits meanwhile, so it is not for long, in ms. */
const patienceMs = 3_000;
/** The conversation has just been begun: it is among the newest. */
const newest = 20;

/** Never throws: an answer that is there is worth more than a name. */
export async function nameThread(
  run: TurnRun,
  { names, workspace, clock }: { readonly names: ThreadNames | undefined; readonly workspace: Workspace; readonly clock: Clock },
): Promise<void> {
  const { intent, sent } = run.progress();
  const { place, direct } = run.turn.inbound;
  const begun = intent?.conversationId === null && sent !== undefined;
  if (names === undefined || !begun || place.thread === null || direct === true) return;
  const late = new AbortController();
  const cancel = clock.after(patienceMs, () => late.abort(new Fault("name_late", "no name before the deadline")));
  const signal = AbortSignal.any([run.lease.over, late.signal]);
  try {
    const { items } = await workspace.conversations.list({ signal, page: 1, size: newest });
    const name = items.find(({ ID }) => ID === sent.conversationId)?.name?.trim() ?? "";
    if (name !== "") await names.rename(place, name, signal);
  } catch (thrown) {
    run.log.info({ turn: run.turn.key, reason: reasonOf(thrown) }, "a thread keeps its first name");
  } finally {
    cancel();
  }
}
