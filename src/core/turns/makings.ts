/** Everything that is made for credits, from its order to its end: begun, gone on with after a crash, and tried again. */
import { Decimal } from "decimal.js";
import { emptyDocument, paragraph, type Action } from "../document.ts";
import type { Inbound, InboundAction } from "../inbound.ts";
import { claimKey, keptMs, type Creation, type JobClaim } from "../media/creations.ts";
import { permissionFor, type MediaOrder } from "../media/order.ts";
import { placeKey, type Place } from "../place.ts";
import type { Refusal } from "../refusal.ts";
import type { Choice, Chosen } from "./account.ts";
import { onBehalfOf } from "./account.ts";
import type { ExplainTo } from "./explain-to.ts";
import { make } from "./make.ts";
import { newCreation, type Making } from "./making.ts";
import { refuse } from "./notices.ts";
import { permittedWrites } from "./permitted.ts";
import type { TurnRun } from "./run.ts";
import { done, type Ending } from "./settle.ts";
import { makeAction } from "./show-made.ts";

export interface MakingsOptions extends Omit<Making, "asked" | "account" | "onBehalf" | "keyRefused" | "explain"> {
  /** As whom something is made; kept with the turn. */
  readonly accountFor: (run: TurnRun, asked: Inbound) => Promise<Choice>;
  readonly keyRefused: (run: TurnRun, asked: Inbound) => Promise<Ending | null>;
  readonly explainTo: ExplainTo;
  readonly deny: (run: TurnRun, asked: Inbound, refusal: Refusal) => Promise<Ending>;
  /** Counts a turn against what is allowed, once. */
  readonly limit: (run: TurnRun, asked: Inbound) => Promise<{ readonly refusal: Refusal } | null>;
  /** What is known to cost more credits than this is asked for first; null: nothing is. */
  readonly askAbove: Decimal | null;
}

export interface Makings {
  /** Makes what somebody has ordered, or asks them first where it is dear. */
  start(run: TurnRun, asked: Inbound, order: MediaOrder): Promise<Ending>;
  /** Goes on with what an earlier owner of the turn has begun; undefined where there is no such thing. */
  resume(run: TurnRun, asked: Inbound): Promise<Ending> | undefined;
  /** The button of a price, or of another try. */
  press(run: TurnRun, action: InboundAction): Promise<Ending>;
  /** Keeps a picture for the next message of the place. */
  carry(run: TurnRun, action: InboundAction): Promise<Ending>;
}

const tooLate = "This can no longer be gone on with: it was tried again already, or is more than a day old. Ask for it anew.";
const notTheirs = "Only the one who asked for this can say yes to its price.";

const samePlace = (a: Place, b: Place): boolean =>
  a.platform === b.platform &&
  a.tenant === b.tenant &&
  (a.channel === b.channel || a.channel === b.thread || b.channel === a.thread);

export function createMakings(options: MakingsOptions): Makings {
  const { creations, askAbove } = options;

  /** What is kept is written by the turn's owner alone: one that wakes too late would take back what another has noted. */
  const keeping = ({ lease }: TurnRun) => ({
    orders: permittedWrites(creations.orders, lease, ["set"]),
    jobs: permittedWrites(creations.jobs, lease, ["set"]),
    carried: permittedWrites(creations.carried, lease, ["set"]),
  });
  const tell = async (run: TurnRun, asked: Inbound, words: string, actions: readonly Action[] = []): Promise<Ending> => {
    await run.whisper(asked, { ...emptyDocument, blocks: [paragraph(words)], actions });
    return done;
  };
  const makeAs = (run: TurnRun, asked: Inbound, chosen: Chosen, creation: Creation): Promise<Ending> =>
    make(run, creation, {
      ...options,
      asked: creation,
      account: chosen.account,
      onBehalf: onBehalfOf(chosen),
      keyRefused: () => options.keyRefused(run, asked),
      explain: (thrown) => options.explainTo(run, asked, thrown, { needed: permissionFor(creation.order.recipe) }),
    });
  const goOn = async (run: TurnRun, asked: Inbound, creation: Creation): Promise<Ending> => {
    const chosen = await options.accountFor(run, asked);
    return "refusal" in chosen ? options.deny(run, asked, chosen.refusal) : makeAs(run, asked, chosen, creation);
  };

  /** Whose the failed job of an order is: the turn that had it last, also where it was tried again from the list of jobs. */
  const claimOf = async ({ order: { recipe }, left }: Creation): Promise<{ key: string; claim: JobClaim } | undefined> => {
    const { media, account } = left ?? {};
    if (recipe.by !== "job" || media?.job === undefined || account === undefined) return undefined;
    const key = claimKey(account.id, recipe.kind, media.job);
    const claim = await creations.jobs.get(key);
    return claim === undefined ? undefined : { key, claim };
  };

  const resume = async (run: TurnRun, asked: Inbound): Promise<Ending> => {
    const creation = await creations.orders.get(run.turn.key);
    return creation === undefined ? refuse(run, asked, tooLate) : goOn(run, asked, creation);
  };

  return {
    async start(run, asked, order) {
      const limited = await options.limit(run, asked);
      if (limited !== null) return options.deny(run, asked, limited.refusal);
      const creation = newCreation(run.turn.key, asked, order);
      const { price, what } = order;
      if (price === null || askAbove === null || new Decimal(price).lte(askAbove)) return goOn(run, asked, creation);
      await keeping(run).orders.set(run.turn.key, { ...creation, asks: true }, keptMs);
      const notice = `This would be ${what} for ${price} credits. Parley asks before it spends more than ${askAbove.toFixed()}.`;
      return tell(run, asked, notice, [makeAction(`Make it for ${price} credits`, run.turn.key)]);
    },

    resume(run, asked) {
      const { ordered, media } = run.progress();
      return ordered === true || media !== undefined ? resume(run, asked) : undefined;
    },

    async press(run, action) {
      const { key } = run.turn;
      const { orders, jobs } = keeping(run);
      const kept = await orders.get(action.turn);
      const mine = kept !== undefined && (kept.by ?? key) === key && (kept.asks === true || kept.left !== undefined);
      if (!mine || !samePlace(kept.place, action.place)) return refuse(run, action, tooLate);
      const { asks, left, by: _by, ...creation } = kept;
      if (asks === true && kept.author.id !== action.author.id) return refuse(run, action, notTheirs);
      const claimed = await claimOf(kept);
      if (claimed !== undefined && ![action.turn, key].includes(claimed.claim.turn)) return refuse(run, action, tooLate);
      const limited = await options.limit(run, action);
      if (limited !== null) return options.deny(run, action, limited.refusal);
      await orders.set(action.turn, { ...kept, by: key }, keptMs);
      if (claimed !== undefined) await jobs.set(claimed.key, { ...claimed.claim, turn: key }, keptMs);
      // What was asked at a price becomes a message of this turn; what failed goes on in its own.
      const next: Creation = asks === true ? { ...creation, origin: key } : creation;
      if (left !== undefined && run.progress().origin === undefined) {
        const { media, ...around } = left;
        await orders.set(key, next, keptMs);
        // A job goes on; what has none is begun anew, as this press asks for it.
        const goesOn = media?.job === undefined ? {} : { media: { ...media, at: options.clock.now(), again: "wanted" as const } };
        await run.save({ ...around, origin: creation.origin, ...goesOn });
      }
      return goOn(run, action, next);
    },

    async carry(run, action) {
      const kept = await creations.orders.get(action.turn);
      if (kept?.result === undefined)
        return refuse(run, action, "This picture can no longer be taken along: it is more than a day old.");
      const { id, name, account } = kept.result;
      const place = kept.shownAt ?? action.place;
      const inThread = place.thread !== null && action.place.thread === null;
      await keeping(run).carried.set(placeKey(place), { id, name, account }, keptMs);
      return tell(run, action, `The next message ${inThread ? "in its thread" : "here"} takes this picture along.`);
    },
  };
}
