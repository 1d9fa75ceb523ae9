/** A SQLite store moved to PostgreSQL: all of it, as it was, or nothing. */
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Thread } from "../../src/core/threads.ts";
import { migrate } from "../../src/database/migrate.ts";
import { createMap } from "../../src/store/key-values.ts";
import { moveStore, type Moved } from "../../src/store/move.ts";
import { says } from "../core/engine.ts";
import { fakeClock } from "../fakes/clock.ts";
import { openPostgresStore, openStore } from "./open.ts";
import { hasPostgres } from "./postgres.ts";

const both = async () => {
  const [from, to] = [await openStore(), await openPostgresStore()];
  onTestFinished(async () => {
    await from.close();
    await to.close();
  });
  return { from, to };
};
const filled = async (turns: number) => {
  const { from, to } = await both();
  await from.db.transaction().execute(async (transaction) => {
    for (let at = 0; at < turns; at++) {
      const { id: _, ...row } = { ...sample, id: 0, key: `k${at}`, lane: `lane ${at % 7}`, owner: null };
      await transaction.insertInto("turns").values(row).execute();
    }
  });
  await from.store.put(says("open", "what is the time? “naïve” 🙂\n"), "open", 5);
  await from.store.rate("k1", "ann", "helpful", 7);
  await createMap<Thread>(from.db, fakeClock(1), "threads").set("a:b", {
    conversationId: 2 ** 40,
    newest: 1,
    startedAt: 2,
  });
  return { from, to };
};
/** How many rows PostgreSQL's planner takes a table to have; -1: it has never counted. */
const planned = async (db: Awaited<ReturnType<typeof openStore>>["db"], table: string): Promise<number | undefined> =>
  (await sql<{ rows: number }>`select reltuples::int as rows from pg_class where oid = ${table}::regclass`.execute(db)).rows[0]
    ?.rows;
const sample = {
  kind: "message",
  platform: "fake",
  place: "fake:t:c:1",
  asker: "ann",
  body: null,
  progress: "{}",
  due_at: 1_700_000_000_000,
  lease_until: null,
  fence: 2,
  stop_at: null,
  outcome: "answered",
  created_at: 1_700_000_000_001,
  closed_at: 1_700_000_000_002,
};

describe.skipIf(!hasPostgres)("a store that is moved", () => {
  test("is the same there, in every row, and goes on counting", async () => {
    const { from, to } = await filled(2_345);
    const moved: Moved[] = [];
    await moveStore(from.db, to.db, (table) => void moved.push(table));
    expect(moved).toContainEqual({ table: "turns", rows: 2_346, left: 0 });
    expect(moved).toContainEqual({ table: "ratings", rows: 1, left: 0 });
    expect(await planned(to.db, "turns")).toBe(2_346);
    const all = (db: typeof from.db) => db.selectFrom("turns").selectAll().orderBy("id").execute();
    expect(await all(to.db)).toEqual((await all(from.db)).map((row) => ({ ...row })));
    expect((await to.store.find("open"))?.inbound).toEqual((await from.store.find("open"))?.inbound);
    expect(await createMap<Thread>(to.db, fakeClock(1), "threads").get("a:b")).toMatchObject({ conversationId: 2 ** 40 });
    await to.store.put(says("next", "hello"), "open", 6);
    expect((await to.store.claim({ owner: "me", now: 10, leaseUntil: 20, lane: "open" }))?.key).toBe("open");
    expect(await to.store.openIn("open", 9)).toEqual(["open", "next"]);
  });

  test("is counted for the planner after its tables were changed, too", async () => {
    const { to } = await both();
    for (const key of ["a", "b", "c"]) await to.store.put(says(key, "hello"), "l", 1);
    expect(await planned(to.db, "turns")).toBe(-1);
    await migrate(to.db, [
      { name: "later-1", up: (db) => sql`alter table turns add column later text`.execute(db).then(() => {}) },
    ]);
    expect(await planned(to.db, "turns")).toBe(3);
  });

  test("leaves the console's turns where the console is, and says how many", async () => {
    const { from, to } = await both();
    await from.store.put(says("c", "hello", { place: { platform: "console", tenant: "t", channel: "c", thread: null } }), "c", 1);
    const moved: Moved[] = [];
    await moveStore(from.db, to.db, (table) => void moved.push(table));
    expect(moved).toContainEqual({ table: "turns", rows: 0, left: 1 });
    expect(await to.db.selectFrom("turns").selectAll().execute()).toEqual([]);
  });

  test("into one that is not empty changes nothing there", async () => {
    const { from, to } = await filled(3);
    await to.store.put(says("there", "hello"), "l", 1);
    await expect(moveStore(from.db, to.db, () => {})).rejects.toThrow(/expected an empty store .* rows in turns/);
    expect(await to.db.selectFrom("turns").select("key").execute()).toEqual([{ key: "there" }]);
  });

  test("that breaks off leaves nothing, and is begun again", async () => {
    const { from, to } = await filled(1_500);
    // A row that does not arrive as it was sent.
    await sql`create function shout() returns trigger language plpgsql as
      'begin new.asker = upper(new.asker); return new; end'`.execute(to.db);
    await sql`create trigger shout before insert on turns for each row when (new.key = 'k1200') execute function shout()`.execute(
      to.db,
    );
    await expect(moveStore(from.db, to.db, () => {})).rejects.toThrow(
      /turns: expected 1501 rows with the hash .* Nothing was kept/,
    );
    expect(await to.db.selectFrom("turns").selectAll().execute()).toEqual([]);
    await sql`drop trigger shout on turns`.execute(to.db);
    await moveStore(from.db, to.db, () => {});
    expect(await to.db.selectFrom("turns").select("key").execute()).toHaveLength(1_501);
  });
});
