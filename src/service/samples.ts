/** Two agents of the owner's, so that a new workspace has somebody to mention. */
import { agentBody } from "../contract/bodies.ts";
import { ensureOwner } from "./accounts.ts";
import { createAgent } from "./agents/write.ts";
import type { ServiceContext } from "./context.ts";
import { listModels } from "./models.ts";

type Context = Pick<ServiceContext, "db" | "clock" | "random">;

const samples = [
  {
    name: "Librarian",
    tag: "librarian",
    icon: "database",
    color: "#0F766E",
    description: "Answers from the attached files, and names its source",
    system_prompt:
      "Answer only from the attached files. Name the file that each statement comes from. When they do not say, say so.",
  },
  {
    name: "Editor",
    tag: "editor",
    icon: "rocket",
    color: "#B45309",
    description: "Improves a text and says what it changed",
    system_prompt:
      "Improve the text that you are given: clearer, shorter, in its author's voice. Then list what you changed, and why.",
  },
] as const;

/**
 * Makes the sample agents for an owner who has never had an agent. Those that nobody has changed go on with the catalogue:
 * when their model is no longer offered, they get the first that is.
 */
export async function keepSampleAgents(ctx: Context): Promise<void> {
  const models = await listModels(ctx);
  const first = models.find(({ entry }) => !entry.deprecated);
  if (first === undefined) return;
  const owner = await ensureOwner(ctx);
  const agents = await ctx.db.selectFrom("agents").selectAll().where("user_id", "=", owner.id).execute();
  if (agents.length === 0) {
    for (const sample of samples) await createAgent(ctx, owner.id, agentBody.parse({ ...sample, ai_model_id: first.id }));
    return;
  }
  const left = agents.filter(
    (agent) =>
      agent.created_at === agent.updated_at &&
      samples.some(({ tag }) => tag === agent.tag) &&
      !models.some(({ id }) => id === agent.ai_model_id),
  );
  for (const { id } of left) await ctx.db.updateTable("agents").set({ ai_model_id: first.id }).where("id", "=", id).execute();
}
