/** Adds to what came in what Discord has to be asked for: the earlier messages of a thread that Parley is new to. */
import type { ContextMessage, Inbound } from "../../../src/core/inbound.ts";
import { WriteFault } from "../../../src/errors.ts";
import type { Rooms } from "../gateway/rooms.ts";
import { isSummary } from "../ids.ts";
import type { History } from "./history.ts";

export interface CompletingOptions {
  readonly rooms: Rooms;
  readonly history: History;
}

/** Throws `WriteFault` when Discord cannot tell for now. */
export function createCompleting({
  rooms,
  history,
}: CompletingOptions): (inbound: Inbound, signal: AbortSignal) => Promise<Inbound> {
  const contextOf = async (
    { key, message, channel, thread }: { key: string; message: string; channel: string; thread: string | null },
    signal: AbortSignal,
  ): Promise<readonly ContextMessage[]> => {
    // A thread that is made from the message is not there yet, or empty: what the summary is about is in the channel.
    if (isSummary(key)) return history.from(thread === null || thread === message ? channel : thread, message, signal);
    return thread === null ? [] : history.before(await rooms.find(thread, signal), message, signal);
  };

  return async (inbound, signal) => {
    if (inbound.kind !== "message" || inbound.joins !== true) return inbound;
    const { key, message, place } = inbound;
    try {
      const context = await contextOf({ key, message, channel: place.channel, thread: place.thread }, signal);
      return context.length === 0 ? inbound : { ...inbound, context };
    } catch (thrown) {
      // Parley may write there but not read what was said: it answers what it was asked.
      if (thrown instanceof WriteFault && thrown.outcome === "gone") return inbound;
      throw thrown;
    }
  };
}
