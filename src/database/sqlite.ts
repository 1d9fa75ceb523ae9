/** Node's own SQLite for kysely: one file, one connection, prepared statements kept. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Kysely, SqliteDialect, type SqliteDatabase } from "kysely";
import { Fault, reasonOf } from "../errors.ts";
import { failuresTo } from "./failures.ts";

/** A connection that kysely drives. A statement is prepared once for each text. */
function bridge(connection: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, StatementSync>();
  // SQLite has no booleans.
  const bind = (values: readonly unknown[]): SQLInputValue[] =>
    values.map((value) => (typeof value === "boolean" ? Number(value) : value) as SQLInputValue);
  return {
    close: () => connection.close(),
    prepare: (text) => {
      let statement = prepared.get(text);
      if (statement === undefined) prepared.set(text, (statement = connection.prepare(text)));
      const ready = statement;
      return {
        reader: ready.columns().length > 0,
        all: (values) => ready.all(...bind(values)),
        run: (values) => ready.run(...bind(values)),
        iterate: (values) => ready.iterate(...bind(values)) as IterableIterator<unknown>,
      };
    },
  };
}

export interface OpenOptions {
  /** How long a statement waits for another process's write, in ms. Then it throws `SQLITE_BUSY`. */
  readonly busyTimeoutMs?: number;
  /** Told of what a statement threw, beside whoever made it. */
  readonly failed?: (thrown: unknown) => void;
}

/**
 * Opens (or makes) the SQLite file at `path`, in write-ahead mode with every commit synced to disk.
 * A file that is damaged, or no SQLite database, throws a Fault `database_damaged` that names it; nothing is written to it.
 */
export function openSqlite<Schema>(path: string, options: OpenOptions = {}): Kysely<Schema> {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { timeout: options.busyTimeoutMs ?? 5000 });
    const check = connection.prepare("pragma quick_check(1)").get() as { quick_check?: string } | undefined;
    if (check?.quick_check !== "ok") throw new Error(check?.quick_check ?? "quick_check gave nothing");
    connection.exec("pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on");
  } catch (cause) {
    connection?.close();
    throw new Fault(
      "database_damaged",
      `expected a SQLite database at ${path}, got: ${reasonOf(cause)}. Nothing was changed. Restore the file from a backup, or move it away to start empty.`,
      { cause },
    );
  }
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: bridge(connection) }), log: failuresTo(options.failed) });
}
