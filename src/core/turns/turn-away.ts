/** Tells somebody for whom nothing is done why not. Many who are refused hold up nobody else, however slowly they can be told. */
import type { Clock } from "../../clock.ts";
import { WriteFault } from "../../errors.ts";
import { failedDocument } from "../document.ts";
import type { Inbound } from "../inbound.ts";
import { Later } from "../next-owner.ts";
import type { Refusal } from "../refusal.ts";
import { longestHoldMs } from "../relay/pacer.ts";
import type { TurnRun } from "./run.ts";
import { refused, withdraw, type Ending } from "./settle.ts";

/** Before a further try, in ms; doubled at each, up to the longest. */
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
/** What came in so long ago, in ms, is tried no more: its person is told nothing. */
const givenUpMs = 15 * 60_000;

/**
 * Takes away whatever sign the turn had, and tells its author alone. Throws `Later` where their platform does not take it yet, as
 * nothing was done for the turn that would be done twice; and a `WriteFault` of what is gone where they can no longer be told.
 */
export async function turnAway(run: TurnRun, { place, author }: Inbound, { text }: Refusal, clock: Clock): Promise<Ending> {
  const { turn, platform, lease } = run;
  await withdraw(run.relay());
  try {
    await platform.whisper(place, author, failedDocument(text), lease.permit());
  } catch (thrown) {
    if (!(thrown instanceof WriteFault) || thrown.outcome === "gone") throw thrown;
    const wait = Math.min(firstWaitMs * 2 ** (turn.fence - 1), longestWaitMs);
    const waitMs = Math.max(wait, Math.min(thrown.retryAfterMs, longestHoldMs));
    if (clock.now() + waitMs > turn.createdAt + givenUpMs)
      throw new WriteFault("gone", `somebody could not be told for 15 minutes: ${thrown.message}`, { cause: thrown });
    throw new Later(waitMs, thrown.message);
  }
  return refused;
}
