/** The workspace's records as they are read: every field of the contract, whatever the answer leaves out. */
import {
  autoModelTypes,
  defaultStyle,
  partTypes,
  type Agent,
  type AiModel,
  type AiModelFilters,
  type Base,
  type Citation,
  type Conversation,
  type FileType,
  type Message,
  type MessagePart,
  type MessageStatus,
  type Project,
  type ShareFlags,
  type ToolChoice,
  type UnsavedMessage,
  type WorkspaceFile,
} from "../contract/records.ts";
import {
  decimal,
  flag,
  integer,
  isObject,
  list,
  nullable,
  oneOf,
  optional,
  record,
  text,
  whatever,
  type Fields,
  type Read,
} from "./fields.ts";

export const base: Fields<Base> = { ID: integer(), CreatedAt: text(), UpdatedAt: text(), DeletedAt: () => null };

const modelFields: Fields<Omit<AiModel, "successor">> = {
  ...base,
  name: text(),
  description: text(),
  best_for: text(),
  version: text(),
  powered_by: text(),
  multiplier: decimal,
  credit_cost_per_input_token: decimal,
  credit_cost_per_output_token: decimal,
  flagship: flag,
  premium: flag,
  deprecated: flag,
  thinking_model: flag,
  stream_support: flag,
  reasoning_efforts: list(text()),
  default_reasoning_effort: text(),
  tools: list(text()),
  tags: list(text()),
  knowledge_cutoff: nullable(text()),
  supported_file_extensions: list(text()),
  // Only an explicit "no" blocks a model: a workspace that does not say so blocks none.
  selectable: (value) => value !== false,
  restriction_reason: optional(text()),
};
const modelAlone = record<AiModel>({ ...modelFields, successor: () => undefined });
/** A catalogue entry; its successor's own successor is not followed. */
export const readModel: Read<AiModel> = record<AiModel>({
  ...modelFields,
  successor: (value) => (value === undefined ? undefined : nullable(modelAlone)(value)),
});

export const readFilters: Read<AiModelFilters> = record<AiModelFilters>({
  powered_by: nullable(list(text())),
  tools: nullable(list(text())),
  tags: nullable(list(text())),
});

export const readTool = record<ToolChoice>({ name: text(), use: flag, mcp_tool_id: optional(integer()) });

const fileTypes: readonly FileType[] = ["image", "file_search", "spreadsheet", "code_interpreter", "code_interpreter_output"];
const fileFields: Fields<WorkspaceFile> = {
  ...base,
  name: text(),
  path: text(),
  preview_path: text(),
  public_path: text(),
  user_id: integer(),
  workspace_id: nullable(integer()),
  project_id: nullable(integer()),
  fileType: oneOf(fileTypes, "code_interpreter"),
  partial: flag,
};
export const readFile: Read<WorkspaceFile> = record(fileFields);

export const readAgent: Read<Agent> = record<Agent>({
  ...base,
  user_id: integer(),
  name: text(),
  slug: text(),
  tag: text(),
  icon: text("cpu"),
  color: text("#F59E0B"),
  description: nullable(text()),
  system_prompt: text(),
  ai_model_id: integer(),
  ai_model: modelAlone,
  tools: nullable(list(readTool)),
  knowledge_base_limit_node_ids: nullable(list(integer())),
  world_knowledge: flag,
  mcp_servers: optional(list(whatever)),
  knowledge_bases: optional(list(whatever)),
  files: optional(list(readFile)),
  is_shared: optional(flag),
});

const readPart: Read<MessagePart> = (value) => ({
  ...(isObject(value) ? value : {}),
  ...record<Pick<MessagePart, "id" | "type" | "static">>({ id: text(), type: oneOf(partTypes, "text"), static: flag })(value),
});

const readCitation = record<Citation>({
  url: text(),
  file_path: text(),
  title: text(),
  info: (value) => (isObject(value) ? value : {}),
  citation_index: integer(),
});

const readAttachment: Read<Message["attachments"][number]> = (value) => ({
  ...(isObject(value) ? value : {}),
  type: oneOf(["file", "transcription"], "file")(isObject(value) ? value["type"] : undefined),
});

const statuses: readonly MessageStatus[] = ["thinking", "generating", "finished"];

export const readMessage: Read<Message> = record<Message>({
  ...base,
  conversation_context_id: nullable(integer()),
  ai_model_id: integer(),
  ai_model: nullable(modelAlone),
  agent_id: nullable(integer()),
  agent: nullable(readAgent),
  is_auto_model: flag,
  prompt_id: nullable(integer()),
  text: text(),
  raw_text: optional(text()),
  parts: list(readPart),
  thinking: nullable(text()),
  isUser: flag,
  // A status that nobody knows is work in progress; none at all is a message that is simply there.
  status: oneOf(statuses, "finished", "generating"),
  error_text: nullable(text()),
  error_id: nullable(text()),
  error_code: nullable(text()),
  mcp_approval_requests: list(whatever),
  tools: list(readTool),
  ai_style: text(defaultStyle),
  citations: list(readCitation),
  knowledge_base_ids: list(integer()),
  world_knowledge: flag,
  response_duration_ms: nullable(integer()),
  type: oneOf(["normal", "sub_conversation"], "normal"),
  attachments: list(readAttachment),
  credits_used: optional(decimal),
});

export const readUnsaved: Read<UnsavedMessage> = record<UnsavedMessage>({
  ID: () => 0 as const,
  ai_model_id: integer(),
  text: text(),
  isUser: () => false as const,
  status: () => "finished" as const,
  ai_style: text(defaultStyle),
  error_text: nullable(text()),
  error_id: nullable(text()),
});

export const readConversation: Read<Conversation> = record<Conversation>({
  ...base,
  slug: text(),
  userId: integer(),
  projectId: nullable(integer()),
  next_message_ai_model_id: integer(),
  credits_used: decimal,
  name: optional(text()),
});

const readFlags = record<ShareFlags>({ prompt_management: flag, file_management: flag, project_management: flag });

export const readProject: Read<Project> = record<Project>({
  ...base,
  slug: text(),
  name: text(),
  description: text(),
  instructions: text(),
  color: text(),
  icon: text(),
  ai_model_id: nullable(integer()),
  auto_model_type: nullable(oneOf(autoModelTypes, "balanced")),
  user_id: integer(),
  is_pinned: flag,
  has_files: optional(flag),
  current_user_permission: readFlags,
  workspace_share: flag,
  workspace_share_flags: readFlags,
  user_shares: nullable(
    list(record<{ user_id: number; user: unknown; flags: ShareFlags }>({ user_id: integer(), user: whatever, flags: readFlags })),
  ),
  team_shares: nullable(
    list(record<{ team_id: number; team: unknown; flags: ShareFlags }>({ team_id: integer(), team: whatever, flags: readFlags })),
  ),
  ai_model: optional(modelAlone),
  pin: optional(record<Base & { user_id: number; project_id: number }>({ ...base, user_id: integer(), project_id: integer() })),
  files: optional(list(readFile)),
});
