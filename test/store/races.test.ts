/** Replicas on one PostgreSQL that store, claim and close at the same moment: whichever is first, a lane is one line. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { says } from "../core/engine.ts";
import { openPostgresStore, type Opened } from "./open.ts";
import { hasPostgres } from "./postgres.ts";

const lane = "l";
/** People who each ask one thing after the other, in one thread. */
const askers = ["ann", "ben", "cleo", "dora", "emil"];
const asksEach = 10;
const all = askers.length * asksEach;

describe.skipIf(!hasPostgres)("two replicas that do everything at once", () => {
  let replicas: readonly Opened[];
  beforeEach(async () => {
    const first = await openPostgresStore();
    replicas = [await first.again(), first];
  });
  afterEach(async () => {
    const [second, first] = replicas;
    await second?.close({ keep: true });
    await first?.close();
  });

  test("run 50 questions of one thread one after the other, each once, and nobody's later one first", async () => {
    const answers: string[] = [];
    const stored: string[] = [];
    /** What was stored already when somebody began to ask. */
    const earlier = new Map<string, readonly string[]>();
    const begun: string[] = [];
    const running = new Set<string>();
    let most = 0;
    let closed = 0;

    const asks = async (asker: string): Promise<void> => {
      for (let at = 0; at < asksEach; at++) {
        const key = `${asker} ${at}`;
        earlier.set(key, [...stored]);
        // Their clocks differ: what is due first need not be first in line.
        answers.push(...(await Promise.all(replicas.map(({ store }, ahead) => store.put(says(key, "hello"), lane, ahead)))));
        stored.push(key);
      }
    };
    /** Takes whatever it is given, by the lane's name or by a look, as often as it can. */
    const works = async ({ store }: Opened, worker: string, byName: boolean): Promise<void> => {
      for (let number = 0; closed < all; number++) {
        const claim = { owner: `${worker}/${number}`, now: 10, leaseUntil: 30_000 };
        const turn = await store.claim(byName ? { ...claim, lane } : claim);
        if (turn === undefined) {
          if (!byName) await store.bringForward();
          continue;
        }
        begun.push(turn.key);
        running.add(turn.key);
        most = Math.max(most, running.size);
        await store.saveProgress(turn, { ...turn.progress, answer: number });
        running.delete(turn.key);
        expect(await store.close(turn, 20, "answered", false)).toBe(true);
        closed++;
      }
    };
    await Promise.all([
      ...askers.map(asks),
      ...replicas.flatMap((replica, index) => [
        works(replica, `${index} by name`, true),
        works(replica, `${index} too`, true),
        works(replica, `${index} by look`, false),
      ]),
    ]);

    expect(answers.filter((answer) => answer === "new")).toHaveLength(all);
    expect(most).toBe(1);
    expect(begun).toHaveLength(all);
    expect(new Set(begun).size).toBe(all);
    const place = new Map(begun.map((key, at) => [key, at]));
    const placeOf = (key: string): number => place.get(key) ?? -1;
    const overtaken = [...earlier].flatMap(([key, before]) => before.filter((other) => placeOf(other) > placeOf(key)));
    expect(overtaken).toEqual([]);
  });

  test("store a message that comes to both a hundred times as one turn", async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => replicas.map(({ store }) => store.put(says("k", "hello"), lane, 1))).flat(),
    );
    expect(answers.toSorted()).toEqual(["new", ...Array.from({ length: 199 }, () => "known")].toSorted());
    expect(await replicas[0]?.store.openIn(lane, 9)).toEqual(["k"]);
  });
});
