/** The tables of `workspace.sqlite`. Arrays and objects are JSON text, truth values 0 or 1, times ISO 8601, credits decimal text. */
import type { Generated, Selectable } from "kysely";
import type { AgentTables } from "./agents/schema.ts";
import type { FileTables } from "./files/schema.ts";
import type { MediaTables } from "./media/schema.ts";
import type { ProjectTables } from "./projects/schema.ts";
import type { PromptTables } from "./prompts/schema.ts";

interface UserTable {
  id: Generated<number>;
  name: string;
  /** The owner is the account of the one who runs the workspace. */
  role: "owner" | "member";
  /** JSON array of permissions; null: all. */
  permissions: string | null;
  active: number;
  region_blocked: number;
  /** Credits that may be used in all; null: no limit. */
  credit_limit: string | null;
  credits_used: string;
  /** A reason that refuses all paid work, whatever the credits say. */
  quota_reason: string | null;
  created_at: string;
}

interface ApiKeyTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the key, which itself is stored nowhere. */
  hash: string;
  /** The key's last four characters, to tell keys apart in lists. */
  hint: string;
  permissions: string;
  created_at: string;
  revoked_at: string | null;
}

interface RuleTable {
  name: string;
  value: string;
}

interface ModelTable {
  id: Generated<number>;
  key: string;
  /** The CatalogueEntry as its provider last gave it. */
  entry: string;
  /** Place in the catalogue; null: no provider offers it any more, kept for the messages that name it. */
  position: number | null;
  created_at: string;
  updated_at: string;
}

interface ConversationTable {
  id: Generated<number>;
  slug: string;
  user_id: number;
  project_id: number | null;
  /** Set: an agent chat, every turn of which is the agent's. */
  agent_id: number | null;
  ai_model_id: number | null;
  auto_model_type: string | null;
  ai_style: string;
  reasoning_effort: string | null;
  /** Agents that may be mentioned; empty: all of the owner's. */
  invited_agent_ids: string;
  name: string | null;
  credits_used: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface MessageTable {
  id: Generated<number>;
  conversation_id: number;
  is_user: number;
  status: "thinking" | "generating" | "finished";
  text: string;
  thinking: string | null;
  ai_model_id: number;
  is_auto_model: number;
  agent_id: number | null;
  reasoning_effort: string | null;
  ai_style: string;
  /** Attachments that are recorded on the message. */
  attachments: string;
  tools: string;
  knowledge_base_ids: string;
  world_knowledge: number;
  citations: string;
  error_text: string | null;
  error_id: string | null;
  error_code: string | null;
  credits_used: string | null;
  response_duration_ms: number | null;
  /** Of an AI message: the user message it answers. */
  reply_to: number | null;
  /** Of an AI message: what the turn asks for and no record shows (temporary attachments, priority tier), for a retry. */
  turn: string | null;
  /** Of a person's message that a saved prompt made: the prompt, whose files go along. */
  prompt_id: number | null;
  created_at: string;
  updated_at: string;
}

interface HeartTables {
  users: UserTable;
  api_keys: ApiKeyTable;
  rules: RuleTable;
  models: ModelTable;
  conversations: ConversationTable;
  messages: MessageTable;
}

/** The heart's tables, and those that the other rooms declare beside their code. */
export interface ServiceSchema extends HeartTables, AgentTables, FileTables, ProjectTables, PromptTables, MediaTables {}

export type UserRow = Selectable<UserTable>;
export type ModelRow = Selectable<ModelTable>;
export type ConversationRow = Selectable<ConversationTable>;
export type MessageRow = Selectable<MessageTable>;
