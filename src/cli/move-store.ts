/** `parley move-store`: from SQLite in the data folder to the PostgreSQL of DATABASE_URL. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { dataFiles } from "../config.ts";
import { holdDataFolder } from "../data-folder.ts";
import { Fault, reasonOf } from "../errors.ts";
import { openCipher } from "../encryption.ts";
import { openStore } from "../open-store.ts";
import { moveStore } from "../store/move.ts";
import type { StoreDatabase } from "../store/schema.ts";
import type { Cipher } from "../store/cipher.ts";
import type { Output } from "./output.ts";
import type { CliContext } from "./workspace-file.ts";

export const moveStoreUsage =
  "move-store                                                     copy the SQLite store of PARLEY_DATA into the empty one of DATABASE_URL, and check every row";

/** What the replicas could not open would be lost to them. */
async function expectKey(db: StoreDatabase, cipher: Cipher): Promise<void> {
  const row = await db.selectFrom("turns").select(["key", "body"]).where("body", "is not", null).limit(1).executeTakeFirst();
  if (row?.body == null) return;
  try {
    cipher.open(row.body, row.key);
  } catch (cause) {
    throw new Fault(
      "move_key",
      `PARLEY_ENCRYPTION_KEY does not open what is stored: ${reasonOf(cause)}. Set it to encryptionKey of secrets.json in PARLEY_DATA.`,
      { cause },
    );
  }
}

export async function moveStoreTo(args: readonly string[], { config }: CliContext, output: Output): Promise<void> {
  parseArgs({ args: [...args], options: {} });
  if (config.databaseUrl === null)
    throw new Fault("usage", "move-store: expected DATABASE_URL, the PostgreSQL to move to, got nothing");
  const { store: path } = dataFiles(config.dataDir);
  if (!existsSync(path)) throw new Fault("no_store", `there is no store at ${path} to move`);
  const letGo = holdDataFolder(config.dataDir);
  const opened: { close: () => Promise<void> }[] = [];
  try {
    const from = await openStore({ dataDir: config.dataDir, databaseUrl: null });
    opened.push(from);
    await expectKey(from.patient, openCipher(config));
    const to = await openStore(config);
    opened.push(to);
    let left = 0;
    await moveStore(from.patient, to.patient, (moved) => {
      left += moved.left;
      output.line(`${moved.table}: ${moved.rows} rows, the same there`);
    });
    if (left > 0) output.line(`${left} turns of the console stay behind, as it is not served over PostgreSQL`);
    output.line("Moved. The SQLite store was not changed: keep it until the replicas have run for a while.");
  } finally {
    for (const store of opened.toReversed()) await store.close();
    letGo();
  }
}
