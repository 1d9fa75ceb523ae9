/** Replicas of two versions beside each other: what a version changes in the store only adds, so that the one before goes on. */
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrate, migrationOf, type Migration } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { openStore } from "../../src/open-store.ts";
import { createCipher } from "../../src/store/cipher.ts";
import { storeMigrations, type StoreDatabase, type StoreSchema } from "../../src/store/schema.ts";
import { createTurnStore } from "../../src/store/turns.ts";
import { says } from "../core/engine.ts";
import { hasPostgres, newSchema } from "../store/postgres.ts";

const cipher = createCipher(new Uint8Array(32).fill(7));

interface Column {
  readonly column: string;
  readonly table: string;
  readonly type: string;
  readonly required: boolean;
  /** Required, and nothing is put there by itself. */
  readonly demanded: boolean;
}
async function columnsOf(db: StoreDatabase): Promise<readonly Column[]> {
  const { rows } = await sql<Column>`
    select table_name as "table", column_name as "column", data_type as type, is_nullable = 'NO' as required,
      is_nullable = 'NO' and column_default is null as demanded
    from information_schema.columns where table_schema = current_schema() order by 1, 2`.execute(db);
  return rows;
}
/** What refuses rows: unique indexes, and constraints of any kind. */
async function refusalsOf(db: StoreDatabase): Promise<readonly { readonly table: string; readonly name: string }[]> {
  const { rows } = await sql<{ table: string; name: string }>`
    select c.relname as "table", i.relname as name from pg_index x
    join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where x.indisunique and c.relnamespace = current_schema()::regnamespace
    union
    select c.relname, k.conname from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype <> 'n' and c.relnamespace = current_schema()::regnamespace order by 1, 2`.execute(db);
  return rows;
}

/** What `migration` does that an older version does not bear. */
async function harmOf(db: StoreDatabase, before: readonly Migration[], migration: Migration): Promise<string[]> {
  const [columns, refusals] = [await columnsOf(db), await refusalsOf(db)];
  await migrate(db, [...before, migration]);
  const [after, refusing] = [await columnsOf(db), await refusalsOf(db)];
  const old = new Set(columns.map(({ table }) => table));
  const now = new Map(after.map((column) => [`${column.table}.${column.column}`, column]));
  const names = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  return [
    ...columns.flatMap(({ table, column, type, required }) => {
      const found = now.get(`${table}.${column}`);
      if (found === undefined) return [`takes ${table}.${column} away`];
      return found.type !== type || (found.required && !required) ? [`changes ${table}.${column}`] : [];
    }),
    ...[...now].flatMap(([name, { table, demanded }]) =>
      old.has(table) && !names.has(name) && demanded ? [`demands ${name}`] : [],
    ),
    ...refusing.flatMap(({ table, name }) =>
      old.has(table) && !refusals.some((one) => one.name === name) ? [`refuses more by ${name}`] : [],
    ),
  ];
}

/** What a next version might add. */
const next = migrationOf("future-1", [
  sql`create table later (id bigint primary key, words text not null)`,
  sql`alter table turns add column mood text`,
  sql`alter table turns add column weight integer not null default 1`,
  sql`create index turns_weight on turns (weight, id)`,
]);

describe.skipIf(!hasPostgres)("the store", () => {
  const schema = async () => {
    const made = await newSchema();
    onTestFinished(() => made.drop());
    return made;
  };
  const open = async (url: string): Promise<StoreDatabase> => {
    const db = await openPostgres<StoreSchema>(url, { deadlineMs: 60_000, connections: 2 });
    onTestFinished(() => db.destroy());
    return db;
  };

  test("is only added to, by every migration", async () => {
    const db = await open((await schema()).url);
    await migrate(db, []);
    const harm: Record<string, string[]> = {};
    for (const [at, migration] of storeMigrations.entries()) {
      const found = await harmOf(db, storeMigrations.slice(0, at), migration);
      if (found.length > 0) harm[migration.name] = found;
    }
    expect(harm).toEqual({});
    expect((await columnsOf(db)).length).toBeGreaterThan(50);
  });

  test.for([
    ["takes turns.fence away", sql`alter table turns drop column fence`],
    ["takes turns.lane away", sql`alter table turns rename column lane to line`],
    ["changes turns.fence", sql`alter table turns alter column fence type text`],
    ["changes turns.due_at", sql`alter table turns alter column due_at type text`],
    ["changes turns.owner", sql`alter table turns alter column owner set not null`],
    ["demands turns.mood", sql`alter table turns add column mood text not null`],
    ["refuses more by turns_lonely", sql`create unique index turns_lonely on turns (asker)`],
    ["refuses more by turns_checked", sql`alter table turns add constraint turns_checked check (fence < 9)`],
  ] as const)("and what %s would be found", async ([harm, statement]) => {
    const db = await open((await schema()).url);
    await migrate(db, storeMigrations);
    expect(await harmOf(db, storeMigrations, migrationOf("future-1", [statement]))).toContain(harm);
  });

  test("of a newer version is gone on with: by who runs, and by who starts", async () => {
    const { url } = await schema();
    const running = await openStore({ dataDir: "", databaseUrl: url });
    onTestFinished(() => running.close());
    expect(running.newer).toEqual([]);
    const old = createTurnStore(running.db, cipher);
    const claim = (lane: string) => old.claim({ owner: `of ${lane}`, now: 10, leaseUntil: 20, lane });
    await old.put(says("a", "hello"), "a", 1);
    const begun = await claim("a");

    expect(await migrate(await open(url), [...storeMigrations, next])).toEqual([]);

    expect(await old.saveProgress(begun!, begun!.progress)).toBe(true);
    expect(await old.close(begun!, 11, "answered", false)).toBe(true);
    expect(await old.put(says("b", "hello"), "b", 1)).toBe("new");
    expect((await claim("b"))?.inbound).toEqual(says("b", "hello"));
    expect(await old.depth(20)).toMatchObject({ running: 1, waiting: 0 });

    const started = await openStore({ dataDir: "", databaseUrl: url });
    onTestFinished(() => started.close());
    expect(started.newer).toEqual(["future-1"]);
    expect(await createTurnStore(started.db, cipher).openIn("b", 9)).toEqual(["b"]);
    // Who goes back to the version before, and forward again, finds everything as it was.
    expect(await migrate(await open(url), [...storeMigrations, next])).toEqual([]);
  });
});
