/**
 * Posts of a process that was paused, or cut off, in the middle of one and had lost its turn when it reached the platform:
 * whoever took the turn over may have looked for it too early and posted their own. The journal says which message the reply
 * goes on with; another one of the same name is removed by who posted it.
 */
import { sleep, type Clock } from "../../clock.ts";
import { Fault, reasonOf, WriteFault } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Remains } from "../forgetting.ts";
import type { CoreMetrics, LatePostEnd } from "../metrics.ts";
import type { Posted } from "../platform.ts";
import type { Delivery, Stray } from "../relay/relay.ts";
import { leaseTimes } from "./lease.ts";
import type { ReplyStart } from "./take-up.ts";

type Reply = Pick<ReplyStart, "platform" | "turn" | "key">;

export interface Strays {
  /** Sees to one by and by. Never throws. */
  settle(reply: Reply, stray: Stray): void;
  /** Waits for nothing more; resolves when nothing of it is under way. */
  close(): Promise<void>;
}

export interface StraysOptions {
  /** The turn with this key and those that tried it again, oldest first, with what is journaled of them. */
  readonly remains: (key: string) => Promise<readonly Remains[]>;
  readonly clock: Clock;
  readonly metrics: Pick<CoreMetrics, "latePost">;
  readonly log: Log;
}

/** Between two looks at the journal, in ms; doubled each time. */
const firstPauseMs = 1_000;
const longestPauseMs = 15_000;
/** One that is not settled by then is left, in ms: a reply is not tried for longer either. */
const giveUpAfterMs = 900_000;
/** Looks at the platform for one that never was acknowledged: it may still be on its way. */
const looks = 5;

const idsOf = ({ messages, attached }: Delivery): readonly string[] =>
  [...messages, ...(attached === null ? [] : [attached])].map(({ id }) => id);

interface Journaled {
  /** Every message that the reply goes on with, or has ended with. */
  readonly ids: readonly string[];
  /** The stray one's place in the reply is taken, or nothing more is going to take it. */
  readonly settled: boolean;
}

export function createStrays({ remains, clock, metrics, log }: StraysOptions): Strays {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  /** Undefined: nothing of the turn is kept. */
  const readJournal = async ({ turn, key }: Reply, { slot }: Stray): Promise<Journaled | undefined> => {
    const tries = await remains(key);
    const rows = turn === key || tries.some((row) => row.key === turn) ? tries : [...tries, ...(await remains(turn))];
    const newest = rows.at(-1);
    if (newest === undefined) return undefined;
    const { messages, attached } = newest.delivery;
    const taken = slot === "file" ? attached !== null : messages[slot] !== undefined;
    return { ids: rows.flatMap(({ delivery }) => idsOf(delivery)), settled: taken || newest.closed };
  };

  const see = async (reply: Reply, stray: Stray): Promise<{ readonly end: LatePostEnd; readonly why?: unknown }> => {
    const { platform } = reply;
    const signal = (): AbortSignal => AbortSignal.timeout(leaseTimes.write);
    const began = clock.now();
    let posted: Posted | undefined = stray.posted;
    let looked = 0;
    let why: unknown = "it is not known yet what the turn goes on with";
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      let least = 0;
      try {
        const journaled = await readJournal(reply, stray);
        // The answer of somebody who was forgotten stands all the same, and this may be it.
        if (journaled === undefined) return { end: "left", why: "nothing of its turn is kept" };
        const { ids, settled } = journaled;
        if (posted !== undefined && ids.includes(posted.id)) return { end: "kept" };
        if (settled && posted !== undefined) {
          await platform.remove(posted, signal());
          return { end: "removed" };
        }
        if (settled) {
          // What is found is removed only when the journal, read once more, still does not have it.
          posted = await platform.find(stray.place, stray.name, signal(), ids);
          if (posted === undefined && ++looked === looks) return { end: "none" };
        }
      } catch (thrown) {
        why = thrown;
        if (thrown instanceof WriteFault && (thrown.outcome === "gone" || thrown.outcome === "refused"))
          return { end: "left", why };
        if (thrown instanceof WriteFault) least = thrown.retryAfterMs;
      }
      const wait = Math.max(pause, least);
      if (closing.signal.aborted || clock.now() + wait - began > giveUpAfterMs) return { end: "left", why };
      await sleep(clock, wait, closing.signal).catch((reason: unknown) => void (why = reason));
    }
  };

  const seeTo = async (reply: Reply, stray: Stray): Promise<void> => {
    const { end, why } = await see(reply, stray);
    metrics.latePost(end);
    const about = { turn: reply.turn, message: stray.name, end };
    if (end === "left") log.warn({ ...about, reason: reasonOf(why) }, "a late post could not be settled; it may be left over");
    else log.info(about, "a post that was made after its turn was lost has been settled");
  };

  return {
    settle(reply, stray) {
      const seeing = seeTo(reply, stray).finally(() => underWay.delete(seeing));
      underWay.add(seeing);
    },
    async close() {
      closing.abort(new Fault("draining", "this process is stopping"));
      await Promise.all(underWay);
    },
  };
}
