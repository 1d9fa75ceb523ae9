/** Routes of agents. */
import { agentBody } from "../../contract/bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { orFail } from "../or-fail.ts";
import { json, listPage, noContent } from "../responses.ts";
import { bareAgent, agentRecord } from "./record.ts";
import type { AgentRow } from "./schema.ts";
import { agentNamed, isSharedWith, visibleAgents } from "./store.ts";
import { createAgent, deleteAgent, updateAgent } from "./write.ts";

async function named({ ctx, param }: Call): Promise<AgentRow> {
  const agent = await agentNamed(ctx, param("id"));
  if (agent === undefined) throw new HttpError(404, errorTexts.agentNotFound);
  return agent;
}

/** The agent that the path names, if the caller owns it: a share gives no right to change it. */
async function owned(call: Call, refusal: string): Promise<AgentRow> {
  const agent = await named(call);
  if (agent.user_id !== call.caller.userId) throw new HttpError(403, refusal);
  return agent;
}

/** `true` and `false` as a query says them; anything else counts as absent. */
const flag = (value: string | null): boolean | undefined => (value === "true" ? true : value === "false" ? false : undefined);

export const agentHandlers: Handlers = {
  "POST /agents": async ({ ctx, caller, body }) => {
    const fields = await body(agentBody);
    const agent = await orFail(ctx, 500, errorTexts.agentNotCreated, () => createAgent(ctx, caller.userId, fields));
    return json(201, await agentRecord(ctx, agent));
  },

  "GET /agents": async ({ ctx, caller, query, page }) => {
    const asked = {
      search: query.get("search") ?? "",
      shared: flag(query.get("shared")),
      byUsage: query.get("usage_sort") === "true",
    };
    const { rows, total } = await visibleAgents(ctx, caller.userId, asked, page);
    const agents = rows.map((row) => ({ ...bareAgent(row), is_shared: row.user_id !== caller.userId }));
    return listPage(agents, page, total);
  },

  "GET /agents/:id": async (call) => {
    const { ctx, caller } = call;
    const agent = await named(call);
    const foreign = agent.user_id !== caller.userId;
    if (foreign && !(await isSharedWith(ctx, agent.id, caller.userId))) throw new HttpError(403, errorTexts.agentNoAccess);
    return json(200, { ...(await agentRecord(ctx, agent)), is_shared: foreign });
  },

  "PATCH /agents/:id": async (call) => {
    const { ctx } = call;
    const agent = await owned(call, errorTexts.agentUpdateForbidden);
    return json(200, await agentRecord(ctx, await updateAgent(ctx, agent, await call.body(agentBody))));
  },

  "DELETE /agents/:id": async (call) => {
    await deleteAgent(call.ctx, await owned(call, errorTexts.agentDeleteForbidden));
    return noContent();
  },
};
