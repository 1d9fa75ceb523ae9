/** Routes of agents. */
import { agentBody } from "../../contract/bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { orFail } from "../or-fail.ts";
import { json, listPage, noContent } from "../responses.ts";
import { existingAgent, listAgents, readAgent } from "./read.ts";
import { agentRecord } from "./record.ts";
import type { AgentRow } from "./schema.ts";
import { createAgent, deleteAgent, updateAgent } from "./write.ts";

/** The agent that the path names, if the caller owns it: a share gives no right to change it. */
async function owned(call: Call, refusal: string): Promise<AgentRow> {
  const agent = await existingAgent(call.ctx, call.param("id"));
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
    const { agents, total } = await listAgents(ctx, caller, asked, page);
    return listPage(agents, page, total);
  },

  "GET /agents/:id": async ({ ctx, caller, param }) => json(200, await readAgent(ctx, caller, param("id"))),

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
