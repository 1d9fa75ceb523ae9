/** What only its asker was shown, because it is of their own account, and what they may post where they asked. */
import type { Clock } from "../../clock.ts";
import type { Action, Footnote } from "../document.ts";
import type { Inbound, InboundAction } from "../inbound.ts";
import type { Place } from "../place.ts";
import { refuse } from "./notices.ts";
import { privately, shareName } from "./privately.ts";
import { permittedWrites } from "./permitted.ts";
import type { TurnRun } from "./run.ts";
import { done, settled, type Ending } from "./settle.ts";
import { emptyReply } from "./show.ts";

export interface Share {
  /** Whom it was shown to. */
  readonly person: string;
  readonly place: Place;
  /** Markdown. */
  readonly words: string;
  /** What an answer names as its sources, and its quiet last line. */
  readonly footnotes?: readonly Footnote[];
  readonly footer?: string | null;
  /** The turn that posts it: no second one does. */
  readonly by?: string;
}

/** By the key of the turn that showed it; what it keeps is to be sealed, and ends by itself. */
export interface Shares {
  get(key: string): Promise<Share | undefined>;
  set(key: string, share: Share, ttlMs: number): Promise<unknown>;
}

export interface Sharing {
  readonly shares: Shares;
  readonly enqueue: (inbound: Inbound) => Promise<unknown>;
  readonly clock: Clock;
}

/** How long something can be shared, in ms. */
export const shareKeptMs = 24 * 60 * 60_000;

/** Shows its person once more what they alone may see. */
export const revealName = "reveal";
export const revealAction = (turn: string): Action => ({ action: revealName, label: "Show me", turn });

const tooLate = "This can no longer be shared here: it was shared already, or shown elsewhere, or more than a day ago.";
const notYours = "Only the person whose account this answer draws on is shown it, and for a day.";

const isIn = (place: Place, other: Place): boolean =>
  place.platform === other.platform && place.tenant === other.tenant && place.channel === other.channel;

/** Posts it where it was asked for, and nowhere else. */
export async function share(run: TurnRun, action: InboundAction, { shares, enqueue, clock }: Sharing): Promise<Ending> {
  const { key, place, author, at } = action;
  const kept = await shares.get(action.turn);
  const theirs = kept?.place.platform === place.platform && kept.person === author.id;
  if (kept === undefined || !theirs) return refuse(run, action, tooLate);
  if (action.direct === true && !isIn(kept.place, place)) {
    // It could only be shown to them in their direct messages: it belongs where they asked all the same.
    await enqueue({ kind: "action", key: `${key}/share`, place: kept.place, author, at, action: shareName, turn: action.turn });
    return done;
  }
  if (!isIn(kept.place, place) || (kept.by ?? run.turn.key) !== run.turn.key) return refuse(run, action, tooLate);
  await permittedWrites(shares, run.lease, ["set"]).set(action.turn, { ...kept, by: run.turn.key }, shareKeptMs);
  const { words, footnotes = [], footer } = kept;
  const by = `shared by ${author.name}`;
  run.relay().show({
    ...emptyReply,
    state: "done",
    text: words,
    footnotes,
    footer: footer === undefined || footer === null ? by : `${footer} · ${by}`,
  });
  return settled(run, clock, done);
}

/** Shows it to its person again, and to nobody else. */
export async function reveal(run: TurnRun, action: InboundAction, { shares }: Sharing): Promise<Ending> {
  const { place, author } = action;
  const kept = await shares.get(action.turn);
  if (kept === undefined || kept.person !== author.id || !isIn(kept.place, place)) return refuse(run, action, notYours);
  for (const document of privately(run.platform.limits, kept, action.turn)) await run.whisper({ place, author }, document);
  return done;
}
