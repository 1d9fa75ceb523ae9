/** The tables of media models and jobs. */
import { sql, type Generated, type Selectable } from "kysely";
import type { JobKind } from "../../contract/media.ts";
import { migrationOf, type Migration } from "../../database/migrate.ts";
import type { MediaKind } from "../providers/media/port.ts";

interface MediaModelTable {
  id: Generated<number>;
  key: string;
  kind: MediaKind;
  /** The MediaEntry as its provider last gave it. */
  entry: string;
  /** Place in the catalogue; null: not offered any more, kept for the jobs that name it. */
  position: number | null;
}

interface MediaJobTable {
  id: Generated<number>;
  kind: JobKind;
  slug: string;
  user_id: number;
  model_id: number;
  /** The checked options, as the kind's `JobOptions`. */
  options: string;
  status: "queued" | "processing" | "done" | "error";
  error: string | null;
  /** What was charged; 0 until the job is done. */
  credit_cost: string;
  output_file_id: number | null;
  /** A transcription's text, and its segments as a JSON array. */
  text: string | null;
  segments: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface MediaTables {
  media_models: MediaModelTable;
  media_jobs: MediaJobTable;
}

export type MediaModelRow = Selectable<MediaModelTable>;
export type MediaJobRow = Selectable<MediaJobTable>;

export const mediaMigrations: readonly Migration[] = [
  migrationOf("media-1", [
    sql`create table media_models (
      id integer primary key autoincrement, key text not null unique, kind text not null, entry text not null,
      position integer)`,
    sql`create table media_jobs (
      id integer primary key autoincrement, kind text not null, slug text not null unique,
      user_id integer not null references users (id), model_id integer not null references media_models (id),
      options text not null, status text not null, error text, credit_cost text not null default '0',
      output_file_id integer, text text, segments text,
      created_at text not null, updated_at text not null, deleted_at text)`,
    sql`create index media_jobs_of_user on media_jobs (user_id, kind, id) where deleted_at is null`,
    sql`create index media_jobs_unfinished on media_jobs (id) where status in ('queued', 'processing')`,
  ]),
];
