/** A media job as the interface shows it. */
import type { MediaJob } from "../../contract/media.ts";
import type { ServiceContext } from "../context.ts";
import { fileById, fileRecord } from "../files/store.ts";
import type { MediaJobRow } from "./schema.ts";

/** What films and music show, and what speech says. */
function promptOf({ options }: MediaJobRow): string | null {
  const { prompt, text } = JSON.parse(options) as { readonly prompt?: string; readonly text?: string };
  return prompt ?? text ?? null;
}

type Context = Pick<ServiceContext, "db" | "publicUrl">;

/** The record of the single read, with its cost. */
export async function jobRecord(ctx: Context, row: MediaJobRow): Promise<MediaJob> {
  const shared = {
    ID: row.id,
    CreatedAt: row.created_at,
    UpdatedAt: row.updated_at,
    DeletedAt: null,
    slug: row.slug,
    status: row.status,
    credit_cost: row.credit_cost,
    error: row.error,
    prompt: promptOf(row),
    model_id: row.model_id,
  };
  if (row.kind === "transcription") {
    const segments = row.segments === null ? null : (JSON.parse(row.segments) as unknown);
    return { ...shared, text: row.text, segments };
  }
  const output = row.output_file_id === null ? undefined : await fileById(ctx, row.output_file_id);
  return { ...shared, output_file_data: output === undefined ? null : fileRecord(ctx, output) };
}

/** The record in a list, where the interface never shows the cost. */
export const listedJob = async (ctx: Context, row: MediaJobRow): Promise<MediaJob> => ({
  ...(await jobRecord(ctx, row)),
  credit_cost: "0",
});
