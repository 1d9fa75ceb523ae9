/** Variables of a prompt's content: each belongs to a placeholder, and there is one for each at most. */
import type { Transaction } from "kysely";
import type { z } from "zod";
import type { variableBody } from "../../contract/prompt-bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { ownFile } from "../files/store.ts";
import { HttpError } from "../http-error.ts";
import type { ServiceSchema } from "../schema.ts";
import { placeholdersIn } from "./placeholders.ts";
import type { PromptVariableRow, PromptVersionRow } from "./schema.ts";
import { ownPrompt, versionOf } from "./store.ts";

type Context = Pick<ServiceContext, "db" | "clock">;
type Fields = z.output<typeof variableBody>;

/** The content that the body names by itself or by its prompt, if the prompt is the user's. */
async function namedVersion(ctx: Context, userId: number, fields: Fields): Promise<PromptVersionRow> {
  const { prompt_id, prompt_version_id } = fields;
  if (prompt_id === undefined && prompt_version_id === undefined) {
    throw new HttpError(400, "expected prompt_version_id or prompt_id, got neither");
  }
  const named =
    prompt_version_id === undefined
      ? undefined
      : await ctx.db.selectFrom("prompt_versions").selectAll().where("id", "=", prompt_version_id).executeTakeFirst();
  const promptId = prompt_version_id === undefined ? prompt_id : named?.prompt_id;
  if (promptId === undefined) throw new HttpError(404, errorTexts.promptNotFound);
  const prompt = await ownPrompt(ctx, userId, String(promptId));
  const version = named ?? (await versionOf(ctx, prompt.id));
  if (version === undefined) throw new HttpError(400, "the prompt has no content yet, and so no placeholder for a variable");
  return version;
}

/** The user's own variable, with the content that it is of. */
async function ownVariable(
  ctx: Context,
  userId: number,
  id: number,
): Promise<{ variable: PromptVariableRow; version: PromptVersionRow }> {
  const notFound = (): HttpError => new HttpError(404, errorTexts.variableNotFound);
  const variable = await ctx.db.selectFrom("prompt_variables").selectAll().where("id", "=", id).executeTakeFirst();
  if (variable === undefined) throw notFound();
  const version = await ctx.db
    .selectFrom("prompt_versions")
    .innerJoin("prompts", "prompts.id", "prompt_versions.prompt_id")
    .selectAll("prompt_versions")
    .where("prompt_versions.id", "=", variable.version_id)
    .where("prompts.user_id", "=", userId)
    .where("prompts.deleted_at", "is", null)
    .executeTakeFirst();
  if (version === undefined) throw notFound();
  return { variable, version };
}

/** Throws HttpError 400 for a slug that the content has no placeholder for, or that another variable has. */
async function checkSlug(ctx: Context, version: PromptVersionRow, slug: string, except?: number): Promise<void> {
  const known = placeholdersIn(version.content);
  if (!known.includes(slug)) {
    const there = known.length === 0 ? "there is none" : `there are ${known.join(", ")}`;
    throw new HttpError(400, `slug: expected that of a placeholder in the content, got "${slug}"; ${there}`);
  }
  const same = await ctx.db
    .selectFrom("prompt_variables")
    .select("id")
    .where("version_id", "=", version.id)
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (same !== undefined && same.id !== except) throw new HttpError(400, `slug: the prompt already has a variable ${slug}`);
}

async function checkFile(ctx: Context, userId: number, fileId: number | undefined): Promise<void> {
  if (fileId === undefined || (await ownFile(ctx, userId, fileId)) !== undefined) return;
  throw new HttpError(400, `default_file_id: expected the ID of one of your files, got ${fileId}`);
}

/** The columns that `fields` names; what is undefined is left out. */
const columns = (fields: Fields): Partial<Omit<PromptVariableRow, "id">> =>
  Object.fromEntries(
    Object.entries({
      slug: fields.slug,
      name: fields.name,
      description: fields.description,
      data_type: fields.data_type,
      default_value: fields.default_value,
      required: fields.required === undefined ? undefined : Number(fields.required),
      sort: fields.sort,
      is_primary: fields.is_primary === undefined ? undefined : Number(fields.is_primary),
      is_multi_select: fields.is_multi_select === undefined ? undefined : Number(fields.is_multi_select),
      options: fields.options && JSON.stringify(fields.options),
      file_types: fields.file_types && JSON.stringify(fields.file_types),
      default_file_id: fields.default_file_id,
    }).filter(([, value]) => value !== undefined),
  );

/** One variable at most is the primary one: a new one takes the place of the former. */
async function demoteOthers(db: Transaction<ServiceSchema>, { id, version_id, is_primary }: PromptVariableRow): Promise<void> {
  if (is_primary === 0) return;
  const others = db.updateTable("prompt_variables").set({ is_primary: 0 }).where("version_id", "=", version_id);
  await others.where("id", "<>", id).execute();
}

/** Adds a variable to a prompt of the user's. Throws HttpError 400 for a slug that will not do, 404 for an unknown prompt. */
export async function createVariable(ctx: Context, userId: number, fields: Fields): Promise<PromptVariableRow> {
  const version = await namedVersion(ctx, userId, fields);
  const { slug } = fields;
  if (slug === undefined) throw new HttpError(400, "slug: expected that of a placeholder in the content, got none");
  await checkSlug(ctx, version, slug);
  await checkFile(ctx, userId, fields.default_file_id);
  const now = timestamp(ctx);
  const defaults = {
    name: slug,
    description: "",
    data_type: "text",
    default_value: "",
    required: 0,
    // In the order of the content, unless it is said otherwise.
    sort: placeholdersIn(version.content).indexOf(slug),
    is_primary: 0,
    is_multi_select: 0,
    options: "[]",
    file_types: "[]",
    default_file_id: null,
  };
  return ctx.db.transaction().execute(async (db) => {
    const made = await db
      .insertInto("prompt_variables")
      .values({ ...defaults, ...columns(fields), slug, version_id: version.id, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await demoteOthers(db, made);
    return made;
  });
}

/** Changes what `fields` names. Throws HttpError 400 for a slug that will not do, 404 for a variable that is not the user's. */
export async function updateVariable(ctx: Context, userId: number, id: number, fields: Fields): Promise<PromptVariableRow> {
  const { version } = await ownVariable(ctx, userId, id);
  if (fields.slug !== undefined) await checkSlug(ctx, version, fields.slug, id);
  await checkFile(ctx, userId, fields.default_file_id);
  return ctx.db.transaction().execute(async (db) => {
    const changed = await db
      .updateTable("prompt_variables")
      .set({ ...columns(fields), updated_at: timestamp(ctx) })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await demoteOthers(db, changed);
    return changed;
  });
}

/** Deletes a variable; its placeholder stays in the content as it is. Throws HttpError 404 for one that is not the user's. */
export async function deleteVariable(ctx: Context, userId: number, id: number): Promise<void> {
  await ownVariable(ctx, userId, id);
  await ctx.db.deleteFrom("prompt_variables").where("id", "=", id).execute();
}
