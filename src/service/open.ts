/** Opens the workspace's database file, for the server and for the command line beside it. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { migrate } from "../database/migrate.ts";
import { openSqlite } from "../database/sqlite.ts";
import { migrations } from "./migrations.ts";
import type { ServiceSchema } from "./schema.ts";

/** The database in `dataDir`, made when there is none, with every migration applied. */
export async function openWorkspace(dataDir: string): Promise<Kysely<ServiceSchema>> {
  await mkdir(dataDir, { recursive: true });
  const db = openSqlite<ServiceSchema>(join(dataDir, "workspace.sqlite"));
  try {
    await migrate(db, migrations);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
