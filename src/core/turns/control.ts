/** What changes other turns: an edit, a deletion, Stop, Retry, and what people think of an answer. */
import type { Clock } from "../../clock.ts";
import { emptyDocument, paragraph } from "../document.ts";
import type { InboundAction, InboundEdit, InboundMessage } from "../inbound.ts";
import type { Parked } from "../parked.ts";
import type { CoreMetrics } from "../metrics.ts";
import { done, type Ending } from "./settle.ts";
import type { Progress } from "./progress.ts";
import type { TurnRun } from "./run.ts";
import { verdicts, type StoredTurn, type TurnStore, type Verdict } from "./store.ts";

/** A message that still waits is changed; one that has begun is answered as it was. */
export async function change(store: TurnStore, parked: Parked, edit: InboundEdit): Promise<Ending> {
  const waiting = await parked.find(edit.target);
  if (waiting?.kind === "message") await parked.change({ ...waiting, runs: edit.runs });
  const target = await store.find(edit.target);
  if (target?.inbound.kind === "message") await store.replaceWaiting(edit.target, { ...target.inbound, runs: edit.runs });
  return done;
}

/** A turn that waits is cancelled and its sign taken away; one that runs is stopped. */
export async function cancel(
  store: TurnStore,
  key: string,
  now: number,
  stop: (key: string) => Promise<void>,
  withdraw: (waiting: StoredTurn) => Promise<void>,
): Promise<Ending> {
  // Read before, as a cancelled turn's text is gone.
  const waiting = await store.find(key);
  if (!(await store.cancelWaiting(key, now))) await stop(key);
  else if (waiting !== undefined) await withdraw(waiting);
  return done;
}

/** The verdict that a button stands for; undefined where it stands for something else. */
export const verdictOf = (action: string): Verdict | undefined => verdicts.find((verdict) => verdict === action);

/** Keeps the verdict with the turn, and thanks for it. */
export async function rate(
  run: TurnRun,
  action: InboundAction,
  verdict: Verdict,
  { store, clock, metrics }: { readonly store: TurnStore; readonly clock: Clock; readonly metrics: CoreMetrics },
): Promise<Ending> {
  if (!(await store.rate(action.turn, action.author.id, verdict, clock.now()))) return done;
  metrics.rated(run.platform.name, verdict);
  const thanks = { ...emptyDocument, blocks: [paragraph("Thank you, noted.")] };
  await run.whisper(action, thanks);
  return done;
}

/** What the failed turn has paid for; what could not be written down is tried again with words that are sent again. */
const paidFor = (transcripts: NonNullable<Progress["transcripts"]>, again: boolean): NonNullable<Progress["transcripts"]> =>
  Object.fromEntries(
    Object.entries(transcripts)
      .filter(([, { failed }]) => failed === undefined || failed === "lost" || !again)
      .map(([key, one]) => [key, one.cost === undefined ? one : { ...one, cost: "0" }]),
  );

/**
 * Makes `run` go on where the failed turn `key` ended: the same message of the platform, the same words.
 * @returns the message to answer; undefined when there is nothing to try again
 */
export async function retryOf(run: TurnRun, store: TurnStore, key: string): Promise<InboundMessage | undefined> {
  const failed = await store.find(key);
  if (failed === undefined || failed.closedAt === null) return undefined;
  // A retry of a retry: the words are the first turn's.
  let origin: StoredTurn | undefined = failed;
  while (origin?.inbound.kind === "action") origin = await store.find(origin.inbound.turn);
  if (origin?.inbound.kind !== "message") return undefined;
  if (run.progress().origin === undefined) {
    const { delivery, account, uploads, transcripts, contextFile, intent, sent, answer } = failed.progress;
    await run.save({
      origin: failed.progress.origin ?? key,
      delivery,
      ...(account === undefined ? {} : { account }),
      ...(uploads === undefined ? {} : { uploads }),
      ...(transcripts === undefined ? {} : { transcripts: paidFor(transcripts, sent === undefined) }),
      ...(contextFile === undefined ? {} : { contextFile }),
      // Words that never arrived are sent again; an answer that failed is run again.
      ...(sent === undefined || intent === undefined
        ? {}
        : { sent, intent, ...(answer === undefined ? {} : { answer, rerun: "wanted" }) }),
    });
  }
  return origin.inbound;
}
