/** `parley backup`: a copy of the data folder that is whole, also while the server runs. */
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../config.ts";
import { Fault } from "../errors.ts";
import type { Output } from "./output.ts";

export const backupUsage =
  "backup FOLDER                                                  copy the data folder, also beside a running server";

/** Databases are copied by SQLite itself; the lock is nobody's to keep. */
const isDatabase = (name: string): boolean => name.endsWith(".sqlite") && name !== "lock.sqlite";
const isDatabaseFile = (name: string): boolean => /\.sqlite(-wal|-shm|-journal)?$/.test(name);

/** Writes into a folder that is new or empty, which is then one to set PARLEY_DATA to. */
export function backup(args: readonly string[], { config }: { readonly config: Config }, output: Output): void {
  const [folder, ...rest] = args;
  if (folder === undefined || rest.length > 0)
    throw new Fault("usage", "expected a folder to copy into, as: backup ../backup-monday");
  const { dataDir, databaseUrl } = config;
  const to = resolve(folder);
  if (!existsSync(dataDir)) throw new Fault("no_store", `there is nothing at ${dataDir} yet; it is made at the first start`);
  if (`${to}${sep}`.startsWith(`${dataDir}${sep}`))
    throw new Fault("usage", `expected a folder outside of ${dataDir}, got ${to}`);
  if (existsSync(to) && readdirSync(to).length > 0)
    throw new Fault("usage", `expected a new or empty folder, got ${to}, which has files`);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const names = readdirSync(dataDir);
  // Databases first: a file that comes while the rest is copied is one too many, never one too few.
  for (const name of names.filter(isDatabase)) {
    const database = new DatabaseSync(join(dataDir, name), { readOnly: true, timeout: 10_000 });
    try {
      database.prepare("vacuum into ?").run(join(to, name));
    } finally {
      database.close();
    }
  }
  for (const name of names.filter((one) => !isDatabaseFile(one)))
    cpSync(join(dataDir, name), join(to, name), { recursive: true });
  output.line(`Copied ${dataDir} to ${to}. To go back to it, stop the server and set PARLEY_DATA to a copy of that folder.`);
  if (databaseUrl !== null)
    output.line("What is in PostgreSQL is not among it: back that up with pg_dump, and keep PARLEY_ENCRYPTION_KEY with it.");
}
