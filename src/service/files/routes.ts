/** Routes of files: upload, list, delete, the public link, and the bytes themselves. */
import { rm } from "node:fs/promises";
import { errorTexts } from "../../contract/errors.ts";
import { randomSlug } from "../../contract/identifiers.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { orFail } from "../or-fail.ts";
import { forget } from "../reading/cache.ts";
import { json, listPage, noContent } from "../responses.ts";
import { uploadersFile } from "./read.ts";
import type { FileRow } from "./schema.ts";
import { serveBytes } from "./serve.ts";
import { fileByKey, fileBySlug, fileRecord, filesOf, markDeleted, objectPath, setPublicSlug } from "./store.ts";
import { upload } from "./upload.ts";

/** Bytes of one uploaded file at most, unless configured. The interface names no limit; a disk has one. */
const defaultFileLimit = 2 ** 30;

/** Letters of a public link's slug, as the interface says. */
const publicSlugLength = 32;

/** The file that the path names, if the caller uploaded it. */
const named = ({ ctx, caller, param }: Call): Promise<FileRow> => uploadersFile(ctx, caller, param("id"));

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
    const row = await named(call);
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
    const row = await named(call);
    return json(200, fileRecord(ctx, await setPublicSlug(ctx, row.id, randomSlug(publicSlugLength, ctx.random))));
  },

  "DELETE /file/:id/public": async (call) => {
    const row = await named(call);
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
    return serveBytes(ctx, row);
  },
});
