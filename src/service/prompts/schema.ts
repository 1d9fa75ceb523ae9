/** The tables of saved prompts: what they say, their variables, who sees and likes them, and what they were run with. */
import { sql, type Generated, type Selectable } from "kysely";
import { migrationOf, type Migration } from "../../database/migrate.ts";

interface PromptTable {
  id: Generated<number>;
  slug: string;
  user_id: number;
  project_id: number | null;
  /** Set: everyone in the workspace may read and run it. */
  shared_with_workspace_id: number | null;
  name: string;
  /** Name and description in lower case, for a search that knows more letters than SQLite's. */
  folded_text: string;
  description: string;
  example_output: string;
  category_id: number | null;
  /** 0 when none was given. */
  ai_model_id: number;
  ai_style: string;
  /** JSON array of tool choices, or null. */
  tools: string | null;
  /** JSON array of ids. */
  mcp_servers: string;
  duplicated_from_id: number | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface PromptVersionTable {
  id: Generated<number>;
  /** Unique: a prompt has one version. */
  prompt_id: number;
  content: string;
  created_at: string;
  updated_at: string;
}

interface PromptVariableTable {
  id: Generated<number>;
  version_id: number;
  slug: string;
  name: string;
  description: string;
  data_type: string;
  default_value: string;
  required: number;
  sort: number;
  is_primary: number;
  is_multi_select: number;
  /** JSON array of texts. */
  options: string;
  /** JSON array of extensions. */
  file_types: string;
  default_file_id: number | null;
  created_at: string;
  updated_at: string;
}

interface PromptFileTable {
  prompt_id: number;
  file_id: number;
}

interface PromptShareTable {
  prompt_id: number;
  user_id: number;
}

interface PromptFavoriteTable {
  id: Generated<number>;
  prompt_id: number;
  user_id: number;
  created_at: string;
}

interface PromptInstanceTable {
  id: Generated<number>;
  version_id: number;
  user_id: number;
  /** JSON array of VariableValue, as they were given: an empty one stands for its default. */
  variables: string;
  created_at: string;
}

interface PromptRunTable {
  id: Generated<number>;
  prompt_id: number;
  user_id: number;
  instance_id: number;
  conversation_id: number;
  /** The AI message with the answer; gone once the conversation is deleted. */
  message_id: number;
  ai_model_id: number;
  created_at: string;
}

export interface PromptTables {
  prompts: PromptTable;
  prompt_versions: PromptVersionTable;
  prompt_variables: PromptVariableTable;
  prompt_files: PromptFileTable;
  prompt_shares: PromptShareTable;
  prompt_favorites: PromptFavoriteTable;
  prompt_instances: PromptInstanceTable;
  prompt_runs: PromptRunTable;
}

export type PromptRow = Selectable<PromptTable>;
export type PromptVersionRow = Selectable<PromptVersionTable>;
export type PromptVariableRow = Selectable<PromptVariableTable>;
export type PromptInstanceRow = Selectable<PromptInstanceTable>;
export type PromptFavoriteRow = Selectable<PromptFavoriteTable>;
export type PromptRunRow = Selectable<PromptRunTable>;

export const promptMigrations: readonly Migration[] = [
  migrationOf("prompts-1", [
    sql`create table prompts (
      id integer primary key autoincrement, slug text not null unique, user_id integer not null references users (id),
      project_id integer references projects (id), shared_with_workspace_id integer, name text not null,
      folded_text text not null, description text not null, example_output text not null, category_id integer,
      ai_model_id integer not null, ai_style text not null, tools text, mcp_servers text not null,
      duplicated_from_id integer, created_at text not null, updated_at text not null, deleted_at text)`,
    sql`create index prompts_of_user on prompts (user_id, id) where deleted_at is null`,
    sql`create index prompts_of_project on prompts (project_id, id) where deleted_at is null and project_id is not null`,
    sql`create table prompt_versions (
      id integer primary key autoincrement, prompt_id integer not null unique references prompts (id),
      content text not null, created_at text not null, updated_at text not null)`,
    sql`create table prompt_variables (
      id integer primary key autoincrement, version_id integer not null references prompt_versions (id), slug text not null,
      name text not null, description text not null, data_type text not null, default_value text not null,
      required integer not null, sort integer not null, is_primary integer not null, is_multi_select integer not null,
      options text not null, file_types text not null, default_file_id integer,
      created_at text not null, updated_at text not null, unique (version_id, slug))`,
    sql`create table prompt_files (
      prompt_id integer not null references prompts (id), file_id integer not null references files (id),
      primary key (prompt_id, file_id))`,
    sql`create table prompt_shares (
      prompt_id integer not null references prompts (id), user_id integer not null references users (id),
      primary key (prompt_id, user_id))`,
    sql`create table prompt_favorites (
      id integer primary key autoincrement, prompt_id integer not null references prompts (id),
      user_id integer not null references users (id), created_at text not null, unique (user_id, prompt_id))`,
    sql`create table prompt_instances (
      id integer primary key autoincrement, version_id integer not null references prompt_versions (id),
      user_id integer not null references users (id), variables text not null, created_at text not null)`,
    sql`create index prompt_instances_of_user on prompt_instances (user_id, version_id, id)`,
    sql`create table prompt_runs (
      id integer primary key autoincrement, prompt_id integer not null references prompts (id),
      user_id integer not null references users (id), instance_id integer not null references prompt_instances (id),
      conversation_id integer not null references conversations (id), message_id integer not null,
      ai_model_id integer not null, created_at text not null)`,
    sql`create index prompt_runs_of_user on prompt_runs (user_id, prompt_id, id)`,
    // The prompt that a person's message was made of; its files go along in the turn.
    sql`alter table messages add column prompt_id integer`,
  ]),
];
