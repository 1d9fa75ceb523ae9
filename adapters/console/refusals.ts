/** What the page's requests can be refused for: an HTTP status, and a sentence that the page shows as it is. */
import { Fault, reasonOf } from "../../src/errors.ts";

export interface Refused {
  readonly status: 400 | 404 | 409 | 413 | 503;
  readonly error: string;
}

export const refused = (status: Refused["status"], error: string): Refused => ({ status, error });

const isFull = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  // Of the file system, and of SQLite (SQLITE_FULL is 13).
  (("code" in thrown && (thrown.code === "ENOSPC" || thrown.code === "EDQUOT")) ||
    ("errcode" in thrown && thrown.errcode === 13) ||
    isFull(thrown.cause));

/** Why something could not be stored, in words for the person whose text it is. */
export function notStored(thrown: unknown): Refused {
  if (isFull(thrown))
    return refused(503, "Not sent: the disk is full. Your text is still here; free some space, then send again.");
  if (thrown instanceof Fault && thrown.code === "file_too_large")
    return refused(413, `The file is too large: ${thrown.message}.`);
  return refused(503, `Not sent: it could not be stored (${reasonOf(thrown)}). Your text is still here; try again.`);
}
