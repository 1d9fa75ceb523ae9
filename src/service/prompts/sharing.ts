/** With whom a prompt is shared, which project it is in, and who likes it. */
import { errorTexts } from "../../contract/errors.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { mayView, projectNamed, sharesFor, sharesOf, unionOf } from "../projects/store.ts";
import type { ProjectRow } from "../projects/schema.ts";
import type { PromptFavoriteRow, PromptRow } from "./schema.ts";
import { isSharedDirectly, promptNamed } from "./store.ts";
import { change } from "./write.ts";

type Context = Pick<ServiceContext, "db" | "clock">;
type Db = Pick<ServiceContext, "db">;

/** The embedded workspace is one workspace, which everyone in it is part of. */
const workspaceId = 1;

/** True for the project's owner and for those whose share says so. */
async function mayManagePrompts(ctx: Db, project: ProjectRow, userId: number): Promise<boolean> {
  return project.user_id === userId || unionOf(sharesFor(await sharesOf(ctx, project.id), userId)).prompt_management;
}

/** Whether the user may view the project, and manage its prompts. Throws HttpError 404 without the project, 403 when it may not be viewed. */
export async function rightsIn(ctx: Db, userId: number, projectId: number): Promise<{ readonly manages: boolean }> {
  const project = await projectNamed(ctx, String(projectId));
  if (project === undefined) throw new HttpError(404, errorTexts.projectNotFound);
  if (!mayView(project, await sharesOf(ctx, projectId), userId)) throw new HttpError(403, errorTexts.projectNoAccess);
  return { manages: await mayManagePrompts(ctx, project, userId) };
}

/** Throws HttpError 404 without the project, 403 when the user may not manage its prompts. */
export async function checkManages(ctx: Db, userId: number, projectId: number): Promise<void> {
  const project = await projectNamed(ctx, String(projectId));
  if (project === undefined) throw new HttpError(404, errorTexts.projectNotFound);
  if (!(await mayManagePrompts(ctx, project, userId))) throw new HttpError(403, errorTexts.projectPromptsForbidden);
}

/**
 * Puts a prompt into a project, or takes it out of the one that it is in.
 * Throws HttpError: 404 unknown prompt or project, or a prompt that is not the user's to move; 403 a project whose prompts
 * the user may not manage; 400 when it is there already.
 */
export async function movePrompt(ctx: Context, userId: number, idOrSlug: string, projectId: number | null): Promise<PromptRow> {
  const prompt = await promptNamed(ctx, idOrSlug);
  // Who manages a project may take others' prompts out of it; into a project go only one's own.
  const movable = prompt !== undefined && (prompt.user_id === userId || (projectId === null && prompt.project_id !== null));
  if (!movable) throw new HttpError(404, errorTexts.promptNotFound);
  if (projectId === null && prompt.project_id === null) throw new HttpError(400, errorTexts.promptNotInProject);
  if (projectId !== null) {
    await checkManages(ctx, userId, projectId);
    if (prompt.project_id === projectId) throw new HttpError(400, errorTexts.promptInProject);
  }
  // A project that was deleted since holds nobody back.
  const former = prompt.project_id === null ? undefined : await projectNamed(ctx, String(prompt.project_id));
  if (former !== undefined) await checkManages(ctx, userId, former.id);
  return change(ctx, prompt.id, { project_id: projectId });
}

/** Shows a prompt to everyone in the workspace, or no longer. */
export const shareWithWorkspace = (ctx: Context, prompt: PromptRow, shared: boolean): Promise<PromptRow> =>
  change(ctx, prompt.id, { shared_with_workspace_id: shared ? workspaceId : null });

/**
 * Shares a prompt with one user, or with the whole workspace; doing it again changes nothing.
 * Throws a RangeError for an unknown prompt.
 */
export async function sharePrompt(ctx: Context, promptId: number, audience: { userId: number } | "workspace"): Promise<void> {
  const prompt = await promptNamed(ctx, String(promptId));
  if (prompt === undefined) throw new RangeError(`expected the ID of a prompt, got ${promptId}`);
  if (audience === "workspace") return void (await shareWithWorkspace(ctx, prompt, true));
  await ctx.db
    .insertInto("prompt_shares")
    .values({ prompt_id: promptId, user_id: audience.userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Marks a favourite. Throws HttpError 404, 403 for what the user neither owns nor was given in person, 409 when it is one already. */
export async function addFavorite(ctx: Context, userId: number, promptId: string): Promise<PromptFavoriteRow> {
  const prompt = await promptNamed(ctx, promptId);
  if (prompt === undefined) throw new HttpError(404, errorTexts.promptNotFound);
  if (prompt.user_id !== userId && !(await isSharedDirectly(ctx, prompt.id, userId))) {
    throw new HttpError(403, errorTexts.promptNoAccess);
  }
  const made = await ctx.db
    .insertInto("prompt_favorites")
    .values({ prompt_id: prompt.id, user_id: userId, created_at: timestamp(ctx) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made === undefined) throw new HttpError(409, errorTexts.promptAlreadyFavorite);
  return made;
}

/** Ends a favourite. Throws HttpError 404 when it is none. */
export async function removeFavorite({ db }: Db, userId: number, promptId: number): Promise<void> {
  const gone = await db
    .deleteFrom("prompt_favorites")
    .where("user_id", "=", userId)
    .where("prompt_id", "=", promptId)
    .executeTakeFirst();
  if (gone.numDeletedRows === 0n) throw new HttpError(404, errorTexts.promptNotFavorite);
}
