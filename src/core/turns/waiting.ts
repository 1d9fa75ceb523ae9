/** Signs of turns that wait in their lane: "2 messages before yours", kept true while the lane moves on. */
import { Fault, reasonOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Delivery, Relay, WriteGuard } from "../relay/relay.ts";
import { stopAction, waitingReply } from "./show.ts";
import { leaseTimes } from "./run.ts";
import type { TurnStore } from "./store.ts";

/** A reply that is shown before its turn is claimed; the turn takes it over with its own right to write. */
export interface Sign {
  readonly lane: string;
  readonly relay: Relay;
  delivery: Delivery;
  /** Undefined while the turn waits. */
  guard: WriteGuard | undefined;
  /** Stores what is delivered, once the turn has a lease. */
  journal: ((delivery: Delivery) => Promise<void>) | undefined;
}

export interface Signs {
  /** Shows that `key` waits, unless it does no longer. */
  show(key: string, lane: string): Promise<void>;
  /** Brings the signs of a lane up to date. */
  refresh(lane: string): Promise<void>;
  /** Hands a sign to the turn that now runs. */
  take(key: string): Sign | undefined;
  /** Forgets all signs; their messages stay and are found again. */
  close(): void;
}

type OpenSign = (
  key: string,
  sign: { readonly guard: WriteGuard; readonly journal: (delivery: Delivery) => Promise<void> },
) => Relay;

export function createSigns(store: TurnStore, open: OpenSign, log: Log): Signs {
  const signs = new Map<string, Sign>();

  const place = async (lane: string): Promise<void> => {
    const open = await store.openIn(lane);
    for (const [key, sign] of signs) {
      const ahead = sign.lane === lane ? open.indexOf(key) : -1;
      if (ahead > 0) sign.relay.show(waitingReply(ahead, [stopAction(key)]));
    }
  };

  return {
    async show(key, lane) {
      if (signs.has(key)) return;
      let sign: Sign | undefined;
      const relay = open(key, {
        guard: {
          permit: () => {
            if (sign?.guard !== undefined) return sign.guard.permit();
            if (!signs.has(key)) throw new Fault("lease_lost", "the sign of a waiting turn was closed");
            return AbortSignal.timeout(leaseTimes.write);
          },
        },
        journal: async (delivery) => {
          if (sign === undefined) return;
          sign.delivery = delivery;
          await sign.journal?.(delivery);
        },
      });
      sign = { lane, relay, delivery: { messages: [], attached: null }, guard: undefined, journal: undefined };
      signs.set(key, sign);
      await place(lane);
    },
    async refresh(lane) {
      try {
        if ([...signs.values()].some((sign) => sign.lane === lane)) await place(lane);
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
      for (const sign of signs.values()) sign.relay.close();
      signs.clear();
    },
  };
}
