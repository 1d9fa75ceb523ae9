/** Records of saved prompts and of their runs, as they travel. */
import type { Base, Timestamp, ToolChoice, WorkspaceFile } from "./records.ts";

/** A place in a prompt's content, written there as `{{slug}}`. The interface names the fields and not their types, which are undocumented. */
export interface PromptVariable extends Base {
  prompt_version_id: number;
  name: string;
  slug: string;
  description: string;
  /** What a form asks for: `text`, `long_text`, `number`, `select` or `file` in the embedded workspace; a hosted one may have others. */
  data_type: string;
  /** Stands in for a value that is omitted or empty. */
  default_value: string;
  required: boolean;
  sort: number;
  /** The variable that a replay puts its new text in. */
  is_primary: boolean;
  is_multi_select: boolean;
  /** What may be chosen; empty: anything may be written. */
  options: string[];
  /** Extensions that a file variable takes; empty: all. */
  file_types: string[];
  default_file_id: number | null;
}

/** What a run was given for one variable. */
export interface VariableValue {
  variable_id: number;
  slug: string;
  value: string;
}

/** The values of one run, kept to run them again. Undocumented but for its routes. */
export interface PromptInstance extends Base {
  prompt_id: number;
  prompt_version_id: number;
  user_id: number;
  variables: VariableValue[];
}

/** The content of a prompt, of which there is exactly one version. */
export interface PromptVersion extends Base {
  prompt_id: number;
  content: string;
  /** Null where they are not loaded: on lists, and in the answer to writing the content. */
  variables: PromptVariable[] | null;
  current_instance_id: number | null;
  current_instance: PromptInstance | null;
}

export interface PromptCategory extends Base {
  name: string;
}

export interface Prompt extends Base {
  name: string;
  slug: string;
  user_id: number;
  project_id: number | null;
  shared_with_workspace_id: number | null;
  current_version_id: number | null;
  /** Mostly null on lists. */
  current_version: PromptVersion | null;
  ai_model_id: number;
  description: string;
  example_output: string;
  is_favorite: boolean;
  category_id: number | null;
  category: PromptCategory | null;
  duplicated_from_id: number | null;
  /** Null where they are not loaded. */
  file_data: WorkspaceFile[] | null;
  tools: ToolChoice[] | null;
  mcp_servers: number[];
  ai_style: string;
  /** Only in the list of a project. */
  can_delete?: boolean;
}

export interface PromptFavorite extends Base {
  user_id: number;
  prompt_id: number;
  /** Never loaded. */
  Prompt: null;
}

/** The outcome of a run. Its casing is the interface's: `id` and `created_at`, unlike stored records. */
export interface PromptRun {
  id: number;
  created_at: Timestamp;
  /** HTML that was made of the model's Markdown; empty where the model said nothing. */
  result: string;
  /** Null where a run with variables answers: then only the HTML is there. */
  raw_text: string | null;
  /** How long it took. The unit is undocumented; the embedded workspace gives milliseconds. */
  runtime: number;
  ai_model_id: number;
  /** The conversation that the run created, which can be followed up. */
  conversation_context_id: number;
  conversation_context_slug: string;
  error_text: string | null;
  error_id: string | null;
  /** `error` although the status is 200. A status that is not known is read as `success` unless there is an error text. */
  run_status: "success" | "error";
  /** The code of a guardrail that blocked the run. */
  code?: string;
}

/** An earlier run of the caller's. Of its fields the interface names only those of `variables`. */
export interface PromptRunEntry extends Omit<PromptRun, "result" | "raw_text" | "code"> {
  prompt_id: number;
  instance_id: number;
  variables: VariableValue[];
}
