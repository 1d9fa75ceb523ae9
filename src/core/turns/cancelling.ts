/** Ends turns of other people's making: waiting ones at once, with their signs; running ones wherever they run. */
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Bell } from "../bell.ts";
import type { Lanes } from "../lanes.ts";
import type { Relay } from "../relay/relay.ts";
import { cancel } from "./control.ts";
import { removal } from "./lease.ts";
import type { TurnRun } from "./run.ts";
import { withdraw, type Ending } from "./settle.ts";
import type { Leaves, StoredTurn, TurnStore } from "./store.ts";
import type { ReplyStart } from "./take-up.ts";
import type { Signs } from "./waiting.ts";

export interface CancellingOptions {
  readonly store: TurnStore;
  readonly lanes: () => Pick<Lanes, "stop">;
  readonly signs: Signs;
  readonly bell: Bell;
  /** Brings the signs of a lane up to date. */
  readonly tell: (lane: string) => Promise<void>;
  readonly openReply: (start: ReplyStart) => Relay;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Cancelling {
  /** Asks a running turn to end. */
  readonly stop: (key: string) => Promise<void>;
  /** Ends a turn, whether it waits or runs, by the right of `run`. */
  readonly end: (run: TurnRun, key: string) => Promise<Ending>;
  /** Ends a running turn, which takes away what it shows. */
  readonly remove: (key: string, leaves: Leaves) => void;
  /**
   * Takes away whatever was posted for a turn that was cancelled while it waited; by the right of the turn that says so,
   * as the lane's own may end meanwhile.
   */
  readonly takeAway: (run: TurnRun, waiting: StoredTurn) => Promise<void>;
}

export function createCancelling({ store, lanes, signs, bell, tell, openReply, clock, log }: CancellingOptions): Cancelling {
  const stop = async (key: string): Promise<void> => {
    lanes().stop(key);
    if (!(await store.requestStop(key, clock.now()))) log.info({ turn: key }, "a turn that was to be stopped had ended");
    bell.ring({ stop: key });
  };
  const takeAway = async (run: TurnRun, { inbound, lane, progress, fence }: StoredTurn): Promise<void> => {
    const sign = await signs.dismiss(lane, inbound.key);
    await tell(lane);
    if (sign === undefined && fence === 0 && progress.signed !== true) return;
    const { delivery, sure } = sign ?? { delivery: progress.delivery, sure: false };
    const { platform, lease } = run;
    const journal = (): Promise<void> => Promise.resolve();
    const { place, key } = inbound;
    const relay = openReply({ platform, place, turn: key, key, delivery, resumed: !sure, guard: lease, journal });
    await withdraw(relay);
    await relay.close();
  };
  return {
    stop,
    takeAway,
    end: (run, key) => cancel(store, key, clock.now(), stop, (waiting) => takeAway(run, waiting)),
    remove(key, leaves) {
      lanes().stop(key, removal(leaves));
      bell.ring({ stop: key, leaves });
    },
  };
}
