/** Copies a store into another, whole or not at all, and checks it row by row. */
import { createHash } from "node:crypto";
import { sql, type Kysely } from "kysely";
import { Fault } from "../errors.ts";
import { analyze } from "../database/analyze.ts";
import { isPostgres } from "../database/dialect.ts";
import type { StoreDatabase } from "./schema.ts";

/** Rows of one table: how many, and the sum of their hashes, which is the same in any order. */
interface Sum {
  readonly rows: number;
  readonly hash: string;
}

export interface Moved {
  readonly table: string;
  readonly rows: number;
  /** Rows that stay behind: the console's turns, as it is not served over PostgreSQL. */
  readonly left: number;
}

type Row = Readonly<Record<string, string | number | null>>;

/** Rows that are copied at once. PostgreSQL takes 65,535 values in a statement. */
const portion = 1_000;

/** Tables of what people and turns left; not those of processes, nor of rooms that are not the store. */
const isMoved = (name: string): boolean => !/^(sqlite_|console_|migrations$|divisions$|duties$|pulse$)/.test(name);

async function tablesOf(db: StoreDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table' order by name`.execute(db);
  return rows.map(({ name }) => name).filter(isMoved);
}

/** All rows in portions; those that stay behind are not among them. */
async function* portionsOf(db: StoreDatabase, table: string): AsyncGenerator<readonly Row[]> {
  const kept = table === "turns" ? sql`platform <> 'console'` : sql`true`;
  for (let after = 0; ;) {
    const { rows } = await sql<Row & { move_row: number }>`
      select rowid as move_row, * from ${sql.table(table)} where rowid > ${after} and ${kept} order by rowid limit ${portion}`.execute(
      db,
    );
    yield rows.map(({ move_row: _moved, ...row }) => row as Row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < portion) return;
    after = last.move_row;
  }
}

const bytes = 32;

class Summing {
  #rows = 0;
  readonly #sum = new Uint8Array(bytes);

  add(row: Row): void {
    const names = Object.keys(row).toSorted();
    const digest = createHash("sha256")
      .update(JSON.stringify(names.map((name) => [name, row[name]])))
      .digest();
    for (let at = 0, carry = 0; at < bytes; at++) {
      const total = (this.#sum[at] ?? 0) + (digest[at] ?? 0) + carry;
      this.#sum[at] = total & 0xff;
      carry = total >> 8;
    }
    this.#rows++;
  }
  end(): Sum {
    return { rows: this.#rows, hash: Buffer.from(this.#sum).toString("hex") };
  }
}

/** Sums a table of the target by a cursor, so that no table is held whole. */
async function sumOf(db: StoreDatabase, table: string): Promise<Sum> {
  const summing = new Summing();
  await sql`declare moved no scroll cursor for select * from ${sql.table(table)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(portion)} from moved`.execute(db);
    for (const row of rows) summing.add(row);
    if (rows.length < portion) break;
  }
  await sql`close moved`.execute(db);
  return summing.end();
}

async function copy(from: StoreDatabase, to: StoreDatabase, table: string): Promise<Moved> {
  const summing = new Summing();
  const anyTo = to as unknown as Kysely<Record<string, Row>>;
  for await (const rows of portionsOf(from, table)) {
    if (rows.length === 0) continue;
    await anyTo.insertInto(table).values(rows).execute();
    for (const row of rows) summing.add(row);
  }
  const sent = summing.end();
  const there = await sumOf(to, table);
  if (sent.rows !== there.rows || sent.hash !== there.hash)
    throw new Fault(
      "move_differs",
      `${table}: expected ${sent.rows} rows with the hash ${sent.hash}, found ${there.rows} with ${there.hash}. Nothing was kept of the copy.`,
    );
  const { rows } = await sql<{ all: number }>`select count(*) as "all" from ${sql.table(table)}`.execute(from);
  return { table, rows: sent.rows, left: (rows[0]?.all ?? 0) - sent.rows };
}

/** Ids that the target gives out next come after those that were copied. */
async function goOnCounting(to: StoreDatabase, table: string): Promise<void> {
  const { rows } = await sql<{ column: string }>`
    select column_name as "column" from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and column_default like 'nextval%'`.execute(to);
  for (const { column } of rows) {
    const newest = sql`select max(${sql.ref(column)}) from ${sql.table(table)}`;
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), coalesce((${newest}), 0) + 1, false)`.execute(to);
  }
}

/**
 * In one transaction of the target: a copy that breaks off leaves it empty, and can be begun again.
 * Throws a Fault `move_target` when there is something in the target, `move_differs` when a table does not arrive as it was.
 * @param from SQLite, which nobody writes to meanwhile
 * @param to PostgreSQL, migrated
 */
export async function moveStore(from: StoreDatabase, to: StoreDatabase, onMoved: (moved: Moved) => void): Promise<void> {
  if (isPostgres(from) || !isPostgres(to)) throw new Fault("move_target", "expected to move from SQLite to PostgreSQL");
  const tables = await tablesOf(from);
  await to.transaction().execute(async (transaction) => {
    for (const table of tables) {
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(transaction);
      if (rows.length > 0)
        throw new Fault(
          "move_target",
          `expected an empty store at DATABASE_URL, got one with rows in ${table}. Nothing was changed. Give another database, or empty that one.`,
        );
    }
    for (const table of tables) {
      const moved = await copy(from, transaction, table);
      await goOnCounting(transaction, table);
      onMoved(moved);
    }
    // Without, the first claims among a million turns take half a second each.
    await analyze(transaction);
  });
}
