/** A store of its own for each test: SQLite in a folder, or a schema of PostgreSQL. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe } from "vitest";
import { isPostgres } from "../../src/database/dialect.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { createRefusedWrites } from "../../src/database/refused-writes.ts";
import { openStore as open, type OpenStore } from "../../src/open-store.ts";
import { createCipher } from "../../src/store/cipher.ts";
import { storeMigrations, type StoreDatabase, type StoreSchema } from "../../src/store/schema.ts";
import { createTurnStore } from "../../src/store/turns.ts";
import { hasPostgres, newSchema } from "./postgres.ts";

export type Opened = Awaited<ReturnType<typeof openStore>>;

interface Kept {
  readonly folder: string;
  readonly databaseUrl: string | null;
  readonly drop: () => Promise<void>;
}

/** PostgreSQL with more time for a statement than Parley gives it: on a busy machine a connection alone can take half a second. */
async function openDatabase({ folder, databaseUrl }: Kept): Promise<Pick<OpenStore, "db" | "refusedWrites" | "close">> {
  if (databaseUrl === null) return open({ dataDir: folder, databaseUrl });
  const refusedWrites = createRefusedWrites();
  const failed = (thrown: unknown): void => refusedWrites.note(thrown);
  const db = await openPostgres<StoreSchema>(databaseUrl, { deadlineMs: 60_000, connections: 10, failed });
  await migrate(db, storeMigrations);
  return { db, refusedWrites, close: () => db.destroy() };
}

/** @returns whether statements of `db` are under way */
function watch(db: StoreDatabase): () => boolean {
  let underWay = 0;
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = async (consumer) => {
    underWay++;
    try {
      return await provide(consumer);
    } finally {
      underWay--;
    }
  };
  return () => underWay > 0;
}

async function use(kept: Kept) {
  const { db, refusedWrites, close } = await openDatabase(kept);
  const busy = watch(db);
  const cipher = createCipher(new Uint8Array(32).fill(7));
  return {
    db,
    refusedWrites,
    /** Whether statements are under way. */
    busy,
    cipher,
    folder: kept.folder,
    /** Null: SQLite. */
    databaseUrl: kept.databaseUrl,
    store: createTurnStore(db, cipher),
    /** Whether `text` stands anywhere in what is stored of turns. */
    async holds(text: string): Promise<boolean> {
      if (kept.databaseUrl !== null) return JSON.stringify(await db.selectFrom("turns").selectAll().execute()).includes(text);
      return ["", "-wal"].some((suffix) => readFileSync(join(kept.folder, `parley.sqlite${suffix}`)).includes(text));
    },
    /** Every row of every table, and where it is SQLite every byte of its files. */
    async dump(): Promise<string> {
      const tables = await tablesOf(db);
      const rows = await Promise.all(
        tables.map(async (table) => JSON.stringify((await sql<object>`select * from ${sql.table(table)}`.execute(db)).rows)),
      );
      const files = kept.databaseUrl === null ? ["", "-wal"].map((suffix) => join(kept.folder, `parley.sqlite${suffix}`)) : [];
      return [...rows, ...files.map((file) => readFileSync(file, "latin1"))].join("\n");
    },
    /** The same store, as another process opens it. */
    again: () => use(kept),
    async close({ keep = false } = {}) {
      await close();
      if (keep) return;
      rmSync(kept.folder, { recursive: true });
      await kept.drop();
    },
  };
}

/** The tables that are there, but for SQLite's own. */
export async function tablesOf(db: StoreDatabase): Promise<readonly string[]> {
  const found = await (
    isPostgres(db)
      ? sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(db);
  return found.rows.map(({ name }) => name).filter((name) => !name.startsWith("sqlite_"));
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), "parley-store-"));

export const openStore = () => use({ folder: newFolder(), databaseUrl: null, drop: () => Promise.resolve() });

export async function openPostgresStore(): Promise<Opened> {
  const { url, drop } = await newSchema();
  return use({ folder: newFolder(), databaseUrl: url, drop });
}

/** The same tests over both databases. */
export function overBoth(tests: (openStore: () => Promise<Opened>) => void): void {
  describe("SQLite", () => {
    tests(openStore);
  });
  describe.skipIf(!hasPostgres)("PostgreSQL", () => {
    tests(openPostgresStore);
  });
}
