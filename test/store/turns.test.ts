import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { InboundMessage } from "../../src/core/inbound.ts";
import { createForgetting } from "../../src/store/forgetting.ts";
import { overBoth, type Opened } from "./open.ts";

overBoth((openStore) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await openStore();
  });
  afterEach(() => opened.close());

  const inbound = (key: string, text = "hello"): InboundMessage => ({
    kind: "message",
    key,
    place: { platform: "fake", tenant: "t", channel: "c", thread: "1" },
    author: { id: "u", name: "Ann" },
    at: 1,
    message: key,
    runs: [{ typed: text }],
    files: [],
  });
  const claim = (lane: string | undefined, now = 10, owner = "me") =>
    opened.store.claim({ owner, now, leaseUntil: now + 100, ...(lane === undefined ? {} : { lane }) });

  test("a key is stored once, whatever comes with it", async () => {
    expect(await opened.store.put(inbound("k"), "l", 1)).toBe("new");
    expect(await opened.store.put(inbound("k", "other"), "l", 1)).toBe("known");
    expect((await claim("l"))?.inbound).toEqual(inbound("k"));
  });

  test("a lane gives one turn at a time, in order, to one owner", async () => {
    for (const key of ["a", "b"]) await opened.store.put(inbound(key), "l", 1);
    const first = await claim("l");
    expect(first?.key).toBe("a");
    expect(await claim("l", 11, "other")).toBeUndefined();
    expect(await claim(undefined, 11, "other")).toBeUndefined();
    expect(await opened.store.close(first!, 12, "answered", false)).toBe(true);
    expect((await claim("l", 13, "other"))?.key).toBe("b");
  });

  test("a turn that was stored after its neighbour began waits for it, and keeps no other lane back", async () => {
    for (const [key, lane] of [
      ["late", "l"],
      ["early", "l"],
      ["other", "m"],
    ] as const)
      await opened.store.put(inbound(key), lane, 1);
    // As when two processes store at once: the later id is there, and begun, before the earlier one.
    await opened.db.updateTable("turns").set({ owner: "me", lease_until: 100, fence: 1 }).where("key", "=", "early").execute();
    expect(await claim("l")).toBeUndefined();
    expect((await claim(undefined))?.key).toBe("other");
    expect(await claim(undefined)).toBeUndefined();
  });

  /** Keys of the turns that a look over all lanes goes through. */
  const lookedAt = async (): Promise<string[]> => {
    const rows = await opened.db
      .selectFrom("turns")
      .select("key")
      .where("closed_at", "is", null)
      .where("owner", "is", null)
      .where("behind", "is", null)
      .orderBy("id")
      .execute();
    return rows.map(({ key }) => key);
  };

  test("a look goes through no turn that waits behind another, however many there are", async () => {
    const lanes = Array.from({ length: 5 }, (_, index) => `l${index}`);
    for (const lane of lanes) for (let at = 0; at < 20; at++) await opened.store.put(inbound(`${lane} ${at}`), lane, 1);
    expect(await lookedAt()).toEqual(lanes.map((lane) => `${lane} 0`));
    const running = await Promise.all(lanes.map((lane) => claim(lane)));
    expect(await lookedAt()).toEqual([]);
    expect(await claim(undefined)).toBeUndefined();
    await opened.store.close(running[0]!, 20, "answered", false);
    await opened.store.release(running[1]!, 20);
    expect(await lookedAt()).toEqual(["l0 1", "l1 0"]);
    await opened.store.cancelWaiting("l1 0", 21);
    expect(await lookedAt()).toEqual(["l0 1", "l1 1"]);
  });

  test("a turn that the end of the one before it missed is found by looking at all that wait behind", async () => {
    for (const lane of ["l", "m"]) for (const at of [0, 1, 2]) await opened.store.put(inbound(`${lane} ${at}`), lane, 1);
    // As when a person is forgotten, or a turn came in while another process closed the one before it.
    await opened.db.deleteFrom("turns").where("key", "in", ["l 0", "m 0"]).execute();
    expect(await claim(undefined)).toBeUndefined();
    // A claim by the lane's name needs no look, and what it took is found by one when its lease has ended.
    expect((await claim("m"))?.key).toBe("m 1");
    expect(await opened.store.expire(1_000)).toBe(1);
    expect(await lookedAt()).toEqual(["m 1"]);
    await opened.store.bringForward();
    expect(await lookedAt()).toEqual(["l 1", "m 1"]);
    expect((await claim(undefined))?.key).toBe("l 1");
  });

  test("a claim whose answer was lost is given back", async () => {
    await opened.store.put(inbound("k"), "l", 1);
    const lost = await claim("l", 10, "me/1");
    await opened.store.disown("me/2");
    expect(await claim("l", 11, "me/3")).toBeUndefined();
    await opened.store.disown("me/1");
    expect((await claim("l", 12, "me/4"))?.fence).toBe(lost!.fence + 1);
    expect(await opened.store.close(lost!, 13, "answered", false)).toBe(false);
  });

  test("without a lane, the turn that has been due longest of any lane is given", async () => {
    await opened.store.put(inbound("late"), "x", 5);
    await opened.store.put(inbound("early"), "y", 2);
    expect((await claim(undefined))?.key).toBe("early");
    expect((await claim(undefined))?.key).toBe("late");
    expect(await claim(undefined)).toBeUndefined();
  });

  test("an owner that lost its lease writes nothing any more", async () => {
    await opened.store.put(inbound("k"), "l", 1);
    const old = (await claim("l", 10))!;
    expect(await opened.store.expire(111)).toBe(1);
    const fresh = (await claim("l", 120, "other"))!;
    expect(fresh.fence).toBe(old.fence + 1);
    expect(await opened.store.saveProgress(old, { delivery: { messages: [], attached: null }, answer: 1 })).toBe(false);
    expect(await opened.store.close(old, 121, "answered", false)).toBe(false);
    expect(await opened.store.release(old, 0)).toBe(false);
    expect(await opened.store.renew(old, 999)).toBeUndefined();
    expect(await opened.store.renew(fresh, 999)).toEqual({ stopRequested: false, removal: null });
  });

  test("what has been done is there for the next owner", async () => {
    await opened.store.put(inbound("k"), "l", 1);
    const turn = (await claim("l"))!;
    const progress = {
      delivery: { messages: [{ place: turn.inbound.place, id: "m1" }], attached: null },
      sent: { conversationId: 5 },
    };
    expect(await opened.store.saveProgress(turn, progress)).toBe(true);
    expect(await opened.store.release(turn, 50)).toBe(true);
    expect(await claim("l", 49)).toBeUndefined();
    expect((await claim("l", 50))?.progress).toEqual(progress);
  });

  test("a waiting turn can be changed or cancelled, a begun one only stopped", async () => {
    await opened.store.put(inbound("k"), "l", 1);
    expect(await opened.store.replaceWaiting("k", inbound("k", "better"))).toBe(true);
    const turn = (await claim("l"))!;
    expect(turn.inbound).toEqual(inbound("k", "better"));
    expect(await opened.store.replaceWaiting("k", inbound("k", "too late"))).toBe(false);
    expect(await opened.store.cancelWaiting("k", 20)).toBe(false);
    expect(await opened.store.requestStop("k", 20)).toBe(true);
    expect(await opened.store.renew(turn, 200)).toEqual({ stopRequested: true, removal: null });
    await opened.store.put(inbound("w"), "l", 1);
    expect(await opened.store.cancelWaiting("w", 20)).toBe(true);
    expect(await opened.store.openIn("l", 9)).toEqual(["k"]);
  });

  test("text is sealed on disk, and gone once the turn is closed or a day has passed", async () => {
    const secret = "the-canary-in-the-text";
    await opened.store.put(inbound("k", secret), "l", 1);
    await opened.store.put(inbound("f", secret), "m", 1);
    expect(await opened.holds(secret)).toBe(false);
    await opened.store.close((await claim("l"))!, 20, "answered", false);
    expect(await opened.store.find("k")).toBeUndefined();
    await opened.store.close((await claim("m"))!, 20, "failed", true);
    expect((await opened.store.find("f"))?.outcome).toBe("failed");
    expect((await opened.store.newestOf("m"))?.key).toBe("f");
    expect(await opened.store.forgetText(20)).toBe(0);
    expect(await opened.store.forgetText(21)).toBe(1);
    expect(await opened.store.find("f")).toBeUndefined();
  });

  test("depth tells how many wait and run, and since when", async () => {
    expect(await opened.store.depth(10)).toEqual({ waiting: 0, running: 0, oldestWaitingMs: 0 });
    for (const key of ["a", "b"]) await opened.store.put(inbound(key), "l", 3);
    await claim("l");
    expect(await opened.store.depth(10)).toEqual({ waiting: 1, running: 1, oldestWaitingMs: 7 });
  });

  test("in any order of calls, no lane ever runs two turns and none is run before an earlier one", async () => {
    const action = fc.record({
      act: fc.constantFrom("put", "claim", "look", "close", "cancel", "release", "expire"),
      lane: fc.constantFrom("x", "y"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25, size: "max" }), async (actions) => {
        await opened.db.deleteFrom("turns").execute();
        const open = new Map<string, string[]>([
          ["x", []],
          ["y", []],
        ]);
        const running = new Map<string, NonNullable<Awaited<ReturnType<typeof claim>>>>();
        const wrong: string[] = [];
        const acts: Record<string, (lane: string, index: number) => Promise<void>> = {
          async put(lane, index) {
            await opened.store.put(inbound(`${lane}${index}`), lane, 1);
            open.get(lane)?.push(`${lane}${index}`);
          },
          async claim(lane) {
            const turn = await claim(lane);
            const expected = running.has(lane) ? undefined : open.get(lane)?.[0];
            if (turn?.key !== expected) wrong.push(`claimed ${turn?.key}, expected ${expected}`);
            if (turn !== undefined) running.set(lane, turn);
          },
          async look() {
            const turn = await claim(undefined);
            const ready = [...open].filter(([lane, keys]) => !running.has(lane) && keys.length > 0).map(([, keys]) => keys[0]);
            if (turn === undefined ? ready.length > 0 : !ready.includes(turn.key))
              wrong.push(`a look gave ${turn?.key} of ${ready.join(", ")}`);
            if (turn !== undefined) running.set(turn.lane, turn);
          },
          async cancel(lane) {
            const keys = open.get(lane) ?? [];
            // The one that is next to run.
            const at = running.has(lane) ? 1 : 0;
            const key = keys[at];
            if (key === undefined) return;
            if (!(await opened.store.cancelWaiting(key, 30))) wrong.push(`could not cancel ${key}`);
            keys.splice(at, 1);
          },
          async release(lane) {
            const turn = running.get(lane);
            if (turn === undefined) return;
            if (!(await opened.store.release(turn, 1))) wrong.push(`could not give back ${turn.key}`);
            running.delete(lane);
          },
          async close(lane) {
            const turn = running.get(lane);
            if (turn === undefined) return;
            if (!(await opened.store.close(turn, 30, "done", false))) wrong.push(`could not close ${turn.key}`);
            running.delete(lane);
            open.get(lane)?.shift();
          },
          async expire() {
            await opened.store.expire(1_000);
            running.clear();
          },
        };
        for (const [index, { act, lane }] of actions.entries()) await acts[act]?.(lane, index);
        expect(wrong).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("a sign's messages are kept by the right of the turn that runs, while its own waits", async () => {
    const { store } = opened;
    const delivery = (id: string) => ({ messages: [{ place: inbound("k2").place, id }], attached: null });
    const journaled = async () => (await store.find("k2"))?.progress.delivery.messages.map(({ id }) => id);
    for (const key of ["k1", "k2"]) await store.put(inbound(key), "l", 1);
    const first = await claim("l", 10);
    expect(await store.saveSign(first!, "k2", delivery("m1"))).toBe(true);
    expect(await journaled()).toEqual(["m1"]);
    expect((await store.find("k2"))?.progress.signed).toBe(true);
    await store.expire(1_000);
    const second = await claim("l", 20, "other");
    expect(await store.saveSign(second!, "k2", delivery("m2"))).toBe(true);
    expect(await store.saveSign(first!, "k2", delivery("m3"))).toBe(false);
    expect(await journaled()).toEqual(["m2"]);
    expect(await store.cancelWaiting("k2", 30)).toBe(true);
    expect(await store.saveSign(second!, "k2", delivery("m4"))).toBe(true);
    const { progress } = await opened.db.selectFrom("turns").select("progress").where("key", "=", "k2").executeTakeFirstOrThrow();
    expect(progress).not.toContain("m4");
  });

  test("a verdict is kept with its turn, one of each person, and goes with the tenant", async () => {
    const { db, store } = opened;
    const stored = async (): Promise<unknown[]> =>
      db.selectFrom("ratings").select(["turn_key", "person", "verdict", "at"]).orderBy("person").execute();
    await store.put(inbound("k1"), "lane", 1);
    expect(await store.rate("k1", "ann", "helpful", 2)).toBe(true);
    expect(await store.rate("k1", "ben", "helpful", 3)).toBe(true);
    expect(await store.rate("k1", "ann", "unhelpful", 4)).toBe(true);
    expect(await store.rate("no such turn", "ann", "helpful", 5)).toBe(false);
    expect((await stored()).map((row) => ({ ...(row as object) }))).toEqual([
      { turn_key: "k1", person: "ann", verdict: "unhelpful", at: 4 },
      { turn_key: "k1", person: "ben", verdict: "helpful", at: 3 },
    ]);
    await createForgetting(db, opened.cipher).tenant("fake", "t", "none");
    expect(await stored()).toEqual([]);
  });
});
