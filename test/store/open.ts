/** A store in a folder of its own, for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../src/database/sqlite.ts";
import { migrate } from "../../src/database/migrate.ts";
import { createCipher } from "../../src/store/cipher.ts";
import { storeMigrations, type StoreSchema } from "../../src/store/schema.ts";
import { createTurnStore } from "../../src/store/turns.ts";

export async function openStore(folder = mkdtempSync(join(tmpdir(), "parley-store-"))) {
  const db = openSqlite<StoreSchema>(join(folder, "parley.sqlite"));
  await migrate(db, storeMigrations);
  return {
    db,
    folder,
    store: createTurnStore(db, createCipher(new Uint8Array(32).fill(7))),
    async close({ keep = false } = {}) {
      await db.destroy();
      if (!keep) rmSync(folder, { recursive: true });
    },
  };
}
