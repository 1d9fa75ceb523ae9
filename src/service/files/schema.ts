/** The table of stored files. */
import { sql, type Generated, type Selectable } from "kysely";
import type { FileType } from "../../contract/records.ts";
import { migrationOf, type Migration } from "../../database/migrate.ts";

interface FileTable {
  id: Generated<number>;
  /** Cleaned of paths and control characters; what people see. */
  name: string;
  /** Name of the stored object, and at once the unguessable part of its address. */
  storage_key: string;
  /** Null when the file is not shared. */
  public_slug: string | null;
  user_id: number;
  workspace_id: number;
  project_id: number | null;
  file_type: FileType;
  size: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface FileTables {
  files: FileTable;
}

export type FileRow = Selectable<FileTable>;

export const fileMigrations: readonly Migration[] = [
  migrationOf("files-1", [
    sql`create table files (
      id integer primary key autoincrement, name text not null, storage_key text not null unique, public_slug text unique,
      user_id integer not null references users (id), workspace_id integer not null, project_id integer,
      file_type text not null, size integer not null,
      created_at text not null, updated_at text not null, deleted_at text)`,
    sql`create index files_of_user on files (user_id, id) where deleted_at is null`,
    sql`create index files_of_project on files (project_id, id) where deleted_at is null and project_id is not null`,
  ]),
];
