/** A claimed turn from its beginning to its end: handled, counted, written into the audit log, closed. */
import { Decimal } from "decimal.js";
import type { Clock } from "../../clock.ts";
import { parseMoney } from "../../contract/money.ts";
import { WriteFault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Allowances } from "../allowances.ts";
import { auditedOf, kindOf, type Audit, type AuditEntry } from "../audit.ts";
import type { Forgetting } from "../forgetting.ts";
import type { CoreMetrics } from "../metrics.ts";
import { LeaseLost } from "../next-owner.ts";
import { placeKey } from "../place.ts";
import type { ChatPlatform } from "../platform.ts";
import type { Relay } from "../relay/relay.ts";
import { createClosedReplies } from "./closed-replies.ts";
import { removalOf, type Lease } from "./lease.ts";
import type { TurnRun } from "./run.ts";
import { undeliverableMs, withdraw, type Ending } from "./settle.ts";
import type { Leaves, StoredTurn, TurnStore } from "./store.ts";
import { takeUp, type ReplyStart } from "./take-up.ts";
import type { Signs } from "./waiting.ts";

export interface ExecutingOptions {
  readonly store: TurnStore;
  readonly handle: (run: TurnRun) => Promise<Ending>;
  readonly platformOf: (name: string) => ChatPlatform | undefined;
  readonly isCommand: (name: string) => boolean;
  readonly signs: Signs;
  readonly openReply: (start: ReplyStart) => Relay;
  readonly allowances: Allowances;
  readonly forgetting: Forgetting;
  readonly audit: Audit;
  readonly clock: Clock;
  /** From 0 up to 1, for the jitter of waits. */
  readonly random: () => number;
  readonly metrics: CoreMetrics;
  readonly log: Log;
}

export interface Executing {
  readonly run: (turn: StoredTurn, lease: Lease) => Promise<void>;
  /** Has what this process shows in a lane written once more: of the turn that runs, of those that wait, of those just closed. */
  again(lane: string): Promise<void>;
}

/** A turn whose platform this process does not have is looked at again after this, in ms. */
const absentMs = 60_000;

export function createExecuting(options: ExecutingOptions): Executing {
  const { store, handle, platformOf, isCommand, signs, openReply, allowances, forgetting, audit, clock, random, metrics, log } =
    options;
  /** Turns that run here, by lane. */
  const runs = new Map<string, { readonly again: () => void }>();
  const closedReplies = createClosedReplies(options);

  /** A private answer that its person cannot be given, for good or for too long, ends the turn. */
  const untold = (run: TurnRun, thrown: unknown): Ending => {
    const tooLong = clock.now() - run.turn.createdAt > undeliverableMs;
    if (!(thrown instanceof WriteFault && (thrown.outcome === "gone" || tooLong))) throw thrown;
    log.warn({ err: thrown, turn: run.turn.key }, "a private answer can no longer be shown");
    return { outcome: "gone", keepText: false };
  };
  /** A turn whose message was deleted while it ran, or whose person is forgotten, shows nothing any more. */
  const vanish = async (run: TurnRun, leaves: Leaves): Promise<Ending> => {
    await withdraw(run.relay());
    return { outcome: "cancelled", keepText: false, leaves };
  };
  const entryOf = (run: TurnRun, { outcome, correlation, forgotten, leaves, kind: done }: Ending): AuditEntry => {
    const { inbound, key } = run.turn;
    const account = run.progress().account?.id ?? null;
    const kind = done ?? kindOf(inbound, isCommand);
    const entry = { ...auditedOf(inbound), kind, account, outcome, turn: key, correlation: correlation ?? null };
    if (leaves !== "nothing") return entry;
    const place = { ...inbound.place, channel: "", thread: null };
    const counts = forgotten === undefined ? {} : { counts: forgotten.counts };
    return { ...entry, place, person: forgotten?.pseudonym ?? null, turn: null, ...counts };
  };

  const execute = async (turn: StoredTurn, lease: Lease): Promise<void> => {
    const platform = platformOf(turn.inbound.place.platform);
    if (platform === undefined) {
      log.warn({ turn: turn.key, platform: turn.inbound.place.platform }, "a turn waits for a platform that is not configured");
      await store.release(turn, clock.now() + absentMs);
      return;
    }
    const sign = signs.take(turn.lane, turn.key);
    // Whatever is posted for a turn is posted under a claim, or as a sign that was noted before.
    const resumed = sign === undefined ? turn.fence > 1 || turn.progress.signed === true : !sign.sure;
    const run = takeUp({ turn, lease, platform, sign, resumed, store, openReply, clock, random, log });
    runs.set(turn.lane, run);
    if (turn.lane === placeKey(turn.inbound.place)) signs.watch(turn.lane, turn, lease, run.placed);
    /** Writes that are under way come to their end: from then on another process may have the lane. */
    const putDown = async (): Promise<void> => void (await Promise.all([run.close(), signs.leave(turn.lane)]));
    try {
      const handled = await handle(run).catch((thrown: unknown) => untold(run, thrown));
      lease.over.throwIfAborted();
      const leaves = removalOf(lease.stop);
      const ending = leaves === undefined ? handled : await vanish(run, leaves);
      // What another has counted is not counted again by an owner that wakes too late.
      lease.permit();
      // Counted before the turn is closed: after a crash in between it counts twice, never not at all.
      const credits = parseMoney(ending.credits);
      if (credits !== undefined && turn.inbound.kind !== "notice")
        await allowances.spend(turn.inbound, new Decimal(credits.toFixed()));
      await audit.record(entryOf(run, ending));
      await putDown();
      const closed = await store.close(turn, clock.now(), ending.outcome, ending.keepText);
      if (!closed) throw new LeaseLost("another process has the turn");
      if (ending.leaves === undefined) closedReplies.keep(run, ending.keepText);
      if (ending.leaves === "nothing") await forgetting.drop(turn.key);
      if (ending.leaves === "key") await forgetting.strip(turn.key);
      metrics.turnClosed(platform.name, turn.inbound.kind, ending.outcome);
      log.info({ turn: turn.key, outcome: ending.outcome, ms: clock.now() - turn.createdAt }, "a turn has ended");
    } finally {
      await putDown();
      if (runs.get(turn.lane) === run) runs.delete(turn.lane);
    }
  };
  const again = (lane: string): Promise<void> => {
    runs.get(lane)?.again();
    signs.again(lane);
    return closedReplies.again(lane);
  };
  return { run: execute, again };
}
