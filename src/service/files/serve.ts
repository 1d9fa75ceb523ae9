/** Serves the bytes of a stored file so that nothing in it can run in a browser. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { errorTexts } from "../../contract/errors.ts";
import { extensionOf } from "../../contract/file-types.ts";
import type { ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { attachmentHeader } from "./names.ts";
import type { FileRow } from "./schema.ts";
import { objectPath } from "./store.ts";

// Pictures that browsers may show in a page; everything else is bytes to save, whatever it claims to be.
const shown: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** The answer that holds a file's bytes, read as they are sent. Throws HttpError 404 when the object is lost. */
export async function serveBytes(ctx: ServiceContext, row: FileRow): Promise<Response> {
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
