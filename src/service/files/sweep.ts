/** Clears away what a crash left of uploads: objects that were never finished, and objects without a record. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ServiceContext } from "../context.ts";
import { objectsFolder } from "./store.ts";

/** Runs at start-up, before anything is uploaded. Returns how many leftovers it removed. */
export async function sweepObjects(ctx: Pick<ServiceContext, "db" | "dataDir">): Promise<number> {
  const folder = objectsFolder(ctx);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
  const rows = await ctx.db.selectFrom("files").select("storage_key").where("deleted_at", "is", null).execute();
  const known = new Set(rows.map((row) => row.storage_key));
  // What the reader keeps beside an object belongs to it.
  const leftover = names.filter((name) => !known.has(name.replace(/\.text$/, "")));
  for (const name of leftover) await rm(join(folder, name), { force: true });
  return leftover.length;
}
