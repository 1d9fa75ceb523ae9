/** PostgreSQL for kysely: a pool whose every statement has a deadline, so that a dead or frozen server is an error and never a wait. */
import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from "kysely";
import type { ClientConfig, Pool, PoolClient, QueryResult } from "pg";
import { Fault, reasonOf } from "../errors.ts";
import { failuresTo } from "./failures.ts";

export interface PostgresOptions {
  /**
   * The longest that one statement may take, in ms, half of it for a connection. Then it throws; whether a write was
   * carried out is not known.
   */
  readonly deadlineMs: number;
  /** Connections at most. More statements wait for one, within their deadline. */
  readonly connections: number;
  /** Told of what a statement threw, beside whoever made it. */
  readonly failed?: (thrown: unknown) => void;
}

/** Whole numbers of 8 bytes come as numbers: ids and milliseconds fit in 2^53. */
const int8 = 20;

/** What every connection to `url` is opened with. */
export async function connectionOf(url: string): Promise<ClientConfig> {
  const { default: pg } = await import("pg");
  return {
    connectionString: url,
    application_name: "parley",
    keepAlive: true,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        type === int8 ? Number : (pg.types.getTypeParser(type, format) as (value: string) => unknown),
    } as ClientConfig["types"],
  } as ClientConfig;
}

/** An error that the server answered with leaves the connection usable; after any other its state is not known. */
const answered = (thrown: unknown): boolean =>
  typeof thrown === "object" && thrown !== null && "severity" in thrown && thrown.severity === "ERROR";

/** The pool as kysely uses it: a connection whose statement had no answer is closed, and never used again. */
const careful = (pool: Pool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  connect: async () => {
    const client: PoolClient = await pool.connect();
    let broken = false;
    return {
      async query(text: string, values: readonly unknown[] = []) {
        try {
          // Flags are 0 and 1 in every table, as SQLite has no booleans.
          const bound = values.map((value) => (typeof value === "boolean" ? Number(value) : value));
          return (await client.query(text, bound)) as QueryResult<never>;
        } catch (thrown) {
          broken ||= !answered(thrown);
          throw thrown;
        }
      },
      release: () => client.release(broken),
      // Of the two forms of `query`, kysely uses the other for streaming alone, which nothing here does.
    } as unknown as PostgresPoolClient;
  },
});

/** Opens nothing yet: connections are made when they are needed. `pg` is loaded here, so that SQLite needs none of it. */
export async function openPostgres<Schema>(url: string, options: PostgresOptions): Promise<Kysely<Schema>> {
  const { default: pg } = await import("pg");
  const half = options.deadlineMs / 2;
  const pool = new pg.Pool({
    ...(await connectionOf(url)),
    max: options.connections,
    connectionTimeoutMillis: half,
    query_timeout: half,
    statement_timeout: half,
    // A transaction whose process froze holds its locks no longer than this.
    idle_in_transaction_session_timeout: Math.max(5_000, options.deadlineMs),
  });
  // A connection that breaks says so to the statement that it carries; without one there is nobody to be told.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    // Statements here are short; to compile one costs a large database more (15 ms for a claim) than to run it.
    client.query("set jit = off").catch(() => {});
  });
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: careful(pool) }), log: failuresTo(options.failed) });
}

/** True of a standby, and of a server or a database that was set so. */
export async function isReadOnly<Schema>(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ setting: string }>`select current_setting('transaction_read_only') as setting`.execute(db);
  return rows[0]?.setting === "on";
}

/** Throws a Fault `database_unreachable` unless the server answers; the address is told without its password. */
export async function expectPostgres<Schema>(db: Kysely<Schema>, url: string): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch (cause) {
    const { host, pathname } = new URL(url);
    throw new Fault(
      "database_unreachable",
      `expected PostgreSQL at ${host}${pathname} (DATABASE_URL), got: ${reasonOf(cause)}. Check the address, the name and the password.`,
      { cause },
    );
  }
}
