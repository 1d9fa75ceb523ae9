/** Where SQLite and PostgreSQL differ in what their SQL says. */
import { PostgresAdapter, type ColumnDefinitionBuilder, type Kysely } from "kysely";

/** True where `db` is PostgreSQL. */
// Asked of any schema, and of none in a migration.
// oxlint-disable-next-line typescript/no-explicit-any
export const isPostgres = (db: Kysely<any>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Type and constraint of a whole number that the database gives out, each greater than those before: for `addColumn("id", ...growingId(db))`. */
export const growingId = (
  // oxlint-disable-next-line typescript/no-explicit-any
  db: Kysely<any>,
): ["bigserial" | "integer", (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder] =>
  isPostgres(db) ? ["bigserial", (column) => column.primaryKey()] : ["integer", (column) => column.primaryKey().autoIncrement()];
