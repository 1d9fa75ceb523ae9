/** Creates projects, and changes what the interface lets be changed without showing a route for it. */
import type { z } from "zod";
import type { projectBody } from "../../contract/bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { randomSlug } from "../../contract/identifiers.ts";
import { projectIcons, type ShareFlags } from "../../contract/records.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { ownFile } from "../files/store.ts";
import { HttpError } from "../http-error.ts";
import type { ProjectRow } from "./schema.ts";
import { projectNamed } from "./store.ts";

type Context = Pick<ServiceContext, "db" | "clock" | "random">;

const slugLength = 8;

/** Creates a project of `userId`. Throws HttpError 400 for a body that breaks a rule. */
export async function createProject(ctx: Context, userId: number, fields: z.output<typeof projectBody>): Promise<ProjectRow> {
  const { name = "", description = "", color = "", icon = "" } = fields;
  if (name.trim() === "") throw new HttpError(400, errorTexts.projectNameRequired);
  if (icon !== "" && !(projectIcons as readonly string[]).includes(icon)) throw new HttpError(400, errorTexts.invalidProjectIcon);
  const now = timestamp(ctx);
  return ctx.db
    .insertInto("projects")
    .values({
      slug: randomSlug(slugLength, ctx.random),
      user_id: userId,
      name,
      description,
      folded_text: `${name}\n${description}`.toLowerCase(),
      instructions: "",
      color,
      icon,
      // Users of the embedded workspace have no stored preference; its own default outlives any single model.
      ai_model_id: null,
      auto_model_type: "balanced",
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The live project with this ID. Throws a RangeError when there is none. */
async function existing(ctx: Context, projectId: number): Promise<ProjectRow> {
  const project = await projectNamed(ctx, String(projectId));
  if (project === undefined) throw new RangeError(`expected the ID of a project, got ${projectId}`);
  return project;
}

/** Sets what is said to the model in every conversation of the project; empty for nothing. */
export async function setProjectInstructions(ctx: Context, projectId: number, instructions: string): Promise<void> {
  await existing(ctx, projectId);
  await ctx.db
    .updateTable("projects")
    .set({ instructions, updated_at: timestamp(ctx) })
    .where("id", "=", projectId)
    .execute();
}

/** Pins a project for one user; pinning it again keeps the older pin. */
export async function pinProject(ctx: Context, userId: number, projectId: number): Promise<void> {
  await existing(ctx, projectId);
  await ctx.db
    .insertInto("project_pins")
    .values({ user_id: userId, project_id: projectId, created_at: timestamp(ctx) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Shares a project with one user, or with the whole workspace; the flags replace those of an earlier share. */
export async function shareProject(
  ctx: Context,
  projectId: number,
  audience: { userId: number } | "workspace",
  flags: Partial<ShareFlags> = {},
): Promise<void> {
  await existing(ctx, projectId);
  const userId = audience === "workspace" ? null : audience.userId;
  await ctx.db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom("project_shares")
      .where("project_id", "=", projectId)
      .where("user_id", userId === null ? "is" : "=", userId)
      .execute();
    await transaction
      .insertInto("project_shares")
      .values({
        project_id: projectId,
        user_id: userId,
        prompt_management: Number(flags.prompt_management ?? false),
        file_management: Number(flags.file_management ?? false),
        project_management: Number(flags.project_management ?? false),
      })
      .execute();
  });
}

/** Puts a file of its uploader into a project: it then joins every conversation of the project. Throws a RangeError for an unknown one. */
export async function addProjectFile(ctx: Context, projectId: number, file: { userId: number; fileId: number }): Promise<void> {
  await existing(ctx, projectId);
  if ((await ownFile(ctx, file.userId, file.fileId)) === undefined) {
    throw new RangeError(`expected the ID of a file of user ${file.userId}, got ${file.fileId}`);
  }
  await ctx.db
    .updateTable("files")
    .set({ project_id: projectId, updated_at: timestamp(ctx) })
    .where("id", "=", file.fileId)
    .execute();
}

/** Deletes a project: nobody sees it any more, its pins and shares go, and its files and prompts belong to no project. */
export async function deleteProject(ctx: Context, projectId: number): Promise<void> {
  const now = timestamp(ctx);
  await ctx.db.transaction().execute(async (transaction) => {
    await transaction.updateTable("projects").set({ deleted_at: now, updated_at: now }).where("id", "=", projectId).execute();
    await transaction.deleteFrom("project_pins").where("project_id", "=", projectId).execute();
    await transaction.deleteFrom("project_shares").where("project_id", "=", projectId).execute();
    for (const table of ["files", "prompts"] as const)
      await transaction
        .updateTable(table)
        .set({ project_id: null, updated_at: now })
        .where("project_id", "=", projectId)
        .execute();
  });
}
