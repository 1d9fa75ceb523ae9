/** Schema changes, each applied once, in order, in one transaction. */
import { sql, type Kysely, type Transaction } from "kysely";

export interface Migration {
  /** Unique for ever; a room's migrations begin with its name: `turns-1`. */
  readonly name: string;
  // A migration writes a schema that the types do not know yet.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly up: (db: Transaction<any>) => Promise<void>;
}

/** Applies those of `migrations` that this database has not had. A failing one leaves the database as it was before it. */
export async function migrate<Schema>(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<void> {
  await sql`create table if not exists migrations (name text primary key, applied_at text not null)`.execute(db);
  for (const { name, up } of migrations) {
    await db.transaction().execute(async (transaction) => {
      const done = await sql`select 1 from migrations where name = ${name}`.execute(transaction);
      if (done.rows.length > 0) return;
      await up(transaction);
      await sql`insert into migrations (name, applied_at) values (${name}, ${new Date().toISOString()})`.execute(transaction);
    });
  }
}
