import { afterEach, beforeEach, expect, test } from "vitest";
import { clearExpired, createMap } from "../../src/store/key-values.ts";
import { fakeClock } from "../fakes/clock.ts";
import { overBoth, type Opened } from "./open.ts";

overBoth((openStore) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await openStore();
  });
  afterEach(() => opened.close());

  test("maps of two names do not see each other, and survive a restart", async () => {
    const clock = fakeClock();
    const threads = createMap<{ id: number }>(opened.db, clock, "threads");
    const settings = createMap<{ id: number }>(opened.db, clock, "settings");
    await threads.set("a:b", { id: 1 });
    await settings.set("a:b", { id: 2 });
    expect(await threads.get("a:b")).toEqual({ id: 1 });
    await opened.close({ keep: true });
    opened = await opened.again();
    expect(await createMap(opened.db, clock, "settings").get("a:b")).toEqual({ id: 2 });
    expect(await createMap(opened.db, clock, "threads").has("a:b")).toBe(true);
  });

  test("many at once, deletion, and clearing", async () => {
    const map = createMap<number>(opened.db, fakeClock(), "settings");
    await map.setMany([
      { key: "x", value: 1 },
      { key: "y", value: 2 },
    ]);
    expect(await map.get(["x", "nothing", "y"])).toEqual([1, undefined, 2]);
    expect(await map.delete("x")).toBe(true);
    expect(await map.delete("x")).toBe(false);
    await map.clear();
    expect(await map.get("y")).toBeUndefined();
  });

  test("what has expired is not found, and is deleted by the sweep, by the clock that was given and no other", async () => {
    const clock = fakeClock();
    const map = createMap<number>(opened.db, clock, "settings");
    await map.set("short", 1, 1_000);
    await map.setMany([{ key: "also short", value: 3, ttl: 1_000 }]);
    await map.set("long", 2);
    await clock.advance(999);
    expect(await map.get(["short", "also short"])).toEqual([1, 3]);
    expect(await clearExpired(opened.db, clock.now())).toBe(0);
    await clock.advance(1);
    expect(await map.get(["short", "also short"])).toEqual([undefined, undefined]);
    expect(await clearExpired(opened.db, clock.now())).toBe(2);
    expect(await map.get("long")).toBe(2);
  });

  test("a failing database throws, and is never taken for an absent value", async () => {
    const map = createMap<number>(opened.db, fakeClock(), "settings");
    await map.set("x", 1);
    await opened.db.schema.dropTable("key_values").execute();
    await expect(map.get("x")).rejects.toThrow(/key_values/);
    await expect(map.set("x", 2)).rejects.toThrow(/key_values/);
  });
});
