/** Whether the store takes what is written: found out by writing a row of its own. A store that can be read may still be full, or a standby. */
import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Migration } from "../database/migrate.ts";
import type { RefusedWrites } from "../database/refused-writes.ts";
import { reasonOf } from "../errors.ts";
import type { StoreDatabase } from "./schema.ts";

export interface PulseTable {
  name: string;
  at: number;
  /** Takes room; says nothing. */
  filler: string;
}

export const pulseMigrations: readonly Migration[] = [
  {
    name: "pulse-1",
    async up(db) {
      await db.schema
        .createTable("pulse")
        .addColumn("name", "text", (column) => column.primaryKey())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("filler", "text", (column) => column.notNull())
        .execute();
    },
  },
];

/** The row is written at most this often, in ms, however often it is asked for. */
export const pulseMs = 5_000;

/** Bytes that the longest message takes in the store, sealed; in text that no database makes shorter. */
const longestBytes = 512 * 1024;
const filler = (): string => randomBytes((longestBytes / 4) * 3).toString("base64");

export interface PulseOptions {
  readonly db: StoreDatabase;
  readonly clock: Clock;
  /** Of the database that `db` is. */
  readonly refusedWrites: RefusedWrites;
}

/**
 * Null where the store takes what is written, else why not.
 * Once it has refused a write, it has to take one as long as the longest message: a short row may find room where a message does not.
 */
export function createPulse({ db, clock, refusedWrites }: PulseOptions): () => Promise<string | null> {
  let state: Promise<string | null> | undefined;
  let until = 0;

  const beat = async (): Promise<string | null> => {
    const refused = refusedWrites.newest();
    const row = { at: clock.now(), filler: refused === undefined ? "" : filler() };
    try {
      await db
        .insertInto("pulse")
        .values({ name: "store", ...row })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
        .execute();
    } catch (thrown) {
      return `the store takes nothing in: ${reasonOf(thrown)}`;
    }
    if (refusedWrites.newest() === refused) refusedWrites.clear();
    return null;
  };
  return async () => {
    if (state === undefined || clock.now() >= until) {
      until = clock.now() + pulseMs;
      state = beat();
    }
    const found = await state;
    const refused = refusedWrites.newest();
    return found ?? (refused === undefined ? null : `the store has refused a write: ${reasonOf(refused)}`);
  };
}
