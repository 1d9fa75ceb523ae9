/** Two agents and two prompts of the owner's, so that a new workspace has somebody to mention and something to run. */
import { agentBody } from "../contract/bodies.ts";
import { promptBody, variableBody } from "../contract/prompt-bodies.ts";
import { ensureOwner } from "./accounts.ts";
import { createAgent } from "./agents/write.ts";
import type { ServiceContext } from "./context.ts";
import { listModels, type StoredModel } from "./models.ts";
import { createVariable } from "./prompts/variables.ts";
import { createPrompt, writeContent } from "./prompts/write.ts";

type Context = Pick<ServiceContext, "db" | "clock" | "random">;

const agents = [
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

const prompts = [
  {
    name: "Weekly update",
    description: "Turns notes into an update that others like to read",
    content:
      "Write a weekly update for {{audience}} from the notes below. Begin with what matters most, then what was done, what comes next, and where help is needed. Keep to what the notes say.\n\nNotes:\n{{notes}}",
    variables: [
      { slug: "notes", name: "Notes", description: "What happened, as it comes", data_type: "long_text", is_primary: true },
      { slug: "audience", name: "Readers", description: "Who reads it", default_value: "the team" },
    ],
  },
  {
    name: "Reply to a message",
    description: "Drafts an answer to somebody, in the tone that you choose",
    content:
      "Draft a reply to the message below, in a {{tone}} tone. Answer each of its questions. Say: {{points}}\n\nThe message:\n{{message}}",
    variables: [
      { slug: "message", name: "Message", description: "What you were sent", data_type: "long_text", is_primary: true },
      { slug: "points", name: "What to say", description: "Left out: what the message calls for", default_value: "what fits" },
      { slug: "tone", name: "Tone", data_type: "select", default_value: "friendly", options: ["friendly", "formal", "brief"] },
    ],
  },
] as const;

/** What was made of a sample, and can have lost its model. */
interface Kept {
  readonly id: number;
  readonly ai_model_id: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Those that nobody has changed, and whose model is no longer offered. */
const left = (rows: readonly Kept[], models: readonly StoredModel[]): number[] =>
  rows.filter((row) => row.created_at === row.updated_at && !models.some(({ id }) => id === row.ai_model_id)).map(({ id }) => id);

/**
 * Makes the sample agents for an owner who has never had an agent, and the sample prompts likewise. Those that nobody has
 * changed go on with the catalogue: when their model is no longer offered, they get the first that is.
 */
export async function keepSamples(ctx: Context): Promise<void> {
  const models = await listModels(ctx);
  const first = models.find(({ entry }) => !entry.deprecated);
  if (first === undefined) return;
  const owner = await ensureOwner(ctx);
  await keepAgents(ctx, owner.id, models, first.id);
  await keepPrompts(ctx, owner.id, models, first.id);
}

async function keepAgents(ctx: Context, ownerId: number, models: readonly StoredModel[], first: number): Promise<void> {
  const rows = await ctx.db.selectFrom("agents").selectAll().where("user_id", "=", ownerId).execute();
  if (rows.length === 0) {
    for (const sample of agents) await createAgent(ctx, ownerId, agentBody.parse({ ...sample, ai_model_id: first }));
    return;
  }
  const samples = rows.filter((row) => agents.some(({ tag }) => tag === row.tag));
  for (const id of left(samples, models)) {
    await ctx.db.updateTable("agents").set({ ai_model_id: first }).where("id", "=", id).execute();
  }
}

async function keepPrompts(ctx: Context, ownerId: number, models: readonly StoredModel[], first: number): Promise<void> {
  const rows = await ctx.db.selectFrom("prompts").selectAll().where("user_id", "=", ownerId).execute();
  if (rows.length === 0) {
    for (const { content, variables, ...sample } of prompts) {
      const { id } = await createPrompt(ctx, ownerId, promptBody.parse(sample), null);
      await writeContent(ctx, id, content);
      for (const [sort, variable] of variables.entries()) {
        await createVariable(
          ctx,
          ownerId,
          variableBody.parse({ ...variable, options: [...("options" in variable ? variable.options : [])], prompt_id: id, sort }),
        );
      }
    }
    return;
  }
  const samples = rows.filter((row) => prompts.some(({ name }) => name === row.name));
  for (const id of left(samples, models)) {
    await ctx.db.updateTable("prompts").set({ ai_model_id: first }).where("id", "=", id).execute();
  }
}
