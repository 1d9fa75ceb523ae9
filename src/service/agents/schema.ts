/** The tables of agents: who they are, which files they know, and with whom they are shared. */
import { sql, type Generated, type Selectable } from "kysely";
import { migrationOf, type Migration } from "../../database/migrate.ts";

interface AgentTable {
  id: Generated<number>;
  slug: string;
  user_id: number;
  name: string;
  /** The name in lower case, for a search that knows more letters than SQLite's. */
  folded_name: string;
  /** The mention handle; unique among the live agents of its owner. */
  tag: string;
  icon: string;
  color: string;
  description: string | null;
  system_prompt: string;
  /** 0 when none was given. */
  ai_model_id: number;
  /** JSON array of tool choices, or null. */
  tools: string | null;
  /** JSON array of ids, or null. */
  knowledge_base_limit_node_ids: string | null;
  world_knowledge: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface AgentFileTable {
  agent_id: number;
  file_id: number;
}

interface AgentShareTable {
  agent_id: number;
  /** Null: shared with the whole workspace. */
  user_id: number | null;
}

export interface AgentTables {
  agents: AgentTable;
  agent_files: AgentFileTable;
  agent_shares: AgentShareTable;
}

export type AgentRow = Selectable<AgentTable>;

export const agentMigrations: readonly Migration[] = [
  migrationOf("agents-1", [
    sql`create table agents (
      id integer primary key autoincrement, slug text not null unique, user_id integer not null references users (id),
      name text not null, folded_name text not null, tag text not null, icon text not null, color text not null,
      description text, system_prompt text not null, ai_model_id integer not null, tools text,
      knowledge_base_limit_node_ids text, world_knowledge integer not null,
      created_at text not null, updated_at text not null, deleted_at text)`,
    sql`create unique index agents_tag on agents (user_id, tag) where deleted_at is null`,
    sql`create table agent_files (
      agent_id integer not null references agents (id), file_id integer not null references files (id),
      primary key (agent_id, file_id))`,
    sql`create table agent_shares (
      agent_id integer not null references agents (id), user_id integer references users (id))`,
    // Null never equals null in an index; 0 is no user's id.
    sql`create unique index agent_shares_once on agent_shares (agent_id, coalesce(user_id, 0))`,
  ]),
];
