/** Permissions of an API key, as the interface's authentication section names them. */

/** Kinds of background media job; each has its own permission family and routes. */
export const mediaKinds = ["video_generation", "tts_generation", "music_generation", "transcription"] as const;

const families = {
  conversations: ["get", "manage", "delete"],
  prompts: ["get", "manage", "delete"],
  prompt_variables: ["get", "manage", "delete"],
  prompt_categories: ["get", "manage", "delete"],
  agents: ["get", "manage", "delete"],
  workflow_tasks: ["get", "manage", "delete"],
  mcp: ["get", "manage", "delete"],
  knowledge_bases: ["get", "manage", "delete"],
  files: ["get", "manage", "delete"],
  spreadsheet_processing: ["get", "manage"],
  projects: ["get", "manage", "delete"],
  teams: ["get", "manage", "delete"],
  organization: ["get", "manage", "delete"],
  image_generation: ["get", "manage", "delete"],
  video_generation: ["get", "manage", "delete"],
  tts_generation: ["get", "manage", "delete"],
  music_generation: ["get", "manage", "delete"],
  transcription: ["get", "manage", "delete"],
  integrations: ["get"],
  integration_connections: ["get", "manage", "delete"],
  integration_email: ["get", "manage"],
  integration_crm: ["get", "manage"],
  integration_database: ["get", "manage"],
  integration_storage: ["get", "manage"],
} as const;

type Families = typeof families;
type FamilyPermission = { [F in keyof Families]: `${F & string}_${Families[F][number]}` }[keyof Families];

/** A permission that a key may hold. */
export type Permission = FamilyPermission | "search" | "run_prompt" | "custom_run" | "ai_models_get";

/** Every permission that a key may hold, in the interface's order of families. */
export const permissions: readonly Permission[] = [
  ...Object.entries(families).flatMap(([family, verbs]) => verbs.map((verb) => `${family}_${verb}` as Permission)),
  "search",
  "run_prompt",
  "custom_run",
  "ai_models_get",
];

/** Staff-only permissions: hidden, and refused on a key. */
export const staffPermissions = [
  "statistics_get",
  "ai_models_manage",
  "invite_codes_get",
  "invite_codes_manage",
  "invite_codes_delete",
] as const;

/** Permissions that exist and unlock nothing; a key may hold them, no route asks for them. */
export const inertPermissions: readonly Permission[] = [
  "prompt_variables_get",
  "prompt_categories_get",
  "prompt_categories_manage",
  "prompt_categories_delete",
  "image_generation_get",
  "image_generation_delete",
];

/** True when `value` names a permission that a key may hold. */
export const isPermission = (value: string): value is Permission => (permissions as readonly string[]).includes(value);
