/** How a turn's reply comes to its end on the platform. */
import type { Clock } from "../../clock.ts";
import { WriteFault } from "../../errors.ts";
import { failedDocument } from "../document.ts";
import type { Forgotten } from "../forgetting.ts";
import { LeaseLost, ReplyNotShown } from "../next-owner.ts";
import type { Relay } from "../relay/relay.ts";
import type { TurnRun } from "./run.ts";
import { emptyReply } from "./show.ts";
import type { Leaves, Outcome } from "./store.ts";

/** How a turn ended, and whether its text is kept for Retry. */
export interface Ending {
  readonly outcome: Outcome;
  readonly keepText: boolean;
  /** The workspace's reference of the request that failed, for the audit log. */
  readonly correlation?: string | undefined;
  /** What was done, where the inbound itself does not say it, for the audit log. */
  readonly kind?: string;
  /** What the workspace has taken for it, as far as it says so. */
  readonly credits?: string | undefined;
  /** Nothing of the turn is kept, or only its key; without it, its ids are. */
  readonly leaves?: Leaves;
  /** Its asker was forgotten, and is written down as this. */
  readonly forgotten?: Forgotten;
}

/** The usual endings of what nobody tries again. */
export const done: Ending = { outcome: "done", keepText: false };
export const refused: Ending = { outcome: "refused", keepText: false };

/** A reply that no platform has taken for this long, in ms, is given up. */
export const undeliverableMs = 6 * 60 * 60_000;

const notShown =
  "An answer for you could not be shown to its end: its message or thread is gone or archived, or Parley may no longer write there.";

/**
 * Waits until the reply's final state is acknowledged. A message that is gone ends the turn, and `words` tell its asker so.
 * Throws when the turn is another's, or the platform took nothing for now: it is then tried again.
 */
export async function settled(run: TurnRun, clock: Clock, ending: Ending, words = notShown): Promise<Ending> {
  const end = await run.relay().settled();
  run.lease.over.throwIfAborted();
  if (end.kind === "delivered") return ending;
  if (end.kind === "lost") throw new LeaseLost(end.reason);
  const old = clock.now() - run.turn.createdAt > undeliverableMs;
  if (end.kind !== "gone" && !old) throw new ReplyNotShown(`the reply could not be shown to its end: ${end.reason}`);
  run.log.warn({ turn: run.turn.key, reason: end.reason }, "the reply can no longer be shown");
  if (end.kind === "gone") await tellAsker(run, words);
  return { outcome: "gone", keepText: false, credits: ending.credits };
}

/** Where the asker can be told without the place, they are. */
async function tellAsker({ turn, whisper, log }: TurnRun, words: string): Promise<void> {
  try {
    await whisper(turn.inbound, failedDocument(words));
  } catch (thrown) {
    if (!(thrown instanceof WriteFault)) throw thrown;
    log.info({ turn: turn.key, reason: thrown.message }, "the asker could not be told");
  }
}

/** Takes away whatever was posted for a turn, also what is being posted just now. */
export async function withdraw(relay: Relay): Promise<void> {
  relay.show({ ...emptyReply, state: "done" });
  await relay.settled();
}
