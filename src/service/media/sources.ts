/** The caller's stored files as what goes into a picture, a film or a transcript. */
import { readFile, stat } from "node:fs/promises";
import { mediaErrors } from "../../contract/errors.ts";
import { Fault } from "../../errors.ts";
import type { ServiceContext } from "../context.ts";
import type { FileRow } from "../files/schema.ts";
import { objectPath, ownFile } from "../files/store.ts";
import { HttpError } from "../http-error.ts";
import type { MediaSource } from "../providers/media/port.ts";
import { imageTypeOf } from "../reading/image.ts";

/** Bytes of a source at most. Services take pictures up to 50 MB and recordings up to 25 MB; all of it is held while it is sent. */
const sourceLimit = 50 * 2 ** 20;

/** The caller's live file. Throws HttpError 404. */
export async function sourceFile(ctx: Pick<ServiceContext, "db">, userId: number, id: number): Promise<FileRow> {
  const row = await ownFile(ctx, userId, id);
  if (row === undefined) throw new HttpError(404, mediaErrors.fileNotFound);
  return row;
}

/** The caller's live picture, told by its first bytes. Throws HttpError 404, or 400 for what is no picture. */
export async function imageFile(ctx: Pick<ServiceContext, "db" | "dataDir">, userId: number, id: number): Promise<FileRow> {
  const row = await sourceFile(ctx, userId, id);
  if ((await imageTypeOf(objectPath(ctx, row))) === undefined)
    throw new HttpError(400, `expected a PNG, JPEG, GIF or WebP picture, got the file ${row.name}`);
  return row;
}

/** The bytes of a stored file. Throws a Fault `media_source` when they are too many, or gone. */
export async function readSource(ctx: Pick<ServiceContext, "dataDir">, row: FileRow): Promise<MediaSource> {
  const path = objectPath(ctx, row);
  try {
    const { size } = await stat(path);
    if (size > sourceLimit)
      throw new Fault("media_source", `${row.name} is too large: expected at most ${sourceLimit / 2 ** 20} MB.`);
    return { name: row.name, bytes: await readFile(path) };
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault("media_source", `The file ${row.name} can no longer be read.`, { cause });
  }
}

/** The same for a file that may have been deleted since it was named. */
export async function readSourceById(
  ctx: Pick<ServiceContext, "db" | "dataDir">,
  userId: number,
  id: number,
): Promise<MediaSource> {
  const row = await ownFile(ctx, userId, id);
  if (row === undefined) throw new Fault("media_source", "A file that this was to be made from has been deleted.");
  return readSource(ctx, row);
}
