/** How a replica comes to know of a turn that another has left: it is told, or it looks. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLanes, type Lanes } from "../../src/core/lanes.ts";
import { openChannel, type Channel } from "../../src/database/channel.ts";
import { createLog } from "../../src/log.ts";
import { createBell } from "../../src/store/bell.ts";
import { says } from "../core/engine.ts";
import { openWay, type Way } from "../database/frozen.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { silentMetrics } from "../fakes/metrics.ts";
import { openPostgresStore, type Opened } from "./open.ts";
import { hasPostgres, serverUrl } from "./postgres.ts";

interface Replica {
  readonly lanes: Lanes;
  readonly clock: FakeClock;
  readonly begun: string[];
  /** How often what others told may have been missed. */
  readonly missed: () => number;
  readonly warned: string[];
  close(): Promise<void>;
}

describe.skipIf(!hasPostgres)("a turn that one replica gives back", () => {
  let opened: Opened;
  let way: Way;
  const replicas: Replica[] = [];
  beforeEach(async () => {
    opened = await openPostgresStore();
    way = await openWay(serverUrl);
  });
  afterEach(async () => {
    way.thaw();
    await Promise.all(replicas.splice(0).map((replica) => replica.close()));
    await way.close();
    await opened.close();
  });

  /** Runs turns that end when it drains; time stands still for it but for what `advance` gives. */
  const replica = async (name: string, listensOver: string, send?: Channel["send"]): Promise<Replica> => {
    const own = await opened.again();
    const clock = fakeClock();
    const begun: string[] = [];
    const warned: string[] = [];
    let missed = 0;
    const log = { warn: (_fields: object, text: string) => void warned.push(text) };
    const channel = openChannel({ db: own.db, url: listensOver, clock, log });
    const bell = createBell({ ...channel, ...(send === undefined ? {} : { send }) }, log);
    const lanes = createLanes({
      store: own.store,
      owner: name,
      exclusive: false,
      run(turn, { over }) {
        begun.push(turn.key);
        return new Promise((_resolve, reject) => {
          over.addEventListener("abort", () => reject(over.reason as Error), { once: true });
        });
      },
      onLeft: () => {},
      onReleased: (lane) => bell.ring({ lane }),
      onLateWrite: () => {},
      clock,
      metrics: silentMetrics,
      log: createLog("error", { write: (line: string) => void warned.push(line) }),
    });
    bell.listen(
      (ring) => "lane" in ring && void lanes.wake(ring.lane),
      () => missed++,
    );
    await lanes.start();
    await expect.poll(() => missed).toBe(1);
    const made: Replica = {
      lanes,
      clock,
      begun,
      missed: () => missed,
      warned,
      async close() {
        await lanes.drain();
        await channel.close();
        await own.close({ keep: true });
      },
    };
    replicas.push(made);
    return made;
  };
  const url = (): string => opened.databaseUrl ?? "";
  /** Two replicas, of which the first runs the turn `k`; the second's time stands still from now on. */
  const runningAtTheFirst = async (listensOver: string, send?: Channel["send"]) => {
    const [first, second] = [await replica("first", url(), send), await replica("second", listensOver)];
    await opened.store.put(says("k", "hello"), "l", first.clock.now());
    expect(await first.lanes.wake("l")).toBe("k");
    return { first, second };
  };

  test("is begun by another as soon as it is told, with no look", async () => {
    const { first, second } = await runningAtTheFirst(url());
    await first.lanes.drain();
    await expect.poll(() => second.begun).toEqual(["k"]);
    expect(first.warned).toEqual([]);
  });

  test("is found by a look within a second where the connection that listens is frozen", async () => {
    const { first, second } = await runningAtTheFirst(way.through(url()));
    way.freeze();
    await first.lanes.drain();
    expect(second.begun).toEqual([]);
    await second.clock.advance(1_000);
    await expect.poll(() => second.begun).toEqual(["k"]);
    expect(second.missed()).toBe(1);
  });

  test("is found by a look where others could not be told of it, which is said", async () => {
    const { first, second } = await runningAtTheFirst(url(), () => Promise.reject(new Error("the database is away")));
    await first.lanes.drain();
    await expect.poll(() => first.warned).toEqual(["other replicas could not be told; they find it by looking"]);
    expect(second.begun).toEqual([]);
    await second.clock.advance(1_000);
    await expect.poll(() => second.begun).toEqual(["k"]);
  });
});
