/** Tools of agents. */
import { z } from "zod";
import { identifier, listed, paging, spanOf, tool, type Tools } from "../tools/tool.ts";
import { listAgents, readAgent } from "./read.ts";

export const agentTools = {
  list_agents: tool({
    description: "Lists your own agents.",
    input: z.strictObject({
      search: z.string().default("").describe("Part of the name"),
      usage_sort: z.boolean().default(false).describe("Most used first"),
      ...paging,
    }),
    async run({ ctx, caller }, { search, usage_sort, ...span }) {
      const asked = { search, shared: false, byUsage: usage_sort };
      const { agents, total } = await listAgents(ctx, caller, asked, spanOf(span));
      return listed(agents, total);
    },
  }),

  get_agent: tool({
    description: "Reads one agent, your own or one that is shared with you, with its model and files.",
    input: z.strictObject({ id: identifier("agent") }),
    run: ({ ctx, caller }, { id }) => readAgent(ctx, caller, id),
  }),
} satisfies Tools;
