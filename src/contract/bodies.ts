/** Request bodies, checked by the service and typed for the client. Unknown fields are ignored, as the interface says. */
import { z } from "zod";
import { autoModelTypes } from "./records.ts";

/** An ID as bodies carry it. */
export const id = z.int().nonnegative();
/** A field that may be left out or null; both read as undefined. */
export const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

export const toolChoice = z.object({ name: z.string(), use: z.boolean().default(false), mcp_tool_id: optional(id) });
const attachment = z.object({ id, type: z.enum(["file", "transcription"]).default("file"), temp: z.boolean().default(false) });

/** What a follow-up accepts; a start accepts these too. */
export const followUpBody = z.object({
  message: z.string().default(""),
  attachments: optional(z.array(attachment)),
  knowledge_base_ids: optional(z.array(id)),
  knowledge_base_limit_node_ids: optional(z.array(id)),
  world_knowledge: optional(z.boolean()),
  flash_mode: optional(z.boolean()),
  tools: optional(z.array(toolChoice)),
});

/** What a start accepts. The project travels in the header `X-Project-ID`, not here. */
export const startBody = followUpBody.extend({
  ai_model_id: optional(id),
  auto_model_type: optional(z.enum(autoModelTypes)),
  ai_style: optional(z.string()),
  reasoning_effort: optional(z.string()),
  agent_id: optional(id),
  invited_agent_ids: optional(z.array(id)),
  team_id: optional(id),
});

/** Changes model, style or reasoning effort of later turns. Undocumented: the field names are those of the start. */
export const modelBody = z.object({
  ai_model_id: optional(id),
  ai_style: optional(z.string()),
  reasoning_effort: optional(z.string()),
});

/** Re-runs a failed AI message. Undocumented: without `message_id` the newest failed one. */
export const retryBody = z.object({ message_id: optional(id) });

export const runBody = z.object({ prompt: z.string().default(""), ai_model_id: optional(id) });

export const agentBody = z.object({
  name: optional(z.string()),
  ai_model_id: optional(id),
  tag: optional(z.string()),
  icon: optional(z.string()),
  color: optional(z.string()),
  description: optional(z.string()),
  system_prompt: optional(z.string()),
  tools: optional(z.array(toolChoice)),
  mcp_server_ids: optional(z.array(id)),
  knowledge_base_ids: optional(z.array(id)),
  file_ids: optional(z.array(id)),
  knowledge_base_limit_node_ids: optional(z.array(id)),
  world_knowledge: optional(z.boolean()),
});

export const projectBody = z.object({
  name: optional(z.string()),
  description: optional(z.string()),
  color: optional(z.string()),
  icon: optional(z.string()),
});

export type FollowUpBody = z.input<typeof followUpBody>;
export type StartBody = z.input<typeof startBody>;
export type ModelBody = z.input<typeof modelBody>;
export type AgentBody = z.input<typeof agentBody>;
export type ProjectBody = z.input<typeof projectBody>;

/** An agent's mention handle: source, the interface's agent table. */
export const agentTagPattern = /^[a-z0-9][a-z0-9-_]{0,49}$/;
export const agentNameLimit = 500;
