/** Finding a file for the one who uploaded it. */
import { errorTexts } from "../../contract/errors.ts";
import { isNumericId } from "../../contract/identifiers.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { FileRow } from "./schema.ts";
import { fileById } from "./store.ts";

/** The file with this ID, if the caller uploaded it. Throws HttpError 400, 404 or 403. */
export async function uploadersFile(ctx: Pick<ServiceContext, "db">, caller: Caller, id: string): Promise<FileRow> {
  if (!isNumericId(id)) throw new HttpError(400, errorTexts.invalidFileId);
  const row = await fileById(ctx, Number(id));
  if (row === undefined) throw new HttpError(404, errorTexts.fileNotFound);
  if (row.user_id !== caller.userId) throw new HttpError(403, errorTexts.fileNoAccess);
  return row;
}
