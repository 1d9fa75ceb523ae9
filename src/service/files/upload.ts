/** An upload from its body to its records: all of its files, or none. */
import { fileTypeOf } from "../../contract/file-types.ts";
import { Fault } from "../../errors.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { discard, receive, type Received } from "./receive.ts";
import type { FileRow } from "./schema.ts";

/** The embedded workspace is one workspace. */
export const workspaceId = 1;

/** The records of what was received, all or none, in the order of the upload. */
async function record(ctx: ServiceContext, userId: number, received: readonly Received[]): Promise<FileRow[]> {
  const now = timestamp(ctx);
  return ctx.db.transaction().execute(async (transaction) => {
    const rows: FileRow[] = [];
    for (const { name, storageKey, size } of received) {
      const row = await transaction
        .insertInto("files")
        .values({
          name,
          storage_key: storageKey,
          public_slug: null,
          user_id: userId,
          workspace_id: workspaceId,
          project_id: null,
          file_type: fileTypeOf(name),
          size,
          created_at: now,
          updated_at: now,
          deleted_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      rows.push(row);
    }
    return rows;
  });
}

/**
 * Stores the files of a request for `userId`, in their order.
 * Throws HttpError 413 for a file of more than `limit` bytes or too many of them; anything else thrown is a failure to store.
 */
export async function upload(ctx: ServiceContext, userId: number, request: Request, limit: number): Promise<FileRow[]> {
  let received: Received[];
  try {
    received = await receive(ctx, request, limit);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "upload_too_large") throw new HttpError(413, thrown.message);
    throw thrown;
  }
  try {
    return await record(ctx, userId, received);
  } catch (thrown) {
    await discard(ctx, received);
    throw thrown;
  }
}
