/** An agent as the interface shows it: bare on the list, loaded everywhere else. */
import type { Agent, ToolChoice } from "../../contract/records.ts";
import type { ServiceContext } from "../context.ts";
import { fileRecord } from "../files/store.ts";
import { modelById, modelRecord, zeroModel } from "../models.ts";
import { readRules } from "../rules.ts";
import type { AgentRow } from "./schema.ts";
import { agentFiles } from "./store.ts";

/** An agent without anything that has to be looked up: its `ai_model` is zero-valued. */
export const bareAgent = (row: AgentRow): Agent => ({
  ID: row.id,
  CreatedAt: row.created_at,
  UpdatedAt: row.updated_at,
  DeletedAt: null,
  user_id: row.user_id,
  name: row.name,
  slug: row.slug,
  tag: row.tag,
  icon: row.icon,
  color: row.color,
  description: row.description,
  system_prompt: row.system_prompt,
  ai_model_id: row.ai_model_id,
  ai_model: zeroModel,
  tools: row.tools === null ? null : (JSON.parse(row.tools) as ToolChoice[]),
  knowledge_base_limit_node_ids:
    row.knowledge_base_limit_node_ids === null ? null : (JSON.parse(row.knowledge_base_limit_node_ids) as number[]),
  world_knowledge: row.world_knowledge === 1,
});

/** An agent with its model and its files; `files` is left out when there are none. */
export async function agentRecord(ctx: Pick<ServiceContext, "db" | "publicUrl">, row: AgentRow): Promise<Agent> {
  const model = await modelById(ctx, row.ai_model_id);
  const files = await agentFiles(ctx, row.id);
  return {
    ...bareAgent(row),
    ...(model === undefined ? {} : { ai_model: modelRecord(model, await readRules(ctx.db)) }),
    ...(files.length === 0 ? {} : { files: files.map((file) => fileRecord(ctx, file)) }),
  };
}
