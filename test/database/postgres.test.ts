/** PostgreSQL as replicas use it: migrated once, and never a wait without an end. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { migrate } from "../../src/database/migrate.ts";
import { expectPostgres, openPostgres } from "../../src/database/postgres.ts";
import { openStore, statementMs } from "../../src/open-store.ts";
import { createCipher } from "../../src/store/cipher.ts";
import { createTurnStore } from "../../src/store/turns.ts";
import { says } from "../core/engine.ts";
import { hasPostgres, newSchema, serverUrl } from "../store/postgres.ts";
import { openWay } from "./frozen.ts";

/** On a busy machine a connection alone can take half a second. */
const patient = { deadlineMs: 60_000, connections: 4 };
/** Each statement of a frozen server takes half of it. */
const options = { deadlineMs: 4_000, connections: 4 };

async function schema() {
  const made = await newSchema();
  onTestFinished(() => made.drop());
  return made;
}
async function open(url: string, how = patient) {
  const db = await openPostgres<{ things: { id: number; name: string } }>(url, how);
  onTestFinished(() => db.destroy());
  return db;
}

describe.skipIf(!hasPostgres)("PostgreSQL", () => {
  test("is migrated once, by whichever of several replicas comes first", async () => {
    const { url, name } = await schema();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ dataDir: "", databaseUrl: url })));
    const applied = await sql<{ name: string }>`select name from migrations`.execute(stores[0]!.db);
    expect(applied.rows.length).toBeGreaterThan(3);
    expect(new Set(applied.rows.map((row) => row.name)).size).toBe(applied.rows.length);
    const tables = await sql<{ n: number }>`select count(*) as n from pg_tables where schemaname = ${name}`.execute(
      stores[0]!.db,
    );
    expect(tables.rows[0]?.n).toBeGreaterThan(3);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("is waited for at the start for longer than a statement is later", async () => {
    const way = await openWay(serverUrl);
    onTestFinished(() => way.close());
    way.freeze();
    const opening = openStore({ dataDir: "", databaseUrl: way.through((await schema()).url) });
    await Promise.race([opening, delay(1_200)]);
    way.thaw();
    const { db, close } = await opening;
    expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
    await close();
  });

  test("orders text by its bytes, whatever the language of the database", async () => {
    const db = await open((await schema()).url);
    await migrate(db, [
      {
        name: "things-1",
        up: (on) => on.schema.createTable("things").addColumn("id", "bigint").addColumn("name", "text").execute(),
      },
    ]);
    const { rows } = await sql<{ collation: string }>`
      select collation_name as collation from information_schema.columns
      where table_name = 'things' and table_schema = current_schema() and column_name = 'name'`.execute(db);
    expect(rows).toEqual([{ collation: "C" }]);
  });

  test("gives whole numbers of 8 bytes as numbers, and takes flags", async () => {
    const db = await open(serverUrl);
    const { rows } = await sql`select ${2 ** 52}::bigint as big, ${true}::integer as flag`.execute(db);
    expect(rows).toEqual([{ big: 2 ** 52, flag: 1 }]);
  });

  test("compiles no statement, however much it guesses that one costs", async () => {
    const db = await open((await schema()).url);
    const { rows } = await sql<{ jit: string }>`show jit`.execute(db);
    expect(rows).toEqual([{ jit: "off" }]);
  });

  test("a frozen server is an error within the deadline, and is used again once it goes on", async () => {
    const way = await openWay(serverUrl);
    onTestFinished(() => way.close());
    const db = await open(way.through(serverUrl), options);
    const alive = () => sql`select 1`.execute(db);
    await alive();
    way.freeze();
    await expect(alive()).rejects.toThrow(/timeout/i);
    // Nothing is left of the connection that froze: the next statement tries another.
    await expect(alive()).rejects.toThrow(/timeout/i);
    way.thaw();
    await expect.poll(() => alive().then(({ rows }) => rows.length)).toBe(1);
  });

  test("each operation on a server that stands still ends within a second of the clock that counts its timeouts", async () => {
    expect(statementMs).toBeLessThanOrEqual(1_000);
    const made = await schema();
    const way = await openWay(serverUrl);
    onTestFinished(() => way.close());
    const store = await openStore({ dataDir: "", databaseUrl: way.through(made.url) });
    onTestFinished(() => store.close());
    const turns = createTurnStore(store.db, createCipher(new Uint8Array(32).fill(7)));
    await turns.put(says("before", "hello"), "l", 1);
    way.freeze();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      // What still waits for them is let go, so that the store can be closed.
      if (vi.isFakeTimers()) vi.runOnlyPendingTimers();
      vi.useRealTimers();
      way.thaw();
    });
    const operations = {
      put: () => turns.put(says("during", "hello"), "l", 1),
      claim: () => turns.claim({ owner: "me", now: 10, leaseUntil: 20, lane: "l" }),
      find: () => turns.find("before"),
      depth: () => turns.depth(1),
    };
    for (const [name, operate] of Object.entries(operations)) {
      // More at once than there are connections, so that some wait for one first.
      const ended = Array.from({ length: 25 }, () => ({ how: "goes on" }));
      for (const one of ended)
        operate().then(
          () => (one.how = "done"),
          (thrown: unknown) => (one.how = String(thrown)),
        );
      // Time goes on in steps, so that what a timeout lets begin has begun before the next.
      for (let ms = 0; ms < statementMs; ms += 10) {
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
        vi.advanceTimersByTime(10);
      }
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      const others = ended.filter(({ how }) => !/timeout/i.test(how));
      expect({ name, others }).toEqual({ name, others: [] });
    }
    vi.useRealTimers();
    way.thaw();
    await expect.poll(() => turns.find("before").then((turn) => turn?.key)).toBe("before");
  });

  test("a connection that breaks while it is used, or while it is not, ends nothing but itself", async () => {
    const way = await openWay(serverUrl);
    onTestFinished(() => way.close());
    const db = await open(way.through(serverUrl));
    await sql`select 1`.execute(db);
    way.cut();
    await expect.poll(() => sql`select 1`.execute(db).then(({ rows }) => rows.length)).toBe(1);
    const mark = randomUUID();
    const slow = sql`select pg_sleep(10), ${sql.lit(mark)}`.execute(db);
    const beside = await open(serverUrl);
    const running = sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where pid <> pg_backend_pid() and query like ${`%pg_sleep%${mark}%`}`;
    await expect.poll(async () => (await running.execute(beside)).rows[0]?.n).toBe(1);
    way.cut();
    await expect(slow).rejects.toThrow(/terminated|ECONNRESET/);
    expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
  });

  test("one that is not there is told by its address, without the password", async () => {
    const url = "postgres://ann:very-secret@127.0.0.1:1/parley";
    const db = await open(url);
    const thrown = await expectPostgres(db, url).catch((error: unknown) => error as Error);
    expect(String(thrown)).toMatch(/expected PostgreSQL at 127\.0\.0\.1:1\/parley \(DATABASE_URL\), got: .*ECONNREFUSED/);
    expect(String(thrown)).not.toContain("very-secret");
  });
});
