/** What only its asker was shown, because it is of their own account, and what they may post where they asked. */
import type { Clock } from "../../clock.ts";
import { emptyDocument, type Action } from "../document.ts";
import type { InboundAction } from "../inbound.ts";
import type { Place } from "../place.ts";
import type { TurnRun } from "./run.ts";
import { settled, type Ending } from "./settle.ts";
import { emptyReply } from "./show.ts";

export interface Share {
  /** Whom it was shown to. */
  readonly person: string;
  readonly place: Place;
  /** Markdown. */
  readonly words: string;
  /** The turn that posts it: no second one does. */
  readonly by?: string;
}

/** By the key of the turn that showed it; what it keeps is to be sealed, and ends by itself. */
export interface Shares {
  get(key: string): Promise<Share | undefined>;
  set(key: string, share: Share, ttlMs: number): Promise<unknown>;
}

/** How long something can be shared, in ms. */
export const shareKeptMs = 24 * 60 * 60_000;

export const shareName = "share";
export const shareAction = (turn: string): Action => ({ action: shareName, label: "Share here", turn });

const tooLate = "This can no longer be shared here: it was shared already, or shown elsewhere, or more than a day ago.";

/** Posts it where it was asked for, and nowhere else. */
export async function share(run: TurnRun, action: InboundAction, shares: Shares, clock: Clock): Promise<Ending> {
  const { place, author } = action;
  const kept = await shares.get(action.turn);
  const here =
    kept?.place.platform === place.platform && kept.place.tenant === place.tenant && kept.place.channel === place.channel;
  if (kept === undefined || !here || kept.person !== author.id || (kept.by ?? run.turn.key) !== run.turn.key) {
    await run.whisper({ place, author }, { ...emptyDocument, state: "failed", notice: tooLate });
    return { outcome: "refused", keepText: false };
  }
  await shares.set(action.turn, { ...kept, by: run.turn.key }, shareKeptMs);
  run.relay().show({ ...emptyReply, state: "done", text: kept.words, footer: `shared by ${author.name}` });
  return settled(run, clock, { outcome: "done", keepText: false });
}
