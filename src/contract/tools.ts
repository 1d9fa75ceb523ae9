/** The tools of the tool-server endpoint, each gated by exactly one permission. */
import type { Permission } from "./permissions.ts";

/** The version that the tool server reports. */
export const toolServerVersion = "1.0.0";

export interface Tool {
  readonly name: string;
  readonly permission: Permission;
  /** `served`: the embedded tool server has it, with a test. `planned`: named by the interface, not built yet. */
  readonly status: "served" | "planned";
}

/** The tools that this version serves; a resource has its tools in `tools.ts` beside its routes. */
export const servedTools = [
  "list_ai_models",
  "custom_run",

  "list_conversations",
  "get_conversation",
  "send_message",
  "delete_conversation",

  "list_agents",
  "get_agent",

  "list_files",
  "get_file",

  "list_projects",
  "get_project",
  "create_project",
  "delete_project",

  "list_prompts",
  "get_prompt",
  "run_prompt",

  "generate_image",
  "edit_image",
  "generate_video",
  "get_video_generation_status",
  "delete_video_generation",
  "generate_speech",
  "get_tts_generation_status",
  "delete_tts_generation",
  "generate_music",
  "get_music_generation_status",
  "delete_music_generation",
  "transcribe",
  "get_transcription_status",
  "delete_transcription",
] as const;

/** The name of a tool that this version serves. */
export type ServedTool = (typeof servedTools)[number];

const names: ReadonlyArray<readonly [permission: Permission, ...tools: string[]]> = [
  ["conversations_get", "get_conversation", "list_conversations"],
  ["conversations_manage", "send_message"],
  ["conversations_delete", "delete_conversation"],
  ["search", "search"],
  ["prompts_get", "list_prompts", "get_prompt"],
  ["run_prompt", "run_prompt"],
  ["custom_run", "custom_run"],
  ["ai_models_get", "list_ai_models"],
  ["agents_get", "list_agents", "get_agent"],
  ["workflow_tasks_get", "list_workflow_tasks", "get_workflow_task"],
  ["workflow_tasks_manage", "run_workflow_task"],
  ["knowledge_bases_get", "list_knowledge_bases", "search_knowledge_base"],
  ["files_get", "list_files", "get_file"],
  ["spreadsheet_processing_get", "list_spreadsheet_processing_tasks", "get_spreadsheet_processing_task"],
  [
    "spreadsheet_processing_manage",
    "start_spreadsheet_processing",
    "pause_spreadsheet_processing",
    "resume_spreadsheet_processing",
  ],
  ["projects_get", "list_projects", "get_project"],
  ["projects_manage", "create_project"],
  ["projects_delete", "delete_project"],
  ["teams_get", "list_teams", "list_team_members"],
  ["organization_get", "list_workspace_members"],
  ["image_generation_manage", "generate_image", "edit_image"],
  ["video_generation_get", "get_video_generation_status"],
  ["video_generation_manage", "generate_video"],
  ["video_generation_delete", "delete_video_generation"],
  ["tts_generation_get", "get_tts_generation_status"],
  ["tts_generation_manage", "generate_speech"],
  ["tts_generation_delete", "delete_tts_generation"],
  ["music_generation_get", "get_music_generation_status"],
  ["music_generation_manage", "generate_music"],
  ["music_generation_delete", "delete_music_generation"],
  ["transcription_get", "get_transcription_status"],
  ["transcription_manage", "transcribe"],
  ["transcription_delete", "delete_transcription"],
  ["integration_email_get", "list_email_connections"],
  ["integration_email_manage", "send_email"],
  ["integration_crm_manage", "add_crm_contact", "edit_crm_contact", "create_crm_deal"],
  ["integration_database_get", "list_database_connections", "list_database_tables", "describe_database_tables"],
  ["integration_database_manage", "run_database_query"],
  ["integration_storage_get", "list_storage_connections", "browse_storage_folder", "search_storage_files", "get_storage_entry"],
  ["integration_storage_manage", "import_storage_files", "export_file_to_storage"],
];

const isServed = (name: string): boolean => (servedTools as readonly string[]).includes(name);

export const tools: readonly Tool[] = names.flatMap(([permission, ...list]) =>
  list.map((name): Tool => ({ name, permission, status: isServed(name) ? "served" : "planned" })),
);
