/** The tables of projects: what they say, with whom they are shared, and who has pinned them. */
import { sql, type Generated, type Selectable } from "kysely";
import type { AutoModelType } from "../../contract/records.ts";
import { migrationOf, type Migration } from "../../database/migrate.ts";

interface ProjectTable {
  id: Generated<number>;
  slug: string;
  user_id: number;
  name: string;
  description: string;
  /** Name and description in lower case, for a search that knows more letters than SQLite's. */
  folded_text: string;
  instructions: string;
  color: string;
  icon: string;
  /** The default model: normally exactly one of the two is set. */
  ai_model_id: number | null;
  auto_model_type: AutoModelType | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface ProjectShareTable {
  project_id: number;
  /** Null: shared with the whole workspace. */
  user_id: number | null;
  prompt_management: number;
  file_management: number;
  project_management: number;
}

interface ProjectPinTable {
  id: Generated<number>;
  project_id: number;
  user_id: number;
  created_at: string;
}

export interface ProjectTables {
  projects: ProjectTable;
  project_shares: ProjectShareTable;
  project_pins: ProjectPinTable;
}

export type ProjectRow = Selectable<ProjectTable>;
export type ProjectShareRow = Selectable<ProjectShareTable>;
export type ProjectPinRow = Selectable<ProjectPinTable>;

export const projectMigrations: readonly Migration[] = [
  migrationOf("projects-1", [
    sql`create table projects (
      id integer primary key autoincrement, slug text not null unique, user_id integer not null references users (id),
      name text not null, description text not null, folded_text text not null, instructions text not null,
      color text not null, icon text not null, ai_model_id integer, auto_model_type text,
      created_at text not null, updated_at text not null, deleted_at text)`,
    sql`create table project_shares (
      project_id integer not null references projects (id), user_id integer references users (id),
      prompt_management integer not null, file_management integer not null, project_management integer not null)`,
    // Null never equals null in an index; 0 is no user's id.
    sql`create unique index project_shares_once on project_shares (project_id, coalesce(user_id, 0))`,
    sql`create table project_pins (
      id integer primary key autoincrement, project_id integer not null references projects (id),
      user_id integer not null references users (id), created_at text not null, unique (user_id, project_id))`,
  ]),
];
