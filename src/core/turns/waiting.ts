/** Signs of turns that wait in their lane: "2 messages before yours", kept true while the lane moves on. */
import { Fault, reasonOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Inbound } from "../inbound.ts";
import { emptyDelivery, type Delivery, type Relay, type WriteGuard } from "../relay/relay.ts";
import { leaseTimes } from "./run.ts";
import { stopAction, waitingReply } from "./show.ts";
import type { TurnStore } from "./store.ts";

/** A reply that is shown before its turn is claimed; the turn takes it over with its own right to write. */
export interface Sign {
  readonly inbound: Inbound;
  readonly relay: Relay;
  /** What has been posted of it. */
  delivery(): Delivery;
  /** From now on the sign's relay writes by this right, and journals here. */
  adopt(guard: WriteGuard, journal: (delivery: Delivery) => Promise<void>): Relay;
}

export interface Signs {
  /** Shows that a turn waits, unless it does no longer. */
  show(inbound: Inbound, lane: string): Promise<void>;
  /** Brings the signs of a lane up to date. */
  refresh(lane: string): Promise<void>;
  /** Hands a sign to whoever now decides about its turn. */
  take(key: string): Sign | undefined;
  /** Forgets all signs; their messages stay and are found again. */
  close(): void;
}

export interface SignsOptions {
  readonly store: TurnStore;
  /** Opens the reply of a turn; undefined where its platform is not there. */
  readonly open: (inbound: Inbound, guard: WriteGuard, journal: (delivery: Delivery) => Promise<void>) => Relay | undefined;
  readonly log: Log;
}

export function createSigns({ store, open, log }: SignsOptions): Signs {
  const signs = new Map<string, Sign & { readonly lane: string }>();

  const bringUpToDate = async (lane: string): Promise<void> => {
    const waiting = await store.openIn(lane);
    for (const [key, sign] of signs) {
      const ahead = sign.lane === lane ? waiting.indexOf(key) : -1;
      if (ahead > 0) sign.relay.show(waitingReply(ahead, [stopAction(key)]));
    }
  };

  const openSign = (inbound: Inbound): Sign | undefined => {
    let delivery = emptyDelivery;
    let guard: WriteGuard = {
      permit: () => {
        if (!signs.has(inbound.key)) throw new Fault("lease_lost", "the sign of a waiting turn was taken away");
        return AbortSignal.timeout(leaseTimes.write);
      },
    };
    let journal = (_posted: Delivery): Promise<void> => Promise.resolve();
    const relay = open(inbound, { permit: () => guard.permit() }, (posted) => journal((delivery = posted)));
    if (relay === undefined) return undefined;
    return {
      inbound,
      relay,
      delivery: () => delivery,
      adopt(newGuard, newJournal) {
        guard = newGuard;
        journal = newJournal;
        return relay;
      },
    };
  };

  return {
    async show(inbound, lane) {
      const sign = openSign(inbound);
      if (sign === undefined) return;
      signs.set(inbound.key, { ...sign, lane });
      await bringUpToDate(lane);
    },
    async refresh(lane) {
      try {
        if ([...signs.values()].some((sign) => sign.lane === lane)) await bringUpToDate(lane);
      } catch (thrown) {
        log.warn({ lane, reason: reasonOf(thrown) }, "the signs of a lane could not be brought up to date");
      }
    },
    take(key) {
      const sign = signs.get(key);
      signs.delete(key);
      return sign;
    },
    close() {
      for (const { relay } of signs.values()) relay.close();
      signs.clear();
    },
  };
}
