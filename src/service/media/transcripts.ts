/** Transcriptions as attachments of a message: what was heard goes into the turn as a document. */
import type { JobOptions } from "./orders.ts";
import type { ServiceContext } from "../context.ts";
import { fileById } from "../files/store.ts";
import type { RequestDocument } from "../providers/port.ts";
import type { MediaJobRow } from "./schema.ts";

type Db = Pick<ServiceContext, "db">;

/** The user's live transcriptions among `ids`, by their ID. */
export async function ownTranscripts({ db }: Db, userId: number, ids: readonly number[]): Promise<Map<number, MediaJobRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("media_jobs")
    .selectAll()
    .where("id", "in", ids)
    .where("kind", "=", "transcription")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** What a transcription heard, named after its recording; the recording may be gone. */
export async function transcriptDocument(ctx: Db, { id, options, text }: MediaJobRow): Promise<RequestDocument> {
  const { fileId } = JSON.parse(options) as JobOptions["transcription"];
  const recording = await fileById(ctx, fileId);
  return { fileId, name: recording === undefined ? `Transcript ${id}` : `Transcript of ${recording.name}`, text: text ?? "" };
}
