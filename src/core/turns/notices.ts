/** Turns in which the workspace has no part: a refusal of access, and Parley's first words in a channel. */
import type { Clock } from "../../clock.ts";
import { emptyDocument } from "../document.ts";
import type { Inbound } from "../inbound.ts";
import type { Refusal } from "../refusal.ts";
import { settled, withdraw, type Ending } from "./settle.ts";
import type { TurnRun } from "./run.ts";
import { emptyReply } from "./show.ts";

/** Tells the author alone, and takes away whatever sign the turn had. */
export async function deny(run: TurnRun, inbound: Inbound, { text }: Refusal): Promise<Ending> {
  await withdraw(run.relay());
  const document = { ...emptyDocument, state: "failed", notice: text } as const;
  await run.whisper(inbound, document);
  return { outcome: "refused", keepText: false };
}

const hello =
  "Hello! Mention me with a question, and the answer forms in a thread; go on there without mentioning me again. " +
  "I read only what is addressed to me, and the thread that a mention stands in.";

/** A short hello in the channel that Parley came into. */
export function greet(run: TurnRun, clock: Clock): Promise<Ending> {
  run.relay().show({ ...emptyReply, state: "done", text: hello });
  return settled(run, clock, { outcome: "done", keepText: false });
}
