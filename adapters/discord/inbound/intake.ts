/** Takes Discord's events in, in order for each channel, and again until the inbox has them: the gateway sends nothing twice. */
import { sleep, type Clock } from "../../../src/clock.ts";
import type { Inbound, Inbox } from "../../../src/core/inbound.ts";
import { reasonOf, WriteFault } from "../../../src/errors.ts";
import { messageKey, placeOf } from "../ids.ts";
import { isInteraction } from "./interaction-payload.ts";
import type { InteractionTaking } from "./interactions.ts";
import type { MessageReading } from "./messages.ts";
import { isMessage, type MessagePayload } from "./payload.ts";

export interface IntakeOptions {
  readonly messages: MessageReading;
  readonly interactions: InteractionTaking;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: { warn(fields: object, text: string): void; error(fields: object, text: string): void };
  /** Events were dropped while the inbox could not take them, and it can again. */
  readonly onBehind: () => void;
  /** Resolves when everything that was missed in a channel has been taken in. */
  readonly before: (channel: string) => Promise<void>;
}

export interface Intake {
  /** From now on what comes goes into `inbox`; nothing does any more once `signal` has ended. */
  begin(inbox: Inbox, signal: AbortSignal): void;
  /** An event of the gateway. Never throws. */
  take(type: string, data: unknown): void;
  /** A message that was missed, before what waits in its channel. Resolves when it is in the inbox, or is none of Parley's. */
  catchUp(message: MessagePayload): Promise<void>;
  /** Resolves when everything that has come is taken in, or will not be. */
  settled(): Promise<void>;
  /** Everything that has come is taken in. */
  readonly isSettled: boolean;
}

const retryMs = 250;
const retryLimitMs = 30_000;
/** Events that wait for the inbox. What comes beyond is dropped and caught up with afterwards. */
const mostWaiting = 1_000;

export function createIntake({ messages, interactions, clock, random, log, onBehind, before }: IntakeOptions): Intake {
  let target: { readonly inbox: Inbox; readonly signal: AbortSignal } | undefined;
  /** The last event of each channel. */
  const queues = new Map<string, Promise<void>>();
  let waiting = 0;
  let behind = false;

  const unreadable = (thrown: unknown): void =>
    log.error({ err: thrown }, "an event of Discord could not be read, and is left out");

  /** Until it is stored. A channel that Parley may not see has nothing for it. */
  const store = async (read: (signal: AbortSignal) => Promise<Inbound | undefined>): Promise<void> => {
    // Read once: by the second time Parley would already take part in the thread that it is new to.
    let inbound: Inbound | undefined | "unread" = "unread";
    for (let tries = 0; target !== undefined && !target.signal.aborted; tries++) {
      const { inbox, signal } = target;
      try {
        if (inbound === "unread") inbound = await read(signal);
        if (inbound !== undefined && !signal.aborted) await inbox.receive(inbound);
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        if (thrown instanceof WriteFault && thrown.outcome === "gone") return;
        if (inbound === "unread" && (thrown instanceof TypeError || thrown instanceof RangeError)) {
          // It would fail the same way each time, and keep its channel back for ever.
          return unreadable(thrown);
        }
        const wait = Math.min(retryMs * 2 ** tries, retryLimitMs) * (0.5 + random());
        log.warn({ reason: reasonOf(thrown), tryAgainMs: Math.round(wait) }, "a message of Discord could not be taken in yet");
        await sleep(clock, wait, signal).catch(() => {});
      }
    }
  };

  const enqueue = (channel: string, read: (signal: AbortSignal) => Promise<Inbound | undefined>): Promise<void> => {
    if (waiting >= mostWaiting) {
      if (!behind) log.error({ waiting }, "the inbox takes nothing; what Discord sends meanwhile is fetched again afterwards");
      behind = true;
      return Promise.resolve();
    }
    waiting++;
    const mine = (queues.get(channel) ?? Promise.resolve())
      .then(() => before(channel))
      .then(() => store(read))
      .finally(() => {
        waiting--;
        if (queues.get(channel) === mine) queues.delete(channel);
        if (waiting > 0 || !behind) return;
        behind = false;
        if (target?.signal.aborted === false) onBehind();
      });
    queues.set(channel, mine);
    return mine;
  };

  const deleted = (data: unknown): void => {
    const { id, ids, channel_id: channel } = (data ?? {}) as { id?: unknown; ids?: unknown; channel_id?: unknown };
    const at = clock.now();
    if (typeof channel !== "string") return;
    for (const one of Array.isArray(ids) ? (ids as unknown[]) : [id])
      if (typeof one === "string") void enqueue(channel, (signal) => messages.deleted({ id: one, channel }, at, signal));
  };

  /** Parley was removed from a guild; an outage is no removal. */
  const removed = (data: unknown): void => {
    const { id, unavailable } = (data ?? {}) as { id?: unknown; unavailable?: unknown };
    if (typeof id !== "string" || unavailable === true) return;
    const at = clock.now();
    const notice: Inbound = {
      kind: "notice",
      notice: "removed",
      key: messageKey(id, "", String(at), "removed"),
      place: placeOf(id, "", null),
      author: { id: "unknown", name: "somebody" },
      at,
    };
    void enqueue(id, () => Promise.resolve(notice));
  };

  return {
    begin(inbox, signal) {
      target = { inbox, signal };
    },
    take(type, data) {
      if (target === undefined || target.signal.aborted) return;
      switch (type) {
        case "MESSAGE_CREATE":
          if (isMessage(data)) void enqueue(data.channel_id, (signal) => messages.said(data, signal));
          return;
        case "MESSAGE_UPDATE":
          if (isMessage(data)) void enqueue(data.channel_id, (signal) => messages.edited(data, signal));
          return;
        case "MESSAGE_DELETE":
        case "MESSAGE_DELETE_BULK":
          return deleted(data);
        case "GUILD_DELETE":
          return removed(data);
        case "INTERACTION_CREATE":
          if (isInteraction(data)) interactions.take(data, target.inbox, target.signal).catch(unreadable);
          return;
        default:
      }
    },
    async catchUp(message) {
      waiting++;
      try {
        await store((signal) => messages.said(message, signal));
      } finally {
        waiting--;
      }
    },
    async settled() {
      await Promise.all(queues.values());
    },
    get isSettled() {
      return waiting === 0 && !behind;
    },
  };
}
