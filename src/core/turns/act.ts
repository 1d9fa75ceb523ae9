/** What a pressed button does. */
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { kindOf } from "../audit.ts";
import { isCommandButton, tooOld, type ButtonBook } from "../command-buttons.ts";
import type { InboundAction, InboundCommand } from "../inbound.ts";
import { makeName } from "../media/creations.ts";
import { refusal, type Refusal } from "../refusal.ts";
import type { CoreMetrics } from "../metrics.ts";
import { sharedId } from "../accounts.ts";
import { chooseAccount, type Choosing } from "./account.ts";
import { adminActions, administer, type Administration } from "./admin.ts";
import type { Answer } from "./answer.ts";
import type { Cancelling } from "./cancelling.ts";
import { runCommand } from "./command.ts";
import { rate, retryOf, verdictOf } from "./control.ts";
import { givenUpAction, type LinkNeeded } from "./link-needed.ts";
import type { Makings } from "./makings.ts";
import { deny } from "./notices.ts";
import { shareName } from "./privately.ts";
import type { Commanding } from "./result.ts";
import type { TurnRun } from "./run.ts";
import { done, type Ending } from "./settle.ts";
import { reveal, revealName, share, type Sharing } from "./share.ts";
import { carryName } from "./show-made.ts";
import type { StoredTurn, TurnStore } from "./store.ts";

export interface ActingOptions {
  readonly store: TurnStore;
  readonly answer: Answer;
  readonly commanding: (run: TurnRun, command: InboundCommand) => Commanding;
  readonly choosing: (action: InboundAction) => Choosing;
  readonly buttons: ButtonBook;
  readonly shares: Sharing["shares"];
  readonly enqueue: Sharing["enqueue"];
  readonly makings: Makings;
  readonly linkNeeded: LinkNeeded;
  readonly cancelling: Cancelling;
  readonly administration: Administration;
  readonly isCommand: (name: string) => boolean;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
  readonly log: Log;
}

const notYours = refusal(
  "others_conversation",
  "This was asked with a colleague's own account, so only they try it again. Ask for yourself in a new thread.",
).refusal;

export function createAct(options: ActingOptions): (run: TurnRun, action: InboundAction) => Promise<Ending> {
  const { store, makings, linkNeeded, clock, metrics } = options;

  /** What was asked with a person's own key is asked again by them, and by whoever may go on in their conversation. */
  const mayRetry = async (action: InboundAction, failed: StoredTurn | undefined): Promise<Refusal | null> => {
    const account = failed?.progress.account;
    const own = account !== undefined && account.as !== "team" && account.id !== sharedId;
    if (!own || failed?.inbound.author.id === action.author.id) return null;
    const may = await chooseAccount(action, "send", options.choosing(action));
    return !("refusal" in may) && may.account.id === account.id ? null : notYours;
  };
  const press = async (run: TurnRun, action: InboundAction): Promise<Ending> => {
    const command = await options.buttons.pressed(action);
    if (command === undefined) return deny(run, action, tooOld);
    return { ...(await runCommand(run, command, options.commanding(run, command))), kind: `button /${command.name}` };
  };
  return async (run, action) => {
    if (action.action === "stop") return options.cancelling.end(run, action.turn);
    if (action.action === shareName) return share(run, action, options);
    if (action.action === revealName) return reveal(run, action, options);
    if (isCommandButton(action.action)) return press(run, action);
    if (action.action === givenUpAction) return linkNeeded.tellGivenUp(run, action);
    if (action.action === makeName) return makings.press(run, action);
    if (action.action === carryName) return makings.carry(run, action);
    const administers = adminActions.find((known) => known === action.action);
    if (administers !== undefined) {
      const may = await chooseAccount(action, "admin", options.choosing(action));
      return "refusal" in may ? deny(run, action, may.refusal) : administer(run, action, administers, options.administration);
    }
    const verdict = verdictOf(action.action);
    if (verdict !== undefined) return rate(run, action, verdict, { store, clock, metrics });
    if (action.action === "retry") {
      const no = await mayRetry(action, await store.find(action.turn));
      if (no !== null) return deny(run, action, no);
    }
    const words = action.action === "retry" ? await retryOf(run, store, action.turn) : undefined;
    if (words !== undefined) {
      const message = await run.platform.complete(words, run.lease.over);
      if (message.kind === "message") return options.answer(run, message, run.turn.key);
    }
    const kind = kindOf(action, options.isCommand);
    options.log.info({ turn: run.turn.key, kind }, "an action that means nothing any more was ignored");
    return done;
  };
}
