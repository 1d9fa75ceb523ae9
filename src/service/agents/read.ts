/** Reading agents: what the routes and the tools answer alike. */
import { errorTexts } from "../../contract/errors.ts";
import type { Agent } from "../../contract/records.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { Span } from "../responses.ts";
import { agentRecord, bareAgent } from "./record.ts";
import type { AgentRow } from "./schema.ts";
import { agentNamed, isSharedWith, visibleAgents, type AgentListQuery } from "./store.ts";

/** The live agent that `idOrSlug` names, whoever owns it. Throws HttpError 404. */
export async function existingAgent(ctx: Pick<ServiceContext, "db">, idOrSlug: string): Promise<AgentRow> {
  const agent = await agentNamed(ctx, idOrSlug);
  if (agent === undefined) throw new HttpError(404, errorTexts.agentNotFound);
  return agent;
}

/** An agent that the caller may see, in full. Throws HttpError 404 or 403. */
export async function readAgent(ctx: ServiceContext, caller: Caller, idOrSlug: string): Promise<Agent> {
  const agent = await existingAgent(ctx, idOrSlug);
  const foreign = agent.user_id !== caller.userId;
  if (foreign && !(await isSharedWith(ctx, agent.id, caller.userId))) throw new HttpError(403, errorTexts.agentNoAccess);
  return { ...(await agentRecord(ctx, agent)), is_shared: foreign };
}

/** Some of the agents that the caller owns or may use, and how many there are in all. */
export async function listAgents(
  ctx: ServiceContext,
  caller: Caller,
  asked: AgentListQuery,
  span: Span,
): Promise<{ agents: Agent[]; total: number }> {
  const { rows, total } = await visibleAgents(ctx, caller.userId, asked, span);
  return { agents: rows.map((row) => ({ ...bareAgent(row), is_shared: row.user_id !== caller.userId })), total };
}
