/** Replies that are being made: one at a time for each conversation, in the order in which they were asked for. */

/** Why a reply ends early: somebody stopped it, its conversation was deleted, or the workspace closes. */
export type EndReason = "stopped" | "deleted" | "closing";

/** What a reply's signal is aborted with. */
export class Ended extends Error {
  readonly reason: EndReason;
  constructor(reason: EndReason) {
    super(`the reply was ended: ${reason}`);
    this.name = "Ended";
    this.reason = reason;
  }
}

export interface Running {
  /**
   * Runs `work` after all earlier work of the conversation; the promise settles with it. A second send while a reply is
   * being made therefore waits, and sees the first one's answer.
   */
  enqueue(conversationId: number, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Ends what is being made or waits in the conversation. Resolves when all of it has ended. */
  end(conversationId: number, reason: EndReason): Promise<void>;
  /** Ends everything and takes nothing more. */
  close(): Promise<void>;
}

interface Lane {
  tail: Promise<void>;
  readonly controllers: Set<AbortController>;
}

export function createRunning(): Running {
  const lanes = new Map<number, Lane>();
  let closed = false;

  const end = async (lane: Lane, reason: EndReason): Promise<void> => {
    for (const controller of lane.controllers) controller.abort(new Ended(reason));
    await lane.tail;
  };

  return {
    enqueue(conversationId, work) {
      const lane = lanes.get(conversationId) ?? { tail: Promise.resolve(), controllers: new Set() };
      lanes.set(conversationId, lane);
      const controller = new AbortController();
      lane.controllers.add(controller);
      if (closed) controller.abort(new Ended("closing"));
      const done = lane.tail
        .then(() => work(controller.signal))
        .finally(() => {
          lane.controllers.delete(controller);
          if (lane.controllers.size === 0) lanes.delete(conversationId);
        });
      // The next one runs whether or not this one failed; whoever enqueued it hears of the failure.
      lane.tail = done.catch(() => undefined);
      return done;
    },
    async end(conversationId, reason) {
      const lane = lanes.get(conversationId);
      if (lane !== undefined) await end(lane, reason);
    },
    async close() {
      closed = true;
      await Promise.all([...lanes.values()].map((lane) => end(lane, "closing")));
    },
  };
}
