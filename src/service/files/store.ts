/** Reads and changes the records of stored files. */
import { join } from "node:path";
import type { WorkspaceFile } from "../../contract/records.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import type { Span } from "../responses.ts";
import type { FileRow } from "./schema.ts";

type Db = Pick<ServiceContext, "db">;

/** The folder of the stored objects. */
export const objectsFolder = (ctx: Pick<ServiceContext, "dataDir">): string => join(ctx.dataDir, "objects");

/** Where a file's bytes are on disk. */
export const objectPath = (ctx: Pick<ServiceContext, "dataDir">, file: Pick<FileRow, "storage_key">): string =>
  join(objectsFolder(ctx), file.storage_key);

/** A file as the interface shows it. `path` is an address that needs no key, and that nobody can guess. */
export const fileRecord = (ctx: Pick<ServiceContext, "publicUrl">, row: FileRow): WorkspaceFile => ({
  ID: row.id,
  CreatedAt: row.created_at,
  UpdatedAt: row.updated_at,
  DeletedAt: null,
  name: row.name,
  path: `${ctx.publicUrl()}/storage/${row.storage_key}`,
  // Previews are made of word-processor documents by a converter, which the embedded workspace has not.
  preview_path: "",
  public_path: row.public_slug ?? "",
  user_id: row.user_id,
  workspace_id: row.workspace_id,
  project_id: row.project_id,
  fileType: row.file_type,
  partial: false,
});

/** A live file by its id, whoever owns it. */
export const fileById = (ctx: Db, id: number): Promise<FileRow | undefined> =>
  ctx.db.selectFrom("files").selectAll().where("id", "=", id).where("deleted_at", "is", null).executeTakeFirst();

/** Those of the files `ids` that live and that the user uploaded, in the order of `ids`, each once. */
export async function ownFiles(ctx: Db, userId: number, ids: readonly number[]): Promise<FileRow[]> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return [];
  const rows = await ctx.db
    .selectFrom("files")
    .selectAll()
    .where("id", "in", distinct)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return distinct.flatMap((id) => byId.get(id) ?? []);
}

/** The live file that the user uploaded, by its id. */
export const ownFile = async (ctx: Db, userId: number, id: number): Promise<FileRow | undefined> =>
  (await ownFiles(ctx, userId, [id]))[0];

/** A part of the files that the user uploaded, oldest first, and how many there are. */
export async function filesOf(ctx: Db, userId: number, span: Span): Promise<{ rows: FileRow[]; total: number }> {
  const live = ctx.db.selectFrom("files").where("user_id", "=", userId).where("deleted_at", "is", null);
  const { total } = await live.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await live.selectAll().orderBy("id").limit(span.size).offset(span.offset).execute();
  return { rows, total };
}

/** The live files of a project, oldest first. */
export const projectFiles = (ctx: Db, projectId: number): Promise<FileRow[]> =>
  ctx.db
    .selectFrom("files")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();

/** The live file whose object has this name. */
export const fileByKey = (ctx: Db, key: string): Promise<FileRow | undefined> =>
  ctx.db.selectFrom("files").selectAll().where("storage_key", "=", key).where("deleted_at", "is", null).executeTakeFirst();

/** The live file that is shared under this slug. */
export const fileBySlug = (ctx: Db, slug: string): Promise<FileRow | undefined> =>
  ctx.db.selectFrom("files").selectAll().where("public_slug", "=", slug).where("deleted_at", "is", null).executeTakeFirst();

/** Shares a file under a new slug, or no longer. Returns the file as it is then. */
export function setPublicSlug(ctx: Pick<ServiceContext, "db" | "clock">, id: number, slug: string | null): Promise<FileRow> {
  return ctx.db
    .updateTable("files")
    .set({ public_slug: slug, updated_at: timestamp(ctx) })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Marks a file as deleted; it can no longer be found by id, slug or address. */
export async function markDeleted(ctx: Pick<ServiceContext, "db" | "clock">, id: number): Promise<void> {
  const now = timestamp(ctx);
  await ctx.db.updateTable("files").set({ deleted_at: now, updated_at: now, public_slug: null }).where("id", "=", id).execute();
}
