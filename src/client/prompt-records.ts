/** Prompts and their runs as they are read. */
import { defaultStyle } from "../contract/records.ts";
import type {
  Prompt,
  PromptCategory,
  PromptFavorite,
  PromptInstance,
  PromptRun,
  PromptRunEntry,
  PromptVariable,
  PromptVersion,
  VariableValue,
} from "../contract/prompt-records.ts";
import { flag, integer, isObject, list, nullable, optional, record, text, type Fields, type Read } from "./fields.ts";
import { base, readFile, readTool } from "./records.ts";

export const readPromptVariable: Read<PromptVariable> = record<PromptVariable>({
  ...base,
  prompt_version_id: integer(),
  name: text(),
  slug: text(),
  description: text(),
  data_type: text("text"),
  default_value: text(),
  required: flag,
  sort: integer(),
  is_primary: flag,
  is_multi_select: flag,
  options: list(text()),
  file_types: list(text()),
  default_file_id: nullable(integer()),
});

const readValue = record<VariableValue>({ variable_id: integer(), slug: text(), value: text() });

export const readPromptInstance: Read<PromptInstance> = record<PromptInstance>({
  ...base,
  prompt_id: integer(),
  prompt_version_id: integer(),
  user_id: integer(),
  variables: list(readValue),
});

export const readPromptVersion: Read<PromptVersion> = record<PromptVersion>({
  ...base,
  prompt_id: integer(),
  content: text(),
  variables: nullable(list(readPromptVariable)),
  current_instance_id: nullable(integer()),
  current_instance: nullable(readPromptInstance),
});

export const readPrompt: Read<Prompt> = record<Prompt>({
  ...base,
  name: text(),
  slug: text(),
  user_id: integer(),
  project_id: nullable(integer()),
  shared_with_workspace_id: nullable(integer()),
  current_version_id: nullable(integer()),
  current_version: nullable(readPromptVersion),
  ai_model_id: integer(),
  description: text(),
  example_output: text(),
  is_favorite: flag,
  category_id: nullable(integer()),
  category: nullable(record<PromptCategory>({ ...base, name: text() })),
  duplicated_from_id: nullable(integer()),
  file_data: nullable(list(readFile)),
  tools: nullable(list(readTool)),
  mcp_servers: list(integer()),
  ai_style: text(defaultStyle),
  can_delete: optional(flag),
});

export const readPromptFavorite: Read<PromptFavorite> = record<PromptFavorite>({
  ...base,
  user_id: integer(),
  prompt_id: integer(),
  Prompt: () => null,
});

const runFields: Fields<Omit<PromptRunEntry, "prompt_id" | "instance_id" | "variables" | "run_status">> = {
  id: integer(),
  created_at: text(),
  runtime: integer(),
  ai_model_id: integer(),
  conversation_context_id: integer(),
  conversation_context_slug: text(),
  error_text: nullable(text()),
  error_id: nullable(text()),
};

// Only `success` and `error` are documented; an error text says the same as the latter, whatever the status is called.
const statusOf = (value: unknown): PromptRun["run_status"] =>
  isObject(value) && (value["run_status"] === "error" || typeof value["error_text"] === "string") ? "error" : "success";

export const readPromptRun: Read<PromptRun> = (value) => ({
  ...record<Omit<PromptRun, "run_status">>({
    ...runFields,
    result: text(),
    raw_text: nullable(text()),
    code: optional(text()),
  })(value),
  run_status: statusOf(value),
});

export const readPromptRunEntry: Read<PromptRunEntry> = (value) => ({
  ...record<Omit<PromptRunEntry, "run_status">>({
    ...runFields,
    prompt_id: integer(),
    instance_id: integer(),
    variables: list(readValue),
  })(value),
  run_status: statusOf(value),
});
