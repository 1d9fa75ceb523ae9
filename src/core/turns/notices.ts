/** Words in which the workspace has no part: a no, and Parley's first ones in a channel. */
import type { Clock } from "../../clock.ts";
import { failedDocument, type Action } from "../document.ts";
import type { Inbound } from "../inbound.ts";
import type { Refusal } from "../refusal.ts";
import { done, refused, settled, withdraw, type Ending } from "./settle.ts";
import type { Listener, TurnRun } from "./run.ts";
import { emptyReply } from "./show.ts";

/** Says no to somebody alone. */
export async function refuse(run: TurnRun, to: Listener, notice: string, actions: readonly Action[] = []): Promise<Ending> {
  await run.whisper(to, failedDocument(notice, actions));
  return refused;
}

/** Says no to the author alone, and takes away whatever sign the turn had. */
export async function deny(run: TurnRun, inbound: Inbound, { text }: Refusal): Promise<Ending> {
  await withdraw(run.relay());
  return refuse(run, inbound, text);
}

const hello =
  "Hello! Mention me with a question, and the answer forms in a thread; go on there without mentioning me again. " +
  "I read only what is addressed to me, and the thread that a mention stands in.";

/** A short hello in the channel that Parley came into. */
export function greet(run: TurnRun, clock: Clock): Promise<Ending> {
  run.relay().show({ ...emptyReply, state: "done", text: hello });
  return settled(run, clock, done);
}
