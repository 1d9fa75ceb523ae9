import { Decimal } from "decimal.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCounters } from "../../src/store/allowances.ts";
import { createLinks } from "../../src/store/links.ts";
import { createOversight } from "../../src/store/oversight.ts";
import { says, thread } from "../core/engine.ts";
import { overBoth, type Opened } from "./open.ts";

overBoth((openStore) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await openStore();
  });
  afterEach(() => opened.close());

  test("counts all, and shows as many as are asked for", async () => {
    const { store, db, cipher } = opened;
    const oversight = createOversight(db);
    const links = createLinks(db, cipher);
    for (const [at, person] of ["u1", "u2", "u3"].entries()) await links.put({ platform: "p", tenant: "t", person }, "key", at);
    expect(await oversight.links(2)).toMatchObject({ count: 3, newest: [{ person: "u3", broken: false }, { person: "u2" }] });

    for (const [key, name] of [
      ["a", "one"],
      ["b", "one"],
      ["c", "two"],
    ] as const)
      await store.put(says(key, "hello", { place: thread(name) }), name, 5);
    expect(await oversight.lanes(1)).toEqual([{ place: thread("one"), open: 2, oldest: 5 }]);

    const turn = await store.claim({ owner: "me", now: 10, leaseUntil: 20, lane: "two" });
    await store.close(turn!, 20, "failed", true);
    expect(await oversight.dead(30, 5)).toMatchObject({ count: 1, oldest: [{ key: "c", person: "u1", outcome: "failed" }] });
    expect(await oversight.dead(60 * 60_000, 2)).toMatchObject({ count: 3, oldest: [{ outcome: null }, { outcome: null }] });

    const day = { platform: "p", tenant: "t", period: "day", startsAt: 0 } as const;
    await createCounters(db).addCredits({ ...day, subject: "person:u1" }, new Decimal("0.5"));
    await createCounters(db).addTurn({ ...day, subject: "person:u2" });
    expect((await oversight.used(1_000, 5)).map(({ subject, credits }) => [subject, credits.toString()])).toEqual([
      ["person:u1", "0.5"],
    ]);
  });

  test("a turn that waits for its next try has it now; one that runs does not", async () => {
    const { store, db } = opened;
    const oversight = createOversight(db);
    await store.put(says("a", "hello"), "lane", 1);
    const turn = await store.claim({ owner: "me", now: 10, leaseUntil: 20, lane: "lane" });
    expect(await oversight.hasten("a", 15)).toBe(false);
    await store.release(turn!, 1_000);
    expect(await store.claim({ owner: "me", now: 20, leaseUntil: 30, lane: "lane" })).toBeUndefined();
    expect(await oversight.hasten("a", 20)).toBe(true);
    expect(await store.claim({ owner: "me", now: 20, leaseUntil: 30, lane: "lane" })).toBeDefined();
  });
});
