/** Schema changes, each applied once, in order, in a transaction of its own. */
import { sql, type Kysely, type RawBuilder, type Transaction } from "kysely";
import { analyze } from "./analyze.ts";
import { isPostgres } from "./dialect.ts";

export interface Migration {
  /** Unique for ever; a room's migrations begin with its name: `turns-1`. */
  readonly name: string;
  // A migration writes a schema that the types do not know yet.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly up: (db: Transaction<any>) => Promise<void>;
}

/** A migration that is nothing but statements, executed in their order. */
export const migrationOf = (name: string, statements: readonly RawBuilder<unknown>[]): Migration => ({
  name,
  async up(db) {
    for (const statement of statements) await statement.execute(db);
  },
});

/** PostgreSQL's lock under which one replica at a time changes the schema; any number that nothing else uses. */
const lockNumber = 7_071_982;

/**
 * Texts are ordered by their bytes, as in SQLite, whatever the language of the database: the columns of tables that this
 * transaction made or changed, and no one else's.
 */
async function orderByBytes<Schema>(transaction: Transaction<Schema>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as "table", a.attname as "column"
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_collation k on k.oid = a.attcollation
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.xmin = pg_current_xact_id()::xid
      and a.attnum > 0 and not a.attisdropped and k.collname = 'default'`.execute(transaction);
  for (const { table, column } of rows)
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} type text collate "C"`.execute(transaction);
}

/**
 * Applies those of `migrations` that this database has not had. A failing one leaves the database as it was before it.
 * @returns names of those that it has had and that are not among them: a newer version's. As migrations only add, there is
 * nothing against going on.
 */
export async function migrate<Schema>(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<readonly string[]> {
  // SQLite's transactions wait for each other by themselves.
  const alone = <Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async (transaction) => {
      if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(transaction);
      return work(transaction);
    });
  await alone((transaction) =>
    sql`create table if not exists migrations (name text primary key, applied_at text not null)`.execute(transaction),
  );
  let changed = false;
  for (const { name, up } of migrations) {
    await alone(async (transaction) => {
      const done = await sql`select 1 from migrations where name = ${name}`.execute(transaction);
      if (done.rows.length > 0) return;
      changed = true;
      await up(transaction);
      if (isPostgres(db)) await orderByBytes(transaction);
      await sql`insert into migrations (name, applied_at) values (${name}, ${new Date().toISOString()})`.execute(transaction);
    });
  }
  // A table that was changed or filled is otherwise searched as if nothing were known of it.
  if (changed) await analyze(db);
  const known = new Set(migrations.map(({ name }) => name));
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !known.has(name));
}
