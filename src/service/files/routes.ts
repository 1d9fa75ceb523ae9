/** Routes of files: upload, list, delete, the public link, and the bytes themselves. */
import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { errorTexts } from "../../contract/errors.ts";
import { extensionOf, fileTypeOf } from "../../contract/file-types.ts";
import { isNumericId, randomSlug } from "../../contract/identifiers.ts";
import { Fault } from "../../errors.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { orFail } from "../or-fail.ts";
import { forget } from "../reading/cache.ts";
import { json, listPage, noContent } from "../responses.ts";
import { attachmentHeader } from "./names.ts";
import { discard, receive, type Received } from "./receive.ts";
import type { FileRow } from "./schema.ts";
import { fileById, fileByKey, fileBySlug, fileRecord, filesOf, markDeleted, objectPath, setPublicSlug } from "./store.ts";

/** Bytes of one uploaded file at most, unless configured. The interface names no limit; a disk has one. */
const defaultFileLimit = 2 ** 30;

/** Letters of a public link's slug, as the interface says. */
const publicSlugLength = 32;

/** The embedded workspace is one workspace. */
const workspaceId = 1;

// Pictures that browsers may show in a page; everything else is bytes to save, whatever it claims to be.
const shown: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

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

async function upload(ctx: ServiceContext, userId: number, request: Request, limit: number): Promise<FileRow[]> {
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

/** The file that the path names, if the caller uploaded it. Throws HttpError 400, 404 or 403. */
async function uploadersFile({ ctx, caller, param }: Call): Promise<FileRow> {
  const id = param("id");
  if (!isNumericId(id)) throw new HttpError(400, errorTexts.invalidFileId);
  const row = await fileById(ctx, Number(id));
  if (row === undefined) throw new HttpError(404, errorTexts.fileNotFound);
  if (row.user_id !== caller.userId) throw new HttpError(403, errorTexts.fileNoAccess);
  return row;
}

async function bytes(ctx: ServiceContext, row: FileRow): Promise<Response> {
  let size: number;
  let file;
  try {
    file = await open(objectPath(ctx, row), "r");
    ({ size } = await file.stat());
  } catch (cause) {
    await file?.close();
    ctx.log.error({ error: cause, file: row.id }, "a stored object cannot be read");
    throw new HttpError(404, errorTexts.fileNotFound);
  }
  const stream = createReadStream("", { fd: file, autoClose: true });
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
    headers: {
      "content-type": shown[extensionOf(row.name).toLowerCase()] ?? "application/octet-stream",
      "content-length": String(size),
      // A page or a drawing with a script in it is saved, never run, and never taken for another kind.
      "content-disposition": attachmentHeader(row.name),
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      // Short, as a deleted file should soon be gone from browsers too.
      "cache-control": "private, max-age=300",
    },
  });
}

/** @param options `fileBytes`: bytes of one uploaded file at most; a larger one is refused with 413 */
export const fileHandlers = (options: { readonly fileBytes?: number } = {}): Handlers => ({
  "POST /file": async ({ ctx, caller, request }) => {
    const rows = await orFail(ctx, 500, errorTexts.filesNotUploaded, () =>
      upload(ctx, caller.userId, request, options.fileBytes ?? defaultFileLimit),
    );
    return json(
      200,
      rows.map((row) => fileRecord(ctx, row)),
    );
  },

  "GET /file": async ({ ctx, caller, page }) => {
    const { rows, total } = await filesOf(ctx, caller.userId, page);
    const records = rows.map((row) => fileRecord(ctx, row));
    return listPage(records, page, total);
  },

  "DELETE /file/:id": async (call) => {
    const { ctx } = call;
    const row = await uploadersFile(call);
    // The object first: a record that stays can be deleted again, an object without a record cannot.
    await orFail(ctx, 502, errorTexts.fileNotDeleted, async () => {
      await rm(objectPath(ctx, row), { force: true });
      await forget(objectPath(ctx, row));
    });
    await markDeleted(ctx, row.id);
    return noContent();
  },

  "POST /file/:id/public": async (call) => {
    const { ctx } = call;
    const row = await uploadersFile(call);
    return json(200, fileRecord(ctx, await setPublicSlug(ctx, row.id, randomSlug(publicSlugLength, ctx.random))));
  },

  "DELETE /file/:id/public": async (call) => {
    const row = await uploadersFile(call);
    await setPublicSlug(call.ctx, row.id, null);
    return noContent();
  },

  "GET /public/file/:slug": async ({ ctx, param }) => {
    const row = await fileBySlug(ctx, param("slug"));
    if (row === undefined) throw new HttpError(404, errorTexts.fileNotFound);
    return json(200, fileRecord(ctx, row));
  },

  "GET /storage/:key": async ({ ctx, param }) => {
    const row = await fileByKey(ctx, param("key"));
    if (row === undefined) throw new HttpError(404, errorTexts.fileNotFound);
    return bytes(ctx, row);
  },
});
