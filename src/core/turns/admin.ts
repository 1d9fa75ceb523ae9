/** An operator's buttons: a turn that failed or is stuck is tried again, or dropped. */
import type { Clock } from "../../clock.ts";
import type { Audit } from "../audit.ts";
import { emptyDocument, paragraph } from "../document.ts";
import type { Forgetting } from "../forgetting.ts";
import type { Inbound, InboundAction } from "../inbound.ts";
import type { Oversight } from "../oversight.ts";
import type { TurnRun } from "./run.ts";
import { done, type Ending } from "./settle.ts";
import type { TurnStore } from "./store.ts";

export const adminActions = ["admin_retry", "admin_drop"] as const;
export type AdminAction = (typeof adminActions)[number];

export interface Administration {
  readonly store: TurnStore;
  readonly oversight: Oversight;
  readonly forgetting: Forgetting;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly enqueue: (inbound: Inbound) => Promise<unknown>;
  /** Ends a turn that waits or runs. */
  readonly end: (run: TurnRun, key: string) => Promise<unknown>;
}

const gone = "That turn is no longer there: somebody was faster, or its text is older than 24 hours.";

/** Whoever pressed is an operator. What they did is written down beside the turn that it was done to. */
export async function administer(
  run: TurnRun,
  action: InboundAction,
  what: AdminAction,
  context: Administration,
): Promise<Ending> {
  const words = what === "admin_retry" ? await tryAgain(action, context) : await drop(run, action, context);
  const { place, author } = action;
  const document = { ...emptyDocument, blocks: [paragraph(words ?? gone)] };
  await run.whisper({ place, author }, document);
  await context.audit.record({
    person: author.id,
    place,
    direct: action.direct === true,
    kind: what.replace("_", " "),
    account: null,
    outcome: words === null ? "gone" : "done",
    turn: action.turn,
    correlation: null,
  });
  return done;
}

/** A failed turn is tried again in its asker's name, with their account and in its own message; one that waits for its next try has it now. */
async function tryAgain(action: InboundAction, { store, oversight, enqueue, clock }: Administration): Promise<string | null> {
  if (await oversight.hasten(action.turn, clock.now())) return "It is tried again now.";
  const failed = await store.find(action.turn);
  if (failed === undefined) return null;
  if (failed.closedAt === null) return "It is running just now.";
  const { place, author, at, direct } = failed.inbound;
  const around = { place, author, at, ...(direct === undefined ? {} : { direct }) };
  await enqueue({ kind: "action", key: `${action.turn}/admin:${action.key}`, ...around, action: "retry", turn: action.turn });
  return "It is tried again, in its own message.";
}

async function drop(run: TurnRun, action: InboundAction, { store, forgetting, end }: Administration): Promise<string | null> {
  const turn = await store.find(action.turn);
  if (turn === undefined) return null;
  if (turn.closedAt === null) await end(run, action.turn);
  else await forgetting.strip(action.turn);
  return turn.closedAt === null ? "It is ended." : "Its text is deleted, and it cannot be tried again.";
}
