/** The files of a thread's, or a channel's, newest messages. */
import type { InboundFile } from "../../../src/core/inbound.ts";
import type { Place } from "../../../src/core/place.ts";
import { WriteFault } from "../../../src/errors.ts";
import type { History } from "./history.ts";
import { filesOf, type MessagePayload } from "./payload.ts";

/** What Discord does not show Parley, or a thread that is still to be made of its message, has none. */
const orNone = async (reading: Promise<readonly MessagePayload[]>): Promise<readonly MessagePayload[]> => {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof WriteFault && thrown.outcome === "gone") return [];
    throw thrown;
  }
};

/** The newest first. */
export const createRecentFiles =
  (history: Pick<History, "newest" | "one">) =>
  async ({ channel, thread }: Place, signal: AbortSignal): Promise<readonly InboundFile[]> => {
    const [said, starter] = await Promise.all([
      orNone(history.newest(thread ?? channel, signal)),
      thread === null ? [] : orNone(history.one(channel, thread, signal)),
    ]);
    return [...starter, ...said].toReversed().flatMap(filesOf);
  };
