/** Words for one person, tried again while their platform takes none: so what was done to find them is not done twice. */
import { sleep, type Clock } from "../../clock.ts";
import { WriteFault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Document } from "../document.ts";
import type { ChatPlatform } from "../platform.ts";
import { longestHoldMs } from "../relay/pacer.ts";
import { createPatience } from "../relay/patience.ts";
import type { Lease } from "./lease.ts";
import type { Listener, Whisper } from "./run.ts";

export interface WhisperingOptions {
  readonly platform: ChatPlatform;
  readonly lease: Lease;
  readonly clock: Clock;
  /** From 0 up to 1, for the jitter of waits. */
  readonly random: () => number;
  readonly log: Log;
}

/**
 * Waits as long as a rate limit names, up to five minutes, and otherwise twice as long at each try. Throws the `WriteFault` of what
 * is gone, or of a platform that has taken nothing for 15 minutes; and the reason of the lease's end.
 */
export function createWhisper({ platform, lease, clock, random, log }: WhisperingOptions): Whisper {
  const write = ({ place, author }: Listener, document: Document): Promise<WriteFault | undefined> =>
    platform.whisper(place, author, document, lease.permit()).then(
      () => undefined,
      (thrown: unknown) => {
        if (thrown instanceof WriteFault && thrown.outcome !== "gone") return thrown;
        throw thrown;
      },
    );
  return async (to, document) => {
    const patience = createPatience(random);
    for (let fault = await write(to, document); fault !== undefined; fault = await write(to, document)) {
      lease.over.throwIfAborted();
      const delay = patience.failed(clock.now());
      if (delay === null) throw fault;
      const asked = fault.outcome === "rate_limited" ? Math.min(fault.retryAfterMs, longestHoldMs) : 0;
      const waitMs = Math.max(delay, asked);
      log.info({ reason: fault.message, waitMs }, "words for one person are tried again");
      await sleep(clock, waitMs, lease.over);
    }
  };
}
