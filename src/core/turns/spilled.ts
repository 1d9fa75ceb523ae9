/** Warns somebody who wrote a workspace key where others, or a model, would read it. */
import { WriteFault } from "../../errors.ts";
import type { Inbound } from "../inbound.ts";
import { refuse } from "./notices.ts";
import { withdraw, type Ending } from "./settle.ts";
import type { TurnRun } from "./run.ts";

const kept = "What you wrote holds a workspace key. Parley has not sent it on and has not kept the key";
const advice = "Whoever has the key acts as you: if others may have seen it, make a new one. To give Parley a key, use /link.";

/** Takes the message away where the platform lets Parley; else its author is asked to. */
export async function warnOfKey(run: TurnRun, inbound: Inbound): Promise<Ending> {
  await withdraw(run.relay());
  const gone = inbound.kind === "message" && (await removed(run, inbound.place, inbound.message));
  const notice = gone ? `${kept}, and has deleted the message. ${advice}` : `${kept}. Please delete the message. ${advice}`;
  return refuse(run, inbound, notice);
}

async function removed({ platform, lease, log, turn }: TurnRun, place: Inbound["place"], id: string): Promise<boolean> {
  try {
    await platform.remove({ place, id }, lease.permit());
    return true;
  } catch (thrown) {
    if (!(thrown instanceof WriteFault)) throw thrown;
    log.info({ turn: turn.key, reason: thrown.message }, "a message with a key could not be deleted");
    return false;
  }
}
