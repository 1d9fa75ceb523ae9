/** Creates, changes, copies and deletes prompts, and writes their content. */
import type { Insertable, Transaction } from "kysely";
import type { z } from "zod";
import type { promptBody, promptUpdateBody } from "../../contract/prompt-bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { randomSlug } from "../../contract/identifiers.ts";
import { defaultStyle } from "../../contract/records.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { listModels } from "../models.ts";
import type { ServiceSchema } from "../schema.ts";
import type { PromptRow, PromptTables, PromptVersionRow } from "./schema.ts";
import { variablesOf, versionOf } from "./store.ts";

type Context = Pick<ServiceContext, "db" | "clock" | "random">;

const slugLength = 8;

const checkName = (name: string | undefined): string => {
  if (name === undefined || name.trim() === "") throw new HttpError(400, errorTexts.promptNameRequired);
  return name;
};

const folded = (name: string, description: string): string => `${name}\n${description}`.toLowerCase();

/** Users of the embedded workspace have no stored preference, so that the first model counts that is not on its way out. */
async function firstModel(ctx: Context): Promise<number> {
  const models = await listModels(ctx);
  return (models.find(({ entry }) => !entry.deprecated) ?? models[0])?.id ?? 0;
}

/** Throws HttpError 409 when the user already has a prompt of this name in the same place. */
async function checkFree({ db }: Context, userId: number, name: string, projectId: number | null): Promise<void> {
  const own = db.selectFrom("prompts").select("id").where("user_id", "=", userId).where("deleted_at", "is", null);
  const there = projectId === null ? own.where("project_id", "is", null) : own.where("project_id", "=", projectId);
  const same = await there.where("name", "=", name).executeTakeFirst();
  if (same !== undefined) throw new HttpError(409, errorTexts.promptExists);
}

/** Creates a prompt without content. Throws HttpError 400 without a name, 409 for a name that is taken there. */
export async function createPrompt(
  ctx: Context,
  userId: number,
  fields: z.output<typeof promptBody>,
  projectId: number | null,
): Promise<PromptRow> {
  const name = checkName(fields.name);
  await checkFree(ctx, userId, name, projectId);
  const { description = "", example_output = "", tools, mcp_servers = [] } = fields;
  return insert(ctx.db, ctx, {
    user_id: userId,
    project_id: projectId,
    shared_with_workspace_id: null,
    name,
    folded_text: folded(name, description),
    description,
    example_output,
    category_id: fields.category_id ?? null,
    ai_model_id: await firstModel(ctx),
    ai_style: defaultStyle,
    tools: tools === undefined ? null : JSON.stringify(tools),
    mcp_servers: JSON.stringify(mcp_servers),
    duplicated_from_id: null,
  });
}

type NewPrompt = Omit<Insertable<PromptTables["prompts"]>, "id" | "slug" | "created_at" | "updated_at" | "deleted_at">;

function insert(db: ServiceContext["db"] | Transaction<ServiceSchema>, ctx: Context, row: NewPrompt): Promise<PromptRow> {
  const now = timestamp(ctx);
  return db
    .insertInto("prompts")
    .values({ ...row, slug: randomSlug(slugLength, ctx.random), created_at: now, updated_at: now, deleted_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Overwrites a prompt: what `fields` leaves out is emptied, but for `tools` and `mcp_servers`. Throws HttpError 400 without a name. */
export async function updatePrompt(
  ctx: Context,
  prompt: PromptRow,
  fields: z.output<typeof promptUpdateBody>,
): Promise<PromptRow> {
  const name = checkName(fields.name);
  const { description = "", example_output = "", ai_model_id = 0, ai_style = "", tools, mcp_servers } = fields;
  return change(ctx, prompt.id, {
    name,
    folded_text: folded(name, description),
    description,
    example_output,
    category_id: fields.category_id ?? null,
    ai_model_id,
    ai_style,
    ...(tools !== undefined && { tools: JSON.stringify(tools) }),
    ...(mcp_servers !== undefined && { mcp_servers: JSON.stringify(mcp_servers) }),
  });
}

/** Changes columns of a prompt and gives it as it is then. */
export const change = (ctx: Pick<ServiceContext, "db" | "clock">, id: number, columns: Partial<NewPrompt>): Promise<PromptRow> =>
  ctx.db
    .updateTable("prompts")
    .set({ ...columns, updated_at: timestamp(ctx) })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Writes the content of a prompt, in place of an earlier one. */
export function writeContent(
  ctx: Pick<ServiceContext, "db" | "clock">,
  promptId: number,
  content: string,
): Promise<PromptVersionRow> {
  const now = timestamp(ctx);
  return ctx.db
    .insertInto("prompt_versions")
    .values({ prompt_id: promptId, content, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column("prompt_id").doUpdateSet({ content, updated_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Marks a prompt as deleted: its shares and favourites end, the conversations of its runs stay. */
export async function deletePrompt(ctx: Context, prompt: PromptRow): Promise<void> {
  const now = timestamp(ctx);
  await ctx.db.transaction().execute(async (db) => {
    await db.deleteFrom("prompt_shares").where("prompt_id", "=", prompt.id).execute();
    await db.deleteFrom("prompt_favorites").where("prompt_id", "=", prompt.id).execute();
    await db.updateTable("prompts").set({ deleted_at: now, updated_at: now }).where("id", "=", prompt.id).execute();
  });
}

/**
 * Copies a prompt for `userId`: what it says and its variables, but no tool servers, no files and nothing of its files' rules.
 * Into a project it keeps its name; outside projects it gets ` (copy)`.
 */
export async function duplicatePrompt(
  ctx: Context,
  userId: number,
  prompt: PromptRow,
  projectId: number | null,
): Promise<PromptRow> {
  const version = await versionOf(ctx, prompt.id);
  const variables = version === undefined ? [] : await variablesOf(ctx, version);
  const name = projectId === null ? `${prompt.name} (copy)` : prompt.name;
  const { description, example_output, tools, ai_style, ai_model_id, category_id } = prompt;
  return ctx.db.transaction().execute(async (db) => {
    const copy = await insert(db, ctx, {
      user_id: userId,
      project_id: projectId,
      shared_with_workspace_id: null,
      name,
      folded_text: folded(name, description),
      description,
      example_output,
      tools,
      ai_style,
      ai_model_id,
      category_id,
      mcp_servers: "[]",
      duplicated_from_id: prompt.id,
    });
    if (version === undefined) return copy;
    const copied = await writeContent({ db, clock: ctx.clock }, copy.id, version.content);
    const now = timestamp(ctx);
    for (const { id: _id, ...variable } of variables) {
      const row = { ...variable, version_id: copied.id, file_types: "[]", default_file_id: null };
      await db
        .insertInto("prompt_variables")
        .values({ ...row, created_at: now, updated_at: now })
        .execute();
    }
    return copy;
  });
}

/** Attaches files to a prompt; those that are attached already stay so. */
export async function attachFiles(
  { db }: Pick<ServiceContext, "db">,
  promptId: number,
  fileIds: readonly number[],
): Promise<void> {
  if (fileIds.length === 0) return;
  await db
    .insertInto("prompt_files")
    .values(fileIds.map((id) => ({ prompt_id: promptId, file_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
