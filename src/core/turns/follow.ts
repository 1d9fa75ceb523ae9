/**
 * Follows the answer to one send: over the live channel when there is one, and by reading in any case,
 * so that a channel that never delivers costs time and nothing else.
 */
import { sleep, type Clock } from "../../clock.ts";
import type { Message } from "../../contract/records.ts";
import { Fault } from "../../errors.ts";
import type { Workspace } from "../workspace.ts";
import { lasting } from "../workspace-faults.ts";

export interface FollowOptions {
  readonly workspace: Workspace;
  readonly conversationId: number;
  /** The answer that is waited for, among messages that were read (newest first) or one that the channel brought. */
  readonly answerIn: (messages: readonly Message[]) => Message | undefined;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Tells of an error that does not end the following. */
  readonly onTrouble: (thrown: unknown) => void;
}

/** How long, in ms. Reads and dials are spread over half to one and a half of theirs: the answers that wait must not ask together. */
const followTimes = {
  /** Between reads while the live channel delivers. */
  readWhenLive: 10_000,
  /** Between reads while it is down or has delivered nothing yet. */
  readWhenDown: 1_000,
  /** Before the live channel is dialled again; doubled at each failure up to the limit. */
  redial: 500,
  redialLimit: 10_000,
  /** Without any AI message after this, there will be none: a team conversation that the AI was not asked in. */
  noAnswer: 60_000,
  /** Without any change for this long, the answer is given up. */
  stalled: 300_000,
} as const;

/** Ends with this when no AI message ever came. */
export const noAnswer = Symbol("no answer");

const changed = (before: Message | undefined, after: Message): boolean =>
  before === undefined ||
  before.status !== after.status ||
  before.text !== after.text ||
  before.error_text !== after.error_text ||
  before.parts.length !== after.parts.length ||
  before.citations.length !== after.citations.length ||
  (before.thinking ?? "").length !== (after.thinking ?? "").length;

/** Never goes back: a read that was on its way while the channel brought newer text must not undo it. */
const older = (before: Message | undefined, after: Message): boolean =>
  before !== undefined && before.ID === after.ID && before.status === "finished" && after.status !== "finished";

/**
 * Yields the answer, whole, each time it has changed; several changes between two readings are one.
 * Returns the finished message, or `noAnswer`.
 * Throws `WorkspaceFault` when the conversation can no longer be read, Fault `answer_stalled` when nothing changes for five minutes,
 * and the signal's reason when it is aborted.
 */
export async function* followAnswer(options: FollowOptions): AsyncGenerator<Message, Message | typeof noAnswer> {
  const { workspace, conversationId, answerIn, clock, random, signal } = options;
  const ended = new AbortController();
  const within = AbortSignal.any([signal, ended.signal]);
  let newest: Message | undefined;
  let shown: Message | undefined;
  let failure: unknown;
  let live = false;
  let changedAt = clock.now();
  let wake: () => void = () => {};
  let woken = false;

  const notice = (): void => {
    woken = true;
    wake();
  };
  const take = (messages: readonly Message[]): void => {
    const message = answerIn(messages);
    if (message === undefined || older(newest, message) || !changed(newest, message)) return;
    changedAt = clock.now();
    newest = message;
    notice();
  };
  const read = async (): Promise<void> => {
    const { items } = await workspace.conversations.messages(conversationId, { size: 20, signal: within });
    take(items);
  };

  const pause = (ms: number): Promise<void> => sleep(clock, ms * (0.5 + random()), within);
  const watch = async (): Promise<void> => {
    for (let wait: number = followTimes.redial; ; wait = Math.min(wait * 2, followTimes.redialLimit)) {
      try {
        const frames = await workspace.conversations.follow(conversationId, { signal: within });
        // Once the channel is open, one read: nothing is missed between the two.
        await read();
        for await (const message of frames) {
          live = true;
          wait = followTimes.redial;
          take([message]);
        }
      } catch (thrown) {
        if (within.aborted) return;
        options.onTrouble(thrown);
      }
      live = false;
      await pause(wait);
    }
  };
  const poll = async (): Promise<void> => {
    for (;;) {
      await pause(live ? followTimes.readWhenLive : followTimes.readWhenDown);
      let known = true;
      try {
        await read();
      } catch (thrown) {
        if (within.aborted) return;
        if (lasting(thrown)) throw thrown;
        options.onTrouble(thrown);
        known = false;
      }
      const quiet = clock.now() - changedAt;
      // Only what can be read is known to have no answer.
      if (known && newest === undefined && quiet >= followTimes.noAnswer) return;
      if (quiet >= followTimes.stalled) {
        throw new Fault("answer_stalled", "the workspace's answer has not changed for five minutes");
      }
    }
  };
  /** Both loops stop by the abort of `within`; what else they throw ends the following. */
  const guard = async (loop: Promise<void>, over: () => void): Promise<void> => {
    try {
      await loop;
    } catch (thrown) {
      if (!within.aborted) failure = thrown;
    }
    over();
  };

  let pollEnded = false;
  const loops = [
    guard(watch(), notice),
    guard(poll(), () => {
      pollEnded = true;
      notice();
    }),
  ];
  const onAbort = (): void => notice();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      if (!woken) await new Promise<void>((resolve) => (wake = resolve));
      woken = false;
      signal.throwIfAborted();
      if (newest !== undefined && newest !== shown) {
        shown = newest;
        if (shown.status === "finished") return shown;
        yield shown;
        continue;
      }
      if (failure !== undefined) throw failure;
      if (pollEnded) return noAnswer;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    ended.abort(new Fault("follow_ended", "the answer is no longer followed"));
    await Promise.all(loops);
  }
}
