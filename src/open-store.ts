/** Opens the store that the configuration names: SQLite in the data folder, or the PostgreSQL that replicas share. */
import { systemClock } from "./clock.ts";
import { dataFiles, type Config } from "./config.ts";
import { openChannel, type Channel } from "./database/channel.ts";
import { migrate, type Migration } from "./database/migrate.ts";
import { createRefusedWrites, type RefusedWrites } from "./database/refused-writes.ts";
import { expectPostgres, openPostgres } from "./database/postgres.ts";
import { openSqlite } from "./database/sqlite.ts";
import type { Log } from "./log.ts";
import { storeMigrations, type StoreDatabase, type StoreSchema } from "./store/schema.ts";

export interface OpenStore {
  /** For what somebody waits for: over PostgreSQL each statement ends within a second, done or not. */
  readonly db: StoreDatabase;
  /** For what goes over many rows: upkeep, deletion, migrations. */
  readonly patient: StoreDatabase;
  /** Between the replicas; null: this process is alone. */
  readonly channel: ((log: Log) => Channel) | null;
  /** What it had no room for, or was not allowed to write. */
  readonly refusedWrites: RefusedWrites;
  /** Migrations of a newer version that it has had. */
  readonly newer: readonly string[];
  readonly close: () => Promise<void>;
}

/** A platform repeats what is not acknowledged within 3 s: what cannot be stored within this, in ms, is not acknowledged. */
export const statementMs = 1_000;
const quick = { deadlineMs: statementMs, connections: 10 };
const unhurried = { deadlineMs: 120_000, connections: 2 };
/** At the start nobody waits yet: a server that is slow to take its first connection is no wrong address. */
const first = { deadlineMs: 20_000, connections: 1 };

async function expectAnswer(url: string): Promise<void> {
  const db = await openPostgres<StoreSchema>(url, first);
  try {
    await expectPostgres(db, url);
  } finally {
    await db.destroy();
  }
}

/** @param more migrations of other rooms' tables in the same database */
export async function openStore(
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
  more: readonly Migration[] = [],
): Promise<OpenStore> {
  const migrations = [...storeMigrations, ...more];
  const refusedWrites = createRefusedWrites();
  const failed = (thrown: unknown): void => refusedWrites.note(thrown);
  if (databaseUrl === null) {
    const db = openSqlite<StoreSchema>(dataFiles(dataDir).store, { failed });
    const close = (): Promise<void> => db.destroy();
    const newer = await migrate(db, migrations).catch((thrown: unknown) => close().then(() => Promise.reject(thrown as Error)));
    return { db, patient: db, channel: null, refusedWrites, newer, close };
  }
  await expectAnswer(databaseUrl);
  const db = await openPostgres<StoreSchema>(databaseUrl, { ...quick, failed });
  const patient = await openPostgres<StoreSchema>(databaseUrl, { ...unhurried, failed });
  const close = async (): Promise<void> => void (await Promise.all([db.destroy(), patient.destroy()]));
  try {
    const newer = await migrate(patient, migrations);
    const channel = (log: Log): Channel => openChannel({ db, url: databaseUrl, clock: systemClock, log });
    return { db, patient, channel, refusedWrites, newer, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
