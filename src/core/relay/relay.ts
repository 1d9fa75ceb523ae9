/** Turns a stream of whole replies into posts and edits: one write at a time, always with the newest text. */
import type { Cancel, Clock } from "../../clock.ts";
import { reasonOf, WriteFault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { LeaseLost } from "../next-owner.ts";
import type { Place } from "../place.ts";
import type { ChatPlatform, WriteMethod } from "../platform.ts";
import { createLayout } from "../render/layout.ts";
import { createRenderer } from "../render/renderer.ts";
import type { Pacer, Urgency, Waiting } from "./pacer.ts";
import { createPatience } from "./patience.ts";
import { methodOf, type Step } from "./plan.ts";
import { isFinal, type Delivery, type ReplyOutcome, type ReplyState, type Stray, type WriteGuard } from "./reply.ts";
import { openStanding, type Snapshot } from "./standing.ts";
import { mayBeDone } from "./unjournaled.ts";

export { emptyDelivery } from "./reply.ts";
export type { Delivery, ReplyOutcome, ReplyState, Stray, WriteGuard } from "./reply.ts";

/** What is measured of replies. Times in ms. */
export interface RelayMetrics {
  /** From the relay's opening to the first acknowledged words. */
  firstWords(ms: number): void;
  /** How old the oldest unseen text was when it was acknowledged. */
  staleness(ms: number): void;
  editSent(): void;
  /** An update that needed no write of its own, as a newer one was shown instead. */
  editSaved(): void;
  /** The platform asked for a pause of this length before the next write. */
  heldBack(ms: number): void;
  /** From the final state to its acknowledgement in full. */
  finish(ms: number): void;
}

export interface RelayOptions {
  readonly platform: Pick<ChatPlatform, "limits" | "post" | "edit" | "remove" | "attach" | "find">;
  readonly place: Place;
  /** The turn's key; page n is posted with `${key}/${n}`, with a number added once a message has been removed. */
  readonly key: string;
  /** What an earlier owner of the turn had posted. */
  readonly delivery: Delivery;
  /** True: an earlier owner may have posted what it could not journal, so the platform is asked before the first post. */
  readonly resumed: boolean;
  readonly pacer: Pacer;
  readonly guard: WriteGuard;
  /** Stores what has been posted; awaited before the next write. */
  readonly journal: (delivery: Delivery) => Promise<void>;
  /** The turn was lost with a post under way: whoever has it now may not know its message. */
  readonly onStray: (stray: Stray) => void;
  readonly clock: Clock;
  /** Between 0 and 1, for the spread of retries. */
  readonly random: () => number;
  readonly metrics: RelayMetrics;
  readonly log: Log;
}

export interface Relay {
  /** What is to be shown from now on. Never waits, never throws. */
  show(state: ReplyState): void;
  /** Resolves when the newest final state is acknowledged in full, or can no longer be. */
  settled(): Promise<ReplyOutcome>;
  /** Resolves when a message of the reply stands on the platform, or none is going to. */
  placed(): Promise<void>;
  /**
   * Ends the relay, leaving the messages as they are; a write that is under way comes to its own end first.
   * @returns false when something may have been posted that the delivery does not know
   */
  close(): Promise<boolean>;
  /** Writes the newest state again, over whatever is shown. */
  again(): void;
}

/** After a pause of this length a reply says why it comes late, in ms. */
const toldPauseMs = 30_000;

/** The reply's quiet last line, with how long the platform has kept it back. */
const lateFooter = (footer: string | null, ms: number): string => {
  const late = `shown ${ms < 90_000 ? `${Math.round(ms / 1_000)} seconds` : `${Math.round(ms / 60_000)} minutes`} late, as too much was being posted here`;
  return footer === null ? late : `${footer} · ${late}`;
};

export function openRelay(options: RelayOptions): Relay {
  const { platform, place, key, pacer, guard, clock, metrics, log } = options;
  const renderer = createRenderer(platform.limits);
  const layout = createLayout(platform.limits);
  const patience = createPatience(options.random);
  const openedAt = clock.now();

  let wanted: ReplyState | undefined;
  /** The state that is acknowledged in full. */
  let seen: ReplyState | undefined;
  let finalAt: number | undefined;
  /** Since when something is unseen, and since when something is that the newest snapshot lacks. */
  let unseenSince: number | undefined;
  let unsnappedSince: number | undefined;
  let wordsSeen = false;

  /** The longest pause that the platform has asked for, in ms. */
  let pausedMs = 0;

  let waiting: { readonly handle: Waiting; readonly urgency: Urgency } | undefined;
  let pausing: Cancel | undefined;
  let acting = false;
  let underWay: Promise<void> = Promise.resolve();
  let outcome: ReplyOutcome | undefined;
  const settling: ((outcome: ReplyOutcome) => void)[] = [];
  const placing = Promise.withResolvers<void>();
  const { resolve: onPlaced } = placing;
  const standing = openStanding({ ...options, onPlaced, onEdited: () => metrics.editSent() });

  const end = (how: ReplyOutcome): void => {
    if (outcome !== undefined) return;
    outcome = how;
    waiting?.handle.cancel();
    waiting = undefined;
    pausing?.();
    placing.resolve();
    for (const resolve of settling.splice(0)) resolve(how);
  };

  const broken = (thrown: unknown): void => {
    if (thrown instanceof LeaseLost) return end({ kind: "lost", reason: reasonOf(thrown) });
    log.error({ err: thrown, turn: key }, "a reply broke");
    end({ kind: "failed", reason: reasonOf(thrown) });
  };

  const urgency = (state: ReplyState): Urgency => {
    if (isFinal(state.state)) return "edge";
    if (state.text !== "") return wordsSeen ? "more" : "edge";
    return standing.count === 0 ? "sign" : "more";
  };

  const wish = (method: WriteMethod = standing.count === 0 ? "post" : "edit"): void => {
    if (wanted === undefined) return;
    const mine = urgency(wanted);
    const budgets = platform.limits.budgets(method, place, wanted.state);
    const grant = (): boolean => {
      waiting = undefined;
      try {
        return writeNext(method);
      } catch (thrown) {
        broken(thrown);
        return false;
      }
    };
    waiting = { handle: pacer.wish({ budgets, urgency: mine, since: unseenSince ?? clock.now(), grant }), urgency: mine };
  };

  /** Renders the newest state and begins its first missing write, when that is one of `method`. */
  const writeNext = (method: WriteMethod): boolean => {
    if (wanted === undefined) return false;
    const { text, files: _files, ...shown } = wanted;
    const final = isFinal(wanted.state);
    const around = final && pausedMs >= toldPauseMs ? { ...shown, footer: lateFooter(shown.footer, pausedMs) } : shown;
    const { pages, truncated } = renderer.render(text, final);
    const documents = layout.documents(pages, around, platform.limits.wantsSource === true ? text : undefined);
    const snapshot: Snapshot = { state: wanted, documents, truncated };
    unsnappedSince = undefined;
    const step = standing.missing(snapshot);
    if (step === null) {
      acknowledged(snapshot);
      return false;
    }
    if (methodOf(step) !== method) {
      wish(methodOf(step));
      return false;
    }
    // A search is no write: it takes no slot, and what it does not find is posted with a slot of its own.
    const searching = standing.isSoughtFirst(step);
    acting = true;
    underWay = act(step, snapshot, searching);
    return !searching;
  };

  const act = async (step: Step, snapshot: Snapshot, searching: boolean): Promise<void> => {
    let signal: AbortSignal;
    try {
      signal = guard.permit();
    } catch (thrown) {
      acting = false;
      return end({ kind: "lost", reason: reasonOf(thrown) });
    }
    try {
      if (searching) await standing.search(step, snapshot, signal);
      else {
        await standing.write(step, snapshot, signal);
        guard.acknowledged();
        patience.succeeded();
      }
      if (standing.missing(snapshot) === null) acknowledged(snapshot);
      acting = false;
      if (outcome === undefined && unseenSince !== undefined) wish();
    } catch (thrown) {
      acting = false;
      if (mayBeDone(thrown)) guard.acknowledged();
      standing.strayed(thrown);
      if (outcome === undefined) failed(step, thrown, signal);
      else standing.failed(step, thrown);
    }
  };

  /** Everything of `snapshot` is on the platform. */
  const acknowledged = ({ state, documents }: Snapshot): void => {
    const now = clock.now();
    if (unseenSince !== undefined) metrics.staleness(now - unseenSince);
    unseenSince = unsnappedSince;
    seen = state;
    if (!wordsSeen && documents.some(({ blocks }) => blocks.length > 0)) {
      wordsSeen = true;
      metrics.firstWords(now - openedAt);
    }
    if (seen !== wanted || !isFinal(state.state)) return;
    if (finalAt !== undefined) metrics.finish(now - finalAt);
    finalAt = undefined;
    placing.resolve();
    for (const resolve of settling.splice(0)) resolve({ kind: "delivered" });
  };

  const failed = (step: Step, thrown: unknown, signal: AbortSignal): void => {
    const fault = thrown instanceof WriteFault ? thrown : undefined;
    if (fault === undefined && !signal.aborted) return broken(thrown);
    if (fault?.outcome === "gone") return end({ kind: "gone", reason: fault.message });
    const delay = patience.failed(clock.now());
    if (delay === null) return end({ kind: "failed", reason: reasonOf(thrown) });
    if (fault?.outcome === "rate_limited") {
      const held = pacer.limited(platform.limits.budgets(methodOf(step), place, wanted?.state), fault);
      metrics.heldBack(held);
      if (held >= toldPauseMs) log.warn({ turn: key, heldMs: held }, "the platform takes no writes of a reply for long");
      pausedMs = Math.max(pausedMs, held);
      return wish(methodOf(step));
    }
    log.warn({ err: thrown, turn: key, write: step.kind }, "a write failed and is tried again");
    standing.failed(step, thrown);
    pausing = clock.after(delay, () => {
      pausing = undefined;
      wish(methodOf(step));
    });
  };

  return {
    show(state) {
      if (outcome !== undefined) return;
      const now = clock.now();
      if (unsnappedSince !== undefined) metrics.editSaved();
      const ends = isFinal(state.state) && wanted !== undefined && !isFinal(wanted.state);
      wanted = state;
      if (isFinal(state.state)) finalAt ??= now;
      unsnappedSince ??= now;
      unseenSince ??= now;
      if (acting || pausing !== undefined) return;
      if (ends) {
        // The last write may take from other budgets than those before it.
        waiting?.handle.cancel();
        waiting = undefined;
      }
      if (waiting === undefined) wish();
      else if (waiting.urgency !== urgency(state)) {
        waiting.handle.urge(urgency(state));
        waiting = { handle: waiting.handle, urgency: urgency(state) };
      }
    },
    settled() {
      if (outcome !== undefined) return Promise.resolve(outcome);
      if (seen !== undefined && seen === wanted && isFinal(seen.state)) return Promise.resolve({ kind: "delivered" });
      return new Promise((resolve) => void settling.push(resolve));
    },
    placed: () => placing.promise,
    async close() {
      end({ kind: "closed", reason: "the relay was closed" });
      await underWay;
      standing.strayed();
      return standing.sure;
    },
    again() {
      if (outcome !== undefined || wanted === undefined) return;
      standing.forget();
      seen = undefined;
      unseenSince ??= clock.now();
      unsnappedSince ??= clock.now();
      if (!acting && pausing === undefined && waiting === undefined) wish("edit");
    },
  };
}
