/** Since when Slack has been heard without a gap: noted for the next start, and made up for where there was one. */
import { sleep, type Clock } from "../../../src/clock.ts";
import { insist } from "../../../src/core/insist.ts";
import type { KeyValueMap } from "../../../src/core/maps.ts";
import { placeKey } from "../../../src/core/place.ts";
import { reasonOf } from "../../../src/errors.ts";
import { placeOf, type Identity } from "./address.ts";

export interface PresenceOptions {
  readonly self: Pick<Identity, "team">;
  /** Until when everything was heard, by any process. */
  readonly seen: KeyValueMap<number>;
  /** Slack can bring events just now. */
  readonly isHearing: () => boolean;
  /** Makes up for what was missed since then. Rejects only when `signal` ends. */
  readonly makeUp: (since: number, signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: { warn(fields: object, text: string): void };
}

/** How often it is looked whether Slack is heard, in ms. */
const lookMs = 5_000;
/** A shorter gap is none, in ms: what nobody acknowledges Slack sends again, at once and after a minute. */
const gapMs = 20_000;
/** How often the time is noted, in ms: a crash is made up for from that time on. */
const noteMs = 15_000;

/** Under the workspace's places, so that it goes with them. */
const seenKey = ({ team }: Pick<Identity, "team">): string => placeKey(placeOf(team, "seen", null));

/**
 * Makes up for the time since Parley was last there, and from then on for each gap: a lost socket, a paused process.
 * The first start has nothing to make up for. While something is being made up for, this process notes nothing: whoever starts after
 * its end begins where it did. Resolves when `signal` ends.
 */
export async function watchPresence(options: PresenceOptions): Promise<void> {
  const { self, seen, isHearing, clock, signal, log } = options;
  const key = seenKey(self);
  /** Missed since then, and not being made up for yet. */
  let missedSince: number | undefined;
  let makingUp = false;
  /** The last look at which Slack was heard. */
  let heardAt = clock.now();
  let notedAt = -Infinity;

  const makeUp = async (): Promise<void> => {
    makingUp = true;
    try {
      while (missedSince !== undefined) {
        const since = missedSince;
        missedSince = undefined;
        await options.makeUp(since, signal);
      }
    } finally {
      makingUp = false;
    }
  };
  const missed = (since: number): void => {
    missedSince = Math.min(missedSince ?? since, since);
    if (!makingUp) makeUp().catch((thrown: unknown) => log.warn({ reason: reasonOf(thrown) }, "making up for a gap was ended"));
  };
  const note = async (): Promise<void> => {
    if (makingUp || heardAt - notedAt < noteMs) return;
    const at = heardAt;
    try {
      await seen.set(key, at);
      notedAt = at;
    } catch (thrown) {
      log.warn({ reason: reasonOf(thrown) }, "it could not be noted until when Slack was heard; it is noted again");
    }
  };
  const last = (): Promise<number | undefined> =>
    insist(() => seen.get(key), {
      clock,
      signal,
      firstMs: lookMs,
      longestMs: lookMs,
      onFailure: (thrown) => log.warn({ reason: reasonOf(thrown) }, "it could not be read yet until when Slack was heard"),
    });

  try {
    const since = await last();
    if (since !== undefined) missed(since);
    for (;;) {
      await note();
      await sleep(clock, lookMs, signal);
      if (!isHearing()) continue;
      const now = clock.now();
      if (now - heardAt > gapMs) missed(heardAt);
      heardAt = now;
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}
