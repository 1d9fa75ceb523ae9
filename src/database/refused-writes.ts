/** Writes that a database had no room for, or was not allowed to make, as opposed to those that it could not be reached for. */

/** The newest of them, until a write has shown that there are none any more. */
export interface RefusedWrites {
  /** Told of every statement that failed; keeps those that say something about every write. */
  note(thrown: unknown): void;
  /** Undefined: none. */
  newest(): unknown;
  clear(): void;
}

/** https://sqlite.org/rescode.html: SQLITE_READONLY, SQLITE_IOERR and SQLITE_FULL; the upper bytes say more. */
const ofSqlite = new Set([8, 10, 13]);
/** https://www.postgresql.org/docs/current/errcodes-appendix.html: read_only_sql_transaction, disk_full. */
const ofPostgres = new Set(["25006", "53100"]);

const refusesAll = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (("errcode" in thrown && typeof thrown.errcode === "number" && ofSqlite.has(thrown.errcode & 0xff)) ||
    ("code" in thrown && typeof thrown.code === "string" && ofPostgres.has(thrown.code)));

export function createRefusedWrites(): RefusedWrites {
  let newest: unknown;
  return {
    note(thrown) {
      if (refusesAll(thrown)) newest = thrown;
    },
    newest: () => newest,
    clear() {
      newest = undefined;
    },
  };
}
