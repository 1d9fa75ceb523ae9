/** Keeps a file that was made here, as an upload is kept: complete with its record, or not at all. */
import { mkdir, open, rename, rm } from "node:fs/promises";
import { randomSlug } from "../../contract/identifiers.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { cleanName } from "./names.ts";
import { keyLength, unfinished } from "./receive.ts";
import type { FileRow } from "./schema.ts";
import { objectPath, objectsFolder } from "./store.ts";
import { workspaceId } from "./upload.ts";

/** Letters of the words that a file is named after. */
const longestWords = 60;

/** A file name made of the words that asked for it. */
export function nameAfter(words: string, extension: string): string {
  const stem = words
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, longestWords)
    .replace(/[\ud800-\udbff]$|-+$/g, "");
  return cleanName(`${stem === "" ? "untitled" : stem}.${extension}`);
}

/** Stores `bytes` as a generated file of `userId`. Throws when they cannot be written; then nothing remains. */
export async function storeGenerated(ctx: ServiceContext, userId: number, name: string, bytes: Uint8Array): Promise<FileRow> {
  await mkdir(objectsFolder(ctx), { recursive: true, mode: 0o700 });
  const storageKey = randomSlug(keyLength, ctx.random);
  const path = objectPath(ctx, { storage_key: storageKey });
  const draft = path + unfinished;
  const file = await open(draft, "wx", 0o600);
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    const now = timestamp(ctx);
    return await ctx.db
      .insertInto("files")
      .values({
        name: cleanName(name),
        storage_key: storageKey,
        public_slug: null,
        user_id: userId,
        workspace_id: workspaceId,
        project_id: null,
        file_type: "code_interpreter_output",
        size: bytes.byteLength,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    await rm(draft, { force: true });
    await rm(path, { force: true });
    throw error;
  }
}
