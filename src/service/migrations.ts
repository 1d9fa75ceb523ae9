/** Every migration of `workspace.sqlite`, in order; each room's own list follows the heart's. */
import { sql } from "kysely";
import { migrationOf, type Migration } from "../database/migrate.ts";
import { agentMigrations } from "./agents/schema.ts";
import { fileMigrations } from "./files/schema.ts";
import { mediaMigrations } from "./media/schema.ts";
import { projectMigrations } from "./projects/schema.ts";
import { promptMigrations } from "./prompts/schema.ts";

const heart = migrationOf("heart-1", [
  sql`create table users (
    id integer primary key autoincrement, name text not null unique, role text not null, permissions text,
    active integer not null default 1, region_blocked integer not null default 0, credit_limit text,
    credits_used text not null default '0', quota_reason text, created_at text not null)`,
  sql`create table api_keys (
    id integer primary key autoincrement, user_id integer not null references users (id), name text not null,
    hash text not null unique, hint text not null, permissions text not null, created_at text not null, revoked_at text)`,
  sql`create table rules (name text primary key, value text not null)`,
  sql`create table models (
    id integer primary key autoincrement, key text not null unique, entry text not null, position integer,
    created_at text not null, updated_at text not null)`,
  sql`create table conversations (
    id integer primary key autoincrement, slug text not null unique, user_id integer not null references users (id),
    project_id integer, agent_id integer, ai_model_id integer, auto_model_type text, ai_style text not null,
    reasoning_effort text, invited_agent_ids text not null, name text, credits_used text not null default '0',
    created_at text not null, updated_at text not null, deleted_at text)`,
  sql`create index conversations_of_user on conversations (user_id, id) where deleted_at is null`,
  sql`create table messages (
    id integer primary key autoincrement, conversation_id integer not null references conversations (id),
    is_user integer not null, status text not null, text text not null, thinking text, ai_model_id integer not null,
    is_auto_model integer not null, agent_id integer, reasoning_effort text, ai_style text not null,
    attachments text not null, tools text not null, knowledge_base_ids text not null, world_knowledge integer not null,
    citations text not null, error_text text, error_id text, error_code text, credits_used text,
    response_duration_ms integer, reply_to integer, turn text, created_at text not null, updated_at text not null)`,
  sql`create index messages_of_conversation on messages (conversation_id, id)`,
  sql`create index messages_unfinished on messages (id) where status <> 'finished'`,
  sql`create index messages_of_agent on messages (agent_id) where agent_id is not null`,
]);

export const migrations: readonly Migration[] = [
  heart,
  ...fileMigrations,
  ...agentMigrations,
  ...projectMigrations,
  ...promptMigrations,
  ...mediaMigrations,
];
