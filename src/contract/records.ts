/** Records of the workspace as they travel: names and casing are the interface's, ids are integers, money is a decimal string. */

/** A decimal number as a string, such as `"0.0125"`; never a JSON number. */
export type DecimalString = string;
/** An ISO 8601 time stamp. */
export type Timestamp = string;

/** The capitalised fields of every stored record; `DeletedAt` is null on live rows. */
export interface Base {
  ID: number;
  CreatedAt: Timestamp;
  UpdatedAt: Timestamp;
  DeletedAt: null;
}

/** An entry of the chat-model catalogue. */
export interface AiModel extends Base {
  name: string;
  description: string;
  best_for: string;
  version: string;
  powered_by: string;
  multiplier: DecimalString;
  credit_cost_per_input_token: DecimalString;
  credit_cost_per_output_token: DecimalString;
  flagship: boolean;
  premium: boolean;
  deprecated: boolean;
  thinking_model: boolean;
  stream_support: boolean;
  reasoning_efforts: string[];
  default_reasoning_effort: string;
  tools: string[];
  tags: string[];
  knowledge_cutoff: Timestamp | null;
  /** Empty means that every kind of file may be attached. */
  supported_file_extensions: string[];
  /** Only on the list, not on the single read. */
  successor?: AiModel | null;
  selectable: boolean;
  restriction_reason?: string;
}

/** Distinct catalogue values; null where no model has one. */
export interface AiModelFilters {
  powered_by: string[] | null;
  tools: string[] | null;
  tags: string[] | null;
}

export type MessageStatus = "thinking" | "generating" | "finished";

export const partTypes = [
  "text",
  "thinking",
  "web_search",
  "web_fetch",
  "code_execution",
  "image_generation",
  "mcp_call",
] as const;
export type PartType = (typeof partTypes)[number];

/** One block of a message: `type` names the field `<type>_part` that holds its content. `static`: nothing to expand. */
export interface MessagePart {
  id: string;
  type: PartType;
  static: boolean;
  text_part?: { text: string };
  thinking_part?: { text: string };
  /** The picture's record. Its shape is undocumented; the record is among the message's attachments too. */
  image_generation_part?: { file: Partial<WorkspaceFile> };
  [part: `${string}_part`]: unknown;
}

/** A source that an answer names; a knowledge-base source may have a `file_path` and no `url`. */
export interface Citation {
  url: string;
  file_path: string;
  title: string;
  info: { kb_id?: number; file_id?: number; pages?: number[]; rows?: number[]; [key: string]: unknown };
  citation_index: number;
}

export interface ToolChoice {
  name: string;
  use: boolean;
  mcp_tool_id?: number;
}

export interface AttachmentRef {
  id: number;
  type: "file" | "transcription";
  /** True: for this turn only, not recorded on the message. */
  temp?: boolean;
}

/** A message of a conversation. A failed AI message is `finished` with `error_text` and `error_id`. */
export interface Message extends Base {
  conversation_context_id: number | null;
  ai_model_id: number;
  ai_model: AiModel | null;
  agent_id: number | null;
  agent: Agent | null;
  is_auto_model: boolean;
  prompt_id: number | null;
  text: string;
  /** Only on reads and the live channel. */
  raw_text?: string;
  parts: MessagePart[];
  thinking: string | null;
  isUser: boolean;
  status: MessageStatus;
  error_text: string | null;
  /** A 10-character support reference. */
  error_id: string | null;
  error_code: string | null;
  mcp_approval_requests: unknown[];
  tools: ToolChoice[];
  ai_style: string;
  citations: Citation[];
  knowledge_base_ids: number[];
  world_knowledge: boolean;
  response_duration_ms: number | null;
  type: "normal" | "sub_conversation";
  attachments: Array<{ type: "file" | "transcription" } & Partial<WorkspaceFile>>;
  /** Absent is not zero. */
  credits_used?: DecimalString;
}

/** The answer of a free-text run: nothing is stored, so `ID` is 0. */
export interface UnsavedMessage {
  ID: 0;
  ai_model_id: number;
  text: string;
  isUser: false;
  status: "finished";
  ai_style: string;
  error_text: string | null;
  error_id: string | null;
}

/** A conversation in lists. The interface names six fields; `name` is undocumented. */
export interface Conversation extends Base {
  slug: string;
  userId: number;
  projectId: number | null;
  next_message_ai_model_id: number;
  credits_used: DecimalString;
  name?: string;
}

/** The answer of a streamed send: only the conversation's id is documented to be there. */
export interface StreamAccepted {
  conversation_context_id: number;
}

/** Who and what an agent is. On the list route `ai_model` is zero-valued and the arrays are not loaded. */
export interface Agent extends Base {
  user_id: number;
  name: string;
  slug: string;
  tag: string;
  icon: string;
  color: string;
  description: string | null;
  system_prompt: string;
  ai_model_id: number;
  ai_model: AiModel;
  tools: ToolChoice[] | null;
  knowledge_base_limit_node_ids: number[] | null;
  world_knowledge: boolean;
  mcp_servers?: unknown[];
  knowledge_bases?: unknown[];
  files?: WorkspaceFile[];
  is_shared?: boolean;
}

export type FileType = "image" | "file_search" | "spreadsheet" | "code_interpreter" | "code_interpreter_output";

/** A stored file's record. */
export interface WorkspaceFile extends Base {
  name: string;
  path: string;
  preview_path: string;
  public_path: string;
  user_id: number;
  workspace_id: number | null;
  project_id: number | null;
  fileType: FileType;
  partial: boolean;
}

/** A tool as the tool server offers it to a key that may call it. */
export interface WorkspaceTool {
  name: string;
  description: string;
  /** JSON Schema of the object that the tool takes; the interface shows no tool's own. */
  inputSchema: Readonly<Record<string, unknown>>;
}

export const projectIcons = [
  "folder",
  "rocket",
  "hat-glasses",
  "box",
  "flask-conical",
  "book-open",
  "briefcase",
  "circle-dollar-sign",
  "puzzle",
  "cpu",
  "plane",
  "cross",
  "database",
  "paw-print",
  "headset",
] as const;

export interface ShareFlags {
  prompt_management: boolean;
  file_management: boolean;
  project_management: boolean;
}

export interface Project extends Base {
  slug: string;
  name: string;
  description: string;
  instructions: string;
  color: string;
  icon: string;
  ai_model_id: number | null;
  auto_model_type: AutoModelType | null;
  user_id: number;
  is_pinned: boolean;
  /** Only on the single read. */
  has_files?: boolean;
  current_user_permission: ShareFlags;
  workspace_share: boolean;
  workspace_share_flags: ShareFlags;
  user_shares: Array<{ user_id: number; user: unknown; flags: ShareFlags }> | null;
  team_shares: Array<{ team_id: number; team: unknown; flags: ShareFlags }> | null;
  ai_model?: AiModel;
  pin?: Base & { user_id: number; project_id: number };
  files?: WorkspaceFile[];
}

export const autoModelTypes = ["best", "balanced", "fastest"] as const;
export type AutoModelType = (typeof autoModelTypes)[number];

/** Names that a send body's or an agent's tool entries may carry. */
export const toolNames = [
  "web_search",
  "image_generation",
  "video_generation",
  "speech_generation",
  "music_generation",
  "remote_mcp",
] as const;

/** The style of an answer where none is chosen, and always of an agent's. */
export const defaultStyle = "prompty";
