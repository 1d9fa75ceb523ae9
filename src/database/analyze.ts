/** What PostgreSQL knows of its tables, brought up to date: by itself it does so a minute after many rows have come, at the earliest. */
import { sql, type Kysely } from "kysely";
import { isPostgres } from "./dialect.ts";

/** Has the planner count all tables of the schema anew that hold something. SQLite plans these statements without. */
export async function analyze<Schema>(db: Kysely<Schema>): Promise<void> {
  if (!isPostgres(db)) return;
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_relation_size(oid) > 0
    order by relname`.execute(db);
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(db);
}
