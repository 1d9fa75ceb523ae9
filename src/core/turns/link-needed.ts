/** What needs its asker's own account, and they have none: they are asked for one in private, and it waits for that. */
import type { Clock } from "../../clock.ts";
import type { Accounts } from "../accounts.ts";
import { linkForm } from "../commands/link-form.ts";
import { failedDocument } from "../document.ts";
import type { FormDraft } from "../forms.ts";
import type { Inbound, InboundAction } from "../inbound.ts";
import { holderOf } from "../links.ts";
import { linkedKey, type Parked } from "../parked.ts";
import { refusal, type Refusal } from "../refusal.ts";
import { needsLink } from "./account.ts";
import { deny, refuse } from "./notices.ts";
import type { TurnRun } from "./run.ts";
import { done, refused, withdraw, type Ending } from "./settle.ts";
import { formAction } from "./show.ts";

/** How long something waits for a link, in ms; after that its asker is told that it was given up. */
const parkedMs = 60 * 60_000;

export interface LinkNeeding {
  readonly accounts: Accounts;
  readonly parked: Parked;
  /** Makes a form that the asker may open. @returns its id */
  readonly offer: (draft: FormDraft, asked: Inbound) => Promise<string>;
  readonly enqueue: (inbound: Inbound) => Promise<unknown>;
  readonly clock: Clock;
}

export interface LinkNeeded {
  /** Tells the asker alone why not; what needs a link waits for one. */
  deny(run: TurnRun, inbound: Inbound, why: Refusal): Promise<Ending>;
  /** Ends a turn that a former owner has asked for an account, and not closed: by now it may have gone on by itself. */
  resume(run: TurnRun, inbound: Inbound): Promise<Ending>;
  /** The workspace did not accept the key that the turn acts with. Null where that is the team's. */
  keyRefused(run: TurnRun, inbound: Inbound): Promise<Ending | null>;
  /** Gives up what has waited for too long. */
  giveUp(): Promise<void>;
  /** Tells somebody that what they asked was given up. */
  tellGivenUp(run: TurnRun, action: InboundAction): Promise<Ending>;
}

/** The button of what was given up; nobody presses it, Parley sends it to itself. */
export const givenUpAction = "link_expired";

export function createLinkNeeded({ accounts, parked, offer, enqueue, clock }: LinkNeeding): LinkNeeded {
  const ask = async (run: TurnRun, inbound: Inbound, why: string): Promise<Ending> => {
    await withdraw(run.relay());
    const button = formAction("Link your account", run.turn.key, await offer(linkForm(), inbound));
    return refuse(run, inbound, why, [button]);
  };
  const wait = async (run: TurnRun, inbound: Inbound, why: string): Promise<Ending> => {
    // Noted before: once it is parked, another turn may go on with it, and this one never does.
    await run.save({ parked: true });
    // The turn as it came: it is completed anew when it goes on.
    await parked.put(holderOf(inbound), run.turn.inbound, clock.now() + parkedMs);
    return ask(run, inbound, why);
  };
  return {
    deny: (run, inbound, why) =>
      // What has been sent is not sent again.
      why.code === "link_needed" && run.progress().sent === undefined ? wait(run, inbound, why.text) : deny(run, inbound, why),
    async resume(run, inbound) {
      if (run.lease.stop.aborted) return refused;
      const { inbound: asked, key } = run.turn;
      if ((await parked.find(key)) !== undefined) return ask(run, inbound, needsLink);
      // It was let go on, and is known; or the former owner never came to park it.
      await withdraw(run.relay());
      await enqueue({ ...asked, key: linkedKey(key) });
      return refused;
    },
    async keyRefused(run, inbound) {
      const { account, sent } = run.progress();
      const linked = account === undefined ? undefined : await accounts.byId(account.id);
      if (account === undefined || linked?.kind === "shared") return null;
      if (linked !== undefined) await accounts.refused(linked);
      if (account.as === "thread") {
        const why = "The account that began this conversation is no longer accepted. Ask again, and a new conversation begins.";
        return deny(run, inbound, refusal("others_conversation", why).refusal);
      }
      const why = "The workspace does not accept your key any more. Link a new one";
      if (sent === undefined) return wait(run, inbound, `${why}, and this goes on by itself.`);
      // What has been sent is not sent again.
      return deny(run, inbound, refusal("link_needed", `${why} with /link, and ask again.`).refusal);
    },
    async giveUp() {
      for (const { key, place, author, direct } of await parked.expired(clock.now())) {
        await enqueue({
          kind: "action",
          key: `${key}/given-up`,
          place,
          author,
          at: clock.now(),
          ...(direct === undefined ? {} : { direct }),
          action: givenUpAction,
          turn: key,
        });
        await parked.remove(key);
      }
    },
    async tellGivenUp(run, action) {
      const notice = "No account was linked within an hour, so what you asked was given up. Use /link, and ask again.";
      await run.whisper(action, failedDocument(notice));
      return done;
    },
  };
}
