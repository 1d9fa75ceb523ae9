/**
 * Signs of turns that wait in their lane: "2 messages before yours", kept true while the lane moves on.
 * They are written by whoever runs the lane's turn, with that turn's right to write: so no two processes ever write one.
 */
import { reasonOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Inbound } from "../inbound.ts";
import { LeaseLost } from "../next-owner.ts";
import type { Delivery, Relay, WriteGuard } from "../relay/relay.ts";
import { emptyReply, stopAction, waitingReply } from "./show.ts";
import type { StoredTurn, TurnStore } from "./store.ts";

/** What a sign has posted, for its turn to go on with. */
export interface Shown {
  readonly delivery: Delivery;
  /** False: something may be on the platform that `delivery` does not know. */
  readonly sure: boolean;
}

export interface Signs {
  /**
   * This process runs the lane from now on: shows its signs, with the right to write of the turn `running`.
   * @param placed resolves when a message of that turn stands, or none is going to: no sign is posted before it
   */
  watch(lane: string, running: StoredTurn, guard: WriteGuard, placed: Promise<void>): void;
  watches(lane: string): boolean;
  /** Brings the signs of a lane up to date that this process runs; of all of them without a name. Never throws. */
  refresh(lane?: string): Promise<void>;
  /** Writes the signs of a lane that this process runs once more. */
  again(lane: string): void;
  /** Ends the writing of one sign, for whoever takes it away; what it has posted. Undefined where this process shows none. */
  dismiss(lane: string, key: string): Promise<Shown | undefined>;
  /** Ends the writing of a lane's signs; resolves when none is being written. */
  leave(lane: string): Promise<void>;
  /** What the sign of a turn has posted, where this process showed it until now. */
  take(lane: string, key: string): Shown | undefined;
  /** The lane is no longer this process's: others may change its signs. */
  forget(lane: string): void;
}

export interface SignsOptions {
  readonly store: Pick<TurnStore, "waitingIn" | "markSigned" | "saveSign">;
  /** Opens the reply of a turn; undefined where its platform is not there. */
  readonly open: (
    inbound: Inbound,
    shown: Shown,
    guard: WriteGuard,
    journal: (delivery: Delivery) => Promise<void>,
  ) => Relay | undefined;
  readonly log: Log;
}

interface Sign {
  readonly relay: Relay;
  delivery: Delivery;
  /** Its message stands, or is not going to. */
  placed: boolean;
  /** The number that it was last given. */
  told: number | undefined;
}

interface Lane {
  readonly running: StoredTurn;
  readonly guard: WriteGuard;
  /** The running turn has its message, or is not going to have one. */
  placed: boolean;
  readonly signs: Map<string, Sign>;
  /** Signs of turns that wait no longer, being taken away. */
  readonly leaving: Map<string, Sign>;
  left: boolean;
  busy: Promise<void> | undefined;
  again: boolean;
}

/** Waiting turns of one lane that get a sign; `laneLimit` keeps a lane from having many more. */
const signsLimit = 25;

/** Signs near the front are kept true; one far back is told its number, and is told again at every fifth. */
const isTold = (ahead: number): boolean => ahead <= 3 || ahead % 5 === 0;

export function createSigns({ store, open, log }: SignsOptions): Signs {
  const lanes = new Map<string, Lane>();
  /** Of lanes that this process ran a moment ago, and is about to run again. */
  const kept = new Map<string, Map<string, Shown>>();

  /** Whatever comes behind `before` may be posted once that stands. */
  const goOnOnce = (name: string, lane: Lane, before: { placed: boolean }, placed: Promise<void>): void =>
    void placed.then(() => {
      before.placed = true;
      if (!lane.left) void refreshOne(name, lane);
    });

  const openSign = (lane: string, watched: Lane, turn: StoredTurn): Sign | undefined => {
    const former = kept.get(lane)?.get(turn.key);
    const shown = former ?? { delivery: turn.progress.delivery, sure: turn.progress.signed !== true };
    // Stored too: so a process that lost the lane with a post under way sees whether it is the one that is gone on with.
    const journal = async (delivery: Delivery): Promise<void> => {
      if (!(await store.saveSign(watched.running, turn.key, delivery))) throw new LeaseLost("another process has the lane");
      sign.delivery = delivery;
    };
    const relay = open(turn.inbound, shown, watched.guard, (delivery) => journal(delivery));
    if (relay === undefined) return undefined;
    const sign: Sign = { relay, delivery: shown.delivery, placed: shown.delivery.messages.length > 0, told: undefined };
    if (!sign.placed) goOnOnce(lane, watched, sign, relay.placed());
    return sign;
  };

  const update = async (name: string, lane: Lane): Promise<void> => {
    const waiting = await store.waitingIn(name, signsLimit);
    if (lane.left) return;
    const keys = new Set(waiting.map(({ key }) => key));
    for (const [key, sign] of lane.signs) {
      if (keys.has(key)) continue;
      lane.signs.delete(key);
      lane.leaving.set(key, sign);
      sign.relay.show({ ...emptyReply, state: "done" });
    }
    // People read the messages of a place as they stand: in the order of the questions.
    let { placed } = lane;
    for (const [index, turn] of waiting.entries()) {
      const ahead = index + 1;
      // What was begun before has a message of its own, which says more than a sign.
      if (turn.inbound.kind !== "message" || turn.fence > 0) continue;
      let sign = lane.signs.get(turn.key);
      if (sign === undefined) {
        if (!placed && kept.get(name)?.has(turn.key) !== true) continue;
        // Noted before it is posted, so that whoever runs the turn looks for it.
        if (turn.progress.signed !== true && !(await store.markSigned(turn.key))) continue;
        if (lane.left) return;
        sign = openSign(name, lane, turn);
        if (sign === undefined) continue;
        lane.signs.set(turn.key, sign);
      }
      placed &&= sign.placed;
      if (sign.told === ahead || (sign.told !== undefined && !isTold(ahead))) continue;
      sign.told = ahead;
      sign.relay.show(waitingReply(ahead, [stopAction(turn.key)]));
    }
  };

  const bringUpToDate = async (name: string, lane: Lane): Promise<void> => {
    try {
      do {
        lane.again = false;
        await update(name, lane);
      } while (lane.again && !lane.left);
    } catch (thrown) {
      log.warn({ lane: name, reason: reasonOf(thrown) }, "the signs of a lane could not be brought up to date");
    } finally {
      lane.busy = undefined;
    }
  };

  const refreshOne = (name: string, lane: Lane): Promise<void> => {
    lane.again = true;
    return (lane.busy ??= bringUpToDate(name, lane));
  };

  return {
    watch(name, running, guard, placed) {
      const lane: Lane = {
        running,
        guard,
        placed: false,
        signs: new Map(),
        leaving: new Map(),
        left: false,
        busy: undefined,
        again: false,
      };
      lanes.set(name, lane);
      goOnOnce(name, lane, lane, placed);
    },
    watches: (name) => lanes.has(name),
    async refresh(name) {
      const named = name === undefined ? [...lanes] : [...lanes].filter(([one]) => one === name);
      await Promise.all(named.map(([one, lane]) => refreshOne(one, lane)));
    },
    async leave(name) {
      const lane = lanes.get(name);
      if (lane === undefined) return;
      lanes.delete(name);
      lane.left = true;
      await lane.busy;
      const shown = new Map<string, Shown>();
      const close = async (key: string, sign: Sign): Promise<void> => {
        const sure = await sign.relay.close();
        // One without a message may be given one by another process, before this one sees the lane again.
        if (sign.delivery.messages.length > 0) shown.set(key, { delivery: sign.delivery, sure });
      };
      await Promise.all([
        ...[...lane.signs].map(([key, sign]) => close(key, sign)),
        ...[...lane.leaving.values()].map((sign) => sign.relay.close()),
      ]);
      kept.set(name, shown);
    },
    again(name) {
      for (const { relay } of lanes.get(name)?.signs.values() ?? []) relay.again();
    },
    async dismiss(name, key) {
      const lane = lanes.get(name);
      // A sign that is being opened just now is one afterwards.
      await lane?.busy;
      const sign = lane?.signs.get(key) ?? lane?.leaving.get(key);
      if (lane === undefined || sign === undefined) return undefined;
      lane.signs.delete(key);
      lane.leaving.delete(key);
      const sure = await sign.relay.close();
      return { delivery: sign.delivery, sure };
    },
    take(name, key) {
      const shown = kept.get(name)?.get(key);
      kept.get(name)?.delete(key);
      return shown;
    },
    forget: (name) => void kept.delete(name),
  };
}
