/** Request bodies of prompts, their variables and their runs. */
import { z } from "zod";
import { id, optional, toolChoice } from "./bodies.ts";

export const promptBody = z.object({
  name: optional(z.string()),
  description: optional(z.string()),
  example_output: optional(z.string()),
  category_id: optional(id),
  tools: optional(z.array(toolChoice)),
  mcp_servers: optional(z.array(id)),
});

/** Everything but `tools` and `mcp_servers` is overwritten, also by what is left out: without `ai_model_id` the prompt has no model. */
export const promptUpdateBody = promptBody.extend({ ai_model_id: optional(id), ai_style: optional(z.string()) });

export const promptVersionBody = z.object({ prompt_id: id, content: z.string() });

export const promptShareBody = z.object({ shared: z.boolean() });

export const promptFilesBody = z.object({ file_ids: z.array(id) });

/** Undocumented: the field names are those of the record. The version may be named by its prompt. */
export const variableBody = z.object({
  prompt_id: optional(id),
  prompt_version_id: optional(id),
  slug: optional(z.string()),
  name: optional(z.string()),
  description: optional(z.string()),
  data_type: optional(z.enum(["text", "long_text", "number", "select", "file"])),
  default_value: optional(z.string()),
  required: optional(z.boolean()),
  sort: optional(z.int()),
  is_primary: optional(z.boolean()),
  is_multi_select: optional(z.boolean()),
  options: optional(z.array(z.string())),
  file_types: optional(z.array(z.string())),
  default_file_id: optional(id),
});

export const promptRunBody = z.object({
  variable_values: optional(z.array(z.object({ variable_id: id, value: z.string().default("") }))),
});

export const promptReplayBody = z.object({ data: z.string() });

export type PromptBody = z.input<typeof promptBody>;
export type PromptUpdateBody = z.input<typeof promptUpdateBody>;
export type PromptVersionBody = z.input<typeof promptVersionBody>;
export type VariableBody = z.input<typeof variableBody>;
