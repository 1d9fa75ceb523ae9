/** Finds prompts and what belongs to them, and says who may see them. */
import { isNumericId } from "../../contract/identifiers.ts";
import { errorTexts } from "../../contract/errors.ts";
import type { ServiceContext } from "../context.ts";
import type { FileRow } from "../files/schema.ts";
import { HttpError } from "../http-error.ts";
import { visibleProject } from "../projects/store.ts";
import { placeholdersIn } from "./placeholders.ts";
import type { PromptRow, PromptVariableRow, PromptVersionRow } from "./schema.ts";

type Db = Pick<ServiceContext, "db">;

/** The live prompt that `:id` names, whoever owns it: digits are an ID, anything else is a slug. */
export function promptNamed({ db }: Db, idOrSlug: string): Promise<PromptRow | undefined> {
  const live = db.selectFrom("prompts").selectAll().where("deleted_at", "is", null);
  return isNumericId(idOrSlug)
    ? live.where("id", "=", Number(idOrSlug)).executeTakeFirst()
    : live.where("slug", "=", idOrSlug).executeTakeFirst();
}

/** True when the prompt is shared with this user, and not only with the whole workspace. */
export async function isSharedDirectly({ db }: Db, promptId: number, userId: number): Promise<boolean> {
  const share = await db
    .selectFrom("prompt_shares")
    .select("prompt_id")
    .where("prompt_id", "=", promptId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return share !== undefined;
}

/** True for the owner, for those with whom it is shared, and for those who see its project. */
export async function maySee(ctx: Db, prompt: PromptRow, userId: number): Promise<boolean> {
  if (prompt.user_id === userId || prompt.shared_with_workspace_id !== null) return true;
  if (prompt.project_id !== null && (await visibleProject(ctx, userId, prompt.project_id)) !== undefined) return true;
  return isSharedDirectly(ctx, prompt.id, userId);
}

/** The prompt that `:id` names. Throws HttpError 404 without one, 403 when the user may not see it. */
export async function visiblePrompt(ctx: Db, userId: number, idOrSlug: string): Promise<PromptRow> {
  const prompt = await promptNamed(ctx, idOrSlug);
  if (prompt === undefined) throw new HttpError(404, errorTexts.promptNotFound);
  if (!(await maySee(ctx, prompt, userId))) throw new HttpError(403, errorTexts.promptNoAccess);
  return prompt;
}

/** The user's own prompt that `:id` names. Throws HttpError 404 for any other: a share gives no right to change it. */
export async function ownPrompt(ctx: Db, userId: number, idOrSlug: string): Promise<PromptRow> {
  const prompt = await promptNamed(ctx, idOrSlug);
  if (prompt?.user_id !== userId) throw new HttpError(404, errorTexts.promptNotFound);
  return prompt;
}

/** The content of a prompt; undefined before it was first written. */
export const versionOf = ({ db }: Db, promptId: number): Promise<PromptVersionRow | undefined> =>
  db.selectFrom("prompt_versions").selectAll().where("prompt_id", "=", promptId).executeTakeFirst();

/**
 * The variables of a content, in their order. One whose placeholder is gone is kept for the day that it comes back, and is
 * not among them.
 */
export async function variablesOf({ db }: Db, { id, content }: PromptVersionRow): Promise<PromptVariableRow[]> {
  const rows = await db
    .selectFrom("prompt_variables")
    .selectAll()
    .where("version_id", "=", id)
    .orderBy("sort")
    .orderBy("id")
    .execute();
  const known = new Set(placeholdersIn(content));
  return rows.filter(({ slug }) => known.has(slug));
}

/** The live files of prompts, oldest first, with the prompt that each belongs to. */
export async function promptFiles(
  { db }: Db,
  promptIds: readonly number[],
): Promise<Array<FileRow & { readonly prompt_id: number }>> {
  if (promptIds.length === 0) return [];
  return db
    .selectFrom("prompt_files")
    .innerJoin("files", "files.id", "prompt_files.file_id")
    .selectAll("files")
    .select("prompt_files.prompt_id")
    .where("prompt_files.prompt_id", "in", promptIds)
    .where("files.deleted_at", "is", null)
    .orderBy("files.id")
    .execute();
}

/** The files of a prompt for somebody who may see it; none once it is deleted or no longer shared. */
export async function filesOfPrompt(ctx: Db, userId: number, promptId: number): Promise<FileRow[]> {
  const prompt = await promptNamed(ctx, String(promptId));
  return prompt !== undefined && (await maySee(ctx, prompt, userId)) ? promptFiles(ctx, [promptId]) : [];
}
