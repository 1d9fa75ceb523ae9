/** Tools of saved prompts. */
import { z } from "zod";
import type { SendContext } from "../conversations/send.ts";
import { identifier, listed, paging, spanOf, tool, type Tools } from "../tools/tool.ts";
import { allPrompts } from "./lists.ts";
import { fullPrompt, promptRecords } from "./record.ts";
import { runBySlugs } from "./run.ts";
import { visiblePrompt } from "./store.ts";

export const promptTools = (ctx: SendContext) =>
  ({
    list_prompts: tool({
      description: "Lists the saved prompts that you own, were given or marked as favourites, the last run first.",
      input: z.strictObject({
        search: z.string().default("").describe("Part of the name or description"),
        workspace_shared: z.boolean().default(false).describe("Those that are shared with the whole workspace too"),
        ...paging,
      }),
      async run({ caller }, { search, workspace_shared, ...span }) {
        const { rows, total } = await allPrompts(ctx, caller.userId, { search, workspaceShared: workspace_shared }, spanOf(span));
        return listed(await promptRecords(ctx, caller.userId, rows, { files: true }), total);
      },
    }),

    get_prompt: tool({
      description: "Reads one saved prompt with its content, its variables and its files.",
      input: z.strictObject({ id: identifier("prompt") }),
      async run({ caller }, { id }) {
        return fullPrompt(ctx, caller.userId, await visiblePrompt(ctx, caller.userId, id));
      },
    }),

    run_prompt: tool({
      description: "Runs a saved prompt and waits for the answer, which begins a conversation that can go on.",
      input: z.strictObject({
        id: identifier("prompt"),
        variables: z
          .record(z.string(), z.string())
          .default({})
          .describe("Values of the prompt's variables by their slug; one that is left out or empty has its default"),
      }),
      async run({ caller }, { id, variables }) {
        const prompt = await visiblePrompt(ctx, caller.userId, id);
        return runBySlugs(ctx, caller.userId, prompt, variables);
      },
    }),
  }) satisfies Tools;
