/** After a time away: the messages that were missed, fetched and taken in like those that come by themselves. */
import type { Clock } from "../../../src/clock.ts";
import { insist } from "../../../src/core/insist.ts";
import type { KeyValueMap } from "../../../src/core/maps.ts";
import { reasonOf, WriteFault } from "../../../src/errors.ts";
import { isDirect, type Rooms } from "../gateway/rooms.ts";
import { idBefore, isNewer } from "../ids.ts";
import type { History } from "./history.ts";
import type { Intake } from "./intake.ts";
import type { MessagePayload } from "./payload.ts";

/** How far back missed messages are answered, in ms: what is older nobody waits for any more. */
const longestMs = 6 * 60 * 60_000;
/** Clocks differ, and an event is under way for a while, in ms. What was taken in before is known by its key. */
const overlapMs = 60_000;
/** How often it is noted that everything has arrived, in ms. */
const noteMs = 15_000;
/** Direct messages that are looked at: Discord lists them to no bot. */
const mostDirect = 100;
/** Between two tries to fetch, in ms. */
const retry = { firstMs: 500, longestMs: 60_000 };

/** What is kept: until when everything has been taken in, and the newest direct messages' channels. */
export interface Mark {
  readonly at: number;
  readonly direct: readonly string[];
}

const name = "mark";

export interface CatchUp {
  /** Fetches what came since everything had been taken in. Never throws. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when what was missed in this channel, if anything is being fetched, is taken in: what comes now is behind it. */
  before(channel: string): Promise<void>;
  /** A direct message came in this channel. */
  direct(channel: string): void;
  /** Notes every now and then that everything has arrived, until `signal` ends. */
  watch(signal: AbortSignal): void;
  /** Notes it once. */
  note(): Promise<void>;
}

export interface CatchUpOptions {
  readonly map: KeyValueMap<Mark>;
  readonly rooms: Rooms;
  readonly history: History;
  readonly intake: Pick<Intake, "catchUp" | "isSettled">;
  /** Everything that Discord sent before has arrived. */
  readonly heardUntil: () => number;
  readonly enabled: boolean;
  readonly clock: Clock;
  readonly log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

export function createCatchUp({ map, rooms, history, intake, heardUntil, enabled, clock, log }: CatchUpOptions): CatchUp {
  /** Channels of direct messages that are not in the map yet. The map is the truth: people who are forgotten are taken out of it. */
  let added: readonly string[] = [];
  let running: Promise<void> | undefined;
  /** Of the running look: takes in what was missed in a channel, once. Undefined until it is known since when. */
  let listed = Promise.resolve<((channel: string) => Promise<void>) | undefined>(undefined);

  const directChannels = async (): Promise<readonly string[]> => {
    const known = (await map.get(name))?.direct ?? [];
    return [...added, ...known.filter((one) => !added.includes(one))].slice(0, mostDirect);
  };

  const channelsSince = async (since: string): Promise<readonly string[]> => {
    const rest = [...rooms.all()].filter(
      (room) => !isDirect(room) && room.lastMessage !== null && isNewer(room.lastMessage, since),
    );
    return [...rest.map(({ id }) => id), ...(await directChannels())];
  };

  /** Until Discord answers; none of a channel that Parley may not read, and none once `signal` has ended. */
  const fetchOne = async (channel: string, since: string, signal: AbortSignal): Promise<readonly MessagePayload[]> => {
    const isGone = (thrown: unknown): boolean => thrown instanceof WriteFault && thrown.outcome === "gone";
    const onFailure = (thrown: unknown): void => {
      if (isGone(thrown)) throw thrown;
      log.warn({ channel, reason: reasonOf(thrown) }, "missed messages of a channel could not be fetched yet");
    };
    try {
      return await insist(() => history.after(channel, since, signal), { ...retry, clock, onFailure, signal });
    } catch (thrown) {
      if (signal.aborted || isGone(thrown)) return [];
      throw thrown;
    }
  };

  /** Until the store tells: to go on without would be to pass over what was missed. */
  const readMark = (signal: AbortSignal): Promise<Mark | undefined> =>
    insist(() => map.get(name), {
      ...retry,
      clock,
      signal,
      onFailure: (thrown) =>
        log.warn({ reason: reasonOf(thrown) }, "it could not be read yet how far Discord's messages have been taken in"),
    });

  const fetchAll = async (signal: AbortSignal): Promise<void> => {
    const ready = Promise.withResolvers<((channel: string) => Promise<void>) | undefined>();
    listed = ready.promise;
    try {
      const mark = await readMark(signal);
      if (mark === undefined) return;
      const since = idBefore(Math.max(mark.at - overlapMs, clock.now() - longestMs));
      let found = 0;
      const taken = new Map<string, Promise<void>>();
      const takeIn = async (channel: string): Promise<void> => {
        const missed = await fetchOne(channel, since, signal);
        found += missed.length;
        // One after the other: a channel's order is that of its lane.
        for (const message of missed) await intake.catchUp(message);
      };
      const takeInOnce = (channel: string): Promise<void> => {
        const known = taken.get(channel) ?? takeIn(channel);
        taken.set(channel, known);
        return known;
      };
      const channels = await channelsSince(since);
      ready.resolve(takeInOnce);
      for (const channel of channels) {
        if (signal.aborted) return;
        await takeInOnce(channel);
      }
      if (found > 0) log.info({ found }, "looked through the messages that were sent while Parley was away");
    } finally {
      ready.resolve(undefined);
      listed = Promise.resolve(undefined);
    }
  };

  const note = async (): Promise<void> => {
    const at = heardUntil();
    // While something waits to be taken in, or is being caught up with, the old mark stands.
    if (!Number.isFinite(at) || at <= 0 || running !== undefined || !intake.isSettled) return;
    try {
      const direct = await directChannels();
      await map.set(name, { at, direct });
      added = added.filter((one) => !direct.includes(one));
    } catch (thrown) {
      log.warn({ reason: reasonOf(thrown) }, "it could not be noted how far Discord's messages have been taken in");
    }
  };

  return {
    async run(signal) {
      if (!enabled) return;
      let complete = true;
      running ??= fetchAll(signal)
        .catch((thrown: unknown) => {
          complete = false;
          if (!signal.aborted) log.warn({ reason: reasonOf(thrown) }, "missed messages could not be caught up with");
        })
        .finally(() => (running = undefined));
      await running;
      // From now on there is something to catch up from, also when this process is killed at once.
      if (!signal.aborted && complete) await note();
    },
    async before(channel) {
      await (
        await listed
      )?.(channel);
    },
    direct(channel) {
      added = [channel, ...added.filter((one) => one !== channel)].slice(0, mostDirect);
    },
    watch(signal) {
      let cancel = (): void => {};
      const again = (): void => {
        cancel = clock.after(noteMs, () => void note().then(again));
      };
      again();
      signal.addEventListener("abort", () => cancel(), { once: true });
    },
    note,
  };
}
