/** Tools of the model catalogue. */
import { z } from "zod";
import { findModels } from "./model-list.ts";
import { listed, paging, spanOf, tool, type Tools } from "./tools/tool.ts";

const names = z.array(z.string()).default([]);

export const modelTools = {
  list_ai_models: tool({
    description: "Lists the AI models of the workspace, with prices, abilities and whether you may select them.",
    input: z.strictObject({
      search: z.string().default("").describe("Part of the name"),
      powered_by: z.string().default("").describe("The maker, exactly"),
      tools: names.describe("Tools that the model must all have, such as web_search"),
      tags: names.describe("Tags that the model must all have"),
      flagship: z.boolean().default(false).describe("Flagship models only"),
      legacy: z.boolean().default(true).describe("Deprecated models too"),
      ...paging,
    }),
    async run({ ctx }, { powered_by, legacy, ...filter }) {
      const { size, offset } = spanOf(filter);
      const found = await findModels(ctx, { ...filter, poweredBy: powered_by, current: !legacy });
      return listed(found.slice(offset, offset + size), found.length);
    },
  }),
} satisfies Tools;
