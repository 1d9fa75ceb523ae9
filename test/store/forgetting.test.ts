/** Nobody is left over: the whole schema and every map, filled with a person and a tenant, and looked through for them. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { placeKey } from "../../src/core/place.ts";
import { createAudit } from "../../src/store/audit.ts";
import { createForgetting } from "../../src/store/forgetting.ts";
import { mapHoldings } from "../../src/store/holdings.ts";
import { says } from "../core/engine.ts";
import { fakeClock } from "../fakes/clock.ts";
import { directly, everythingIn, gone, other, platform, room } from "./everything.ts";
import { overBoth, type Opened } from "./open.ts";

let opened: Opened;

let all: ReturnType<typeof everythingIn>;

overBoth((openStore) => {
  beforeEach(async () => {
    opened = await openStore();
    all = everythingIn(opened);
  });
  afterEach(() => opened.close());

  test("every table and every map is filled here", async () => {
    expect(Object.keys(all.tables).toSorted()).toEqual((await all.tablesThere()).toSorted());
    expect(Object.keys(all.maps).toSorted()).toEqual(Object.keys(mapHoldings).toSorted());
    await all.fill();
    for (const table of await all.tablesThere()) {
      const rows = (await all.rowsOf(table)).join();
      for (const ids of [gone, other]) expect.soft(rows, table).toMatch(new RegExp(`${ids.person}|${ids.tenant}|${ids.direct}`));
    }
  });

  describe("a person who is forgotten", () => {
    test("is nowhere any more, in no row of no table, and nobody else is missing", async () => {
      await all.fill();
      const before = (await all.dump()).filter((row) => row.includes(other.person) || row.includes(other.direct));
      const { counts, pseudonym } = await createForgetting(opened.db, opened.cipher).person(platform, gone.person, null, "none");
      const left = await all.dump();
      expect(left.filter((row) => row.includes(gone.person) || row.includes(gone.direct))).toEqual([]);
      const others = left.filter((row) => row.includes(other.person) || row.includes(other.direct));
      expect(others.filter((row) => !row.includes('"discord-marks"'))).toEqual(
        before.filter((row) => !row.includes('"discord-marks"')),
      );
      expect(counts).toMatchObject({ turns: 2, ratings: 1, links: 1, audited: 2 });
      const lines = await Array.fromAsync(createAudit(opened.db, fakeClock()).read({ person: pseudonym }));
      expect(lines).toHaveLength(2);
      expect(lines.map(({ channel, thread, turn }) => [channel, thread, turn])).toEqual(
        expect.arrayContaining([
          ["c", null, null],
          [null, null, null],
        ]),
      );
    });

    test("takes the threads along that were begun with their key, and tells which conversations these are", async () => {
      const link = await all.links().put({ platform, tenant: gone.tenant, person: gone.person }, "key", 1);
      await all.put("threads", placeKey(room(other)), { conversationId: 7, newest: 0, startedAt: 1, account: link.id });
      await all.put("conversations", "7", placeKey(room(other)));
      const forgetting = createForgetting(opened.db, opened.cipher);
      expect(await forgetting.begun(platform, gone.person)).toEqual([{ account: link.id, conversationId: 7 }]);
      await forgetting.person(platform, gone.person, null, "none");
      expect(await all.rowsOf("key_values")).toEqual([]);
      expect(await forgetting.begun(platform, gone.person)).toEqual([]);
    });

    test("of one platform is somebody else on another", async () => {
      await all.fill();
      await createForgetting(opened.db, opened.cipher).person("slack", gone.person, null, "none");
      expect((await all.dump()).filter((row) => row.includes(gone.person)).length).toBeGreaterThan(5);
    });

    test("who asks in a direct message takes its settings along, also when the audit log is too young to know it", async () => {
      await all.byPlace("settings")(gone);
      const forgetting = createForgetting(opened.db, opened.cipher);
      await forgetting.person(platform, gone.person, { ...directly(gone) }, "none");
      expect((await all.dump()).filter((row) => row.includes(gone.direct))).toEqual([]);
    });
  });

  describe("a tenant that Parley was removed from", () => {
    test("leaves nothing but its audit log without people and channels, and takes nothing of another's", async () => {
      await all.fill();
      await opened.store.put(says("the purge", "", { place: { ...room(gone), thread: null } }), "now:purge", 1);
      const before = (await all.dump()).filter((row) => row.includes(other.tenant) || row.includes("@me"));
      await createForgetting(opened.db, opened.cipher).tenant(platform, gone.tenant, "the purge");
      const left = (await all.dump()).filter((row) => row.includes(gone.tenant));
      expect(left.filter((row) => !row.includes('"the purge"'))).toEqual([expect.stringContaining('"kind":"message"')]);
      expect(left.filter((row) => !row.includes('"the purge"')).join()).not.toContain(gone.person);
      expect((await all.dump()).filter((row) => row.includes(other.tenant) || row.includes("@me"))).toEqual(before);
      expect(await opened.store.find("the purge")).toBeDefined();
    });

    test("with colons in its name is no other's beginning", async () => {
      const tricky = { ...gone, tenant: "t_gone:c" };
      await all.tables["turns"]!({ ...other, tenant: tricky.tenant });
      await createForgetting(opened.db, opened.cipher).tenant(platform, gone.tenant, "none");
      expect(await all.rowsOf("turns")).toHaveLength(2);
    });
  });

  test("what was closed long ago goes with its ratings, and nothing that is open", async () => {
    const { store, db } = opened;
    const forgetting = createForgetting(db, opened.cipher);
    for (const key of ["old", "young", "open"]) await store.put(says(key, "hello"), key, 1);
    for (const [key, at] of [
      ["old", 1_000],
      ["young", 3_000],
    ] as const) {
      const turn = await store.claim({ owner: "me", now: 10, leaseUntil: 20, lane: key });
      await store.close(turn!, at, "answered", false);
      await store.rate(key, "u", "helpful", at);
    }
    expect(await forgetting.prune(2_000)).toBe(1);
    expect(await forgetting.prune(2_000)).toBe(0);
    const left = await db.selectFrom("turns").select("key").orderBy("id").execute();
    expect(left.map(({ key }) => key)).toEqual(["young", "open"]);
    expect((await db.selectFrom("ratings").select("turn_key").execute()).map((row) => row.turn_key)).toEqual(["young"]);
  });
});
