/** What is done about a turn, by what came in. */
import { Fault } from "../../errors.ts";
import { refuseAccess, type AccessRules } from "../access.ts";
import { answersLimit, tooMuch } from "../busy.ts";
import type { Clock } from "../../clock.ts";
import type { ButtonBook } from "../command-buttons.ts";
import { createGate } from "../gate.ts";
import type { Inbound, InboundAction, InboundCommand, InboundNotice, InboundSubmission } from "../inbound.ts";
import { tooMuchLane } from "../lane-of.ts";
import type { Parked } from "../parked.ts";
import { cutKeys } from "../spilled-keys.ts";
import type { Answer } from "./answer.ts";
import { runCommand } from "./command.ts";
import { change } from "./control.ts";
import { asksToBeForgotten, purgeTenant, takeBack, type Forget } from "./forget.ts";
import type { LinkNeeded } from "./link-needed.ts";
import type { Makings } from "./makings.ts";
import { greet } from "./notices.ts";
import type { Commanding } from "./result.ts";
import type { TurnRun } from "./run.ts";
import type { Ending } from "./settle.ts";
import { busyReply, stopAction } from "./show.ts";
import { warnOfKey } from "./spilled.ts";
import type { TurnStore } from "./store.ts";
import { runSubmission, type Submitting } from "./submission.ts";
import { turnAway } from "./turn-away.ts";

export interface HandlingOptions extends Pick<Submitting, "forms" | "purposeOf"> {
  readonly store: TurnStore;
  readonly access: (platform: string) => AccessRules;
  readonly parked: Parked;
  readonly buttons: Pick<ButtonBook, "pressed">;
  readonly answer: Answer;
  readonly act: (run: TurnRun, action: InboundAction) => Promise<Ending>;
  readonly commanding: (run: TurnRun, inbound: InboundCommand | InboundSubmission) => Commanding;
  readonly makings: Makings;
  readonly linkNeeded: LinkNeeded;
  readonly forget: Forget;
  readonly clock: Clock;
}

export function createHandle(options: HandlingOptions): (run: TurnRun) => Promise<Ending> {
  const { store, parked, forget, clock } = options;
  const gate = createGate(answersLimit, clock);

  /** Answers when there is room; until then the asker sees what number they are. */
  const inTurn = async (run: TurnRun, answering: () => Promise<Ending>): Promise<Ending> => {
    const { lease, turn } = run;
    const leave = await gate.enter(lease.over, lease.stop, (number) =>
      run.relay().show(busyReply(number, [stopAction(turn.key)])),
    );
    try {
      return await answering();
    } finally {
      leave();
    }
  };
  /** Something that happened to Parley itself. */
  const notice = (run: TurnRun, happened: InboundNotice): Promise<Ending> =>
    happened.notice === "joined" ? greet(run, clock) : purgeTenant(run, happened, forget);

  const byKind = (run: TurnRun, inbound: Inbound): Promise<Ending> => {
    switch (inbound.kind) {
      case "message":
        return inTurn(run, () => options.answer(run, inbound, run.turn.key));
      case "command":
        return runCommand(run, inbound, options.commanding(run, inbound));
      case "submission": {
        const { forms, purposeOf } = options;
        return runSubmission(run, inbound, { ...options.commanding(run, inbound), forms, purposeOf });
      }
      case "action":
        return options.act(run, inbound);
      case "edit":
      case "delete":
      case "notice":
        throw new Fault("completed_otherwise", `a platform completed a turn to one of the kind ${inbound.kind}`);
    }
  };

  return async (run) => {
    const received = run.turn.inbound;
    if (received.kind === "edit" && received.spilled !== true) return change(store, parked, received);
    if (received.kind === "delete") {
      await parked.remove(received.target);
      return takeBack(run, received, forget);
    }
    if (received.kind === "notice") return notice(run, received);
    if (run.turn.lane.startsWith(tooMuchLane)) return turnAway(run, received, tooMuch, clock);
    // Earlier messages of the thread, which come with it, may hold keys, too.
    const completed = await run.platform.complete(received, run.lease.over);
    const inbound = completed.kind === "message" ? cutKeys(completed) : completed;
    const refused = (await asksToBeForgotten(inbound, options.buttons))
      ? null
      : await refuseAccess(inbound, options.access(inbound.place.platform));
    if (refused !== null) return turnAway(run, inbound, refused.refusal, clock);
    if (inbound.spilled === true) return warnOfKey(run, inbound);
    if (run.progress().parked === true) return options.linkNeeded.resume(run, inbound);
    return options.makings.resume(run, inbound) ?? byKind(run, inbound);
  };
}
