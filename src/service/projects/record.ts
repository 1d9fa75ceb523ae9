/** A project as the interface shows it: with little on lists, in full on the single read. */
import type { Project, ShareFlags } from "../../contract/records.ts";
import type { ServiceContext } from "../context.ts";
import { fileRecord, projectFiles } from "../files/store.ts";
import { modelById, modelRecord } from "../models.ts";
import { readRules } from "../rules.ts";
import type { ProjectPinRow } from "./schema.ts";
import { pinOf, sharesFor, unionOf, type SharedProject } from "./store.ts";

const nothing: ShareFlags = { prompt_management: false, file_management: false, project_management: false };

/** A project of a list: permission flags all false, share lists null, never pinned. */
export function listedProject({ row, shares }: SharedProject): Project {
  const workspace = shares.find((share) => share.user_id === null);
  return {
    ID: row.id,
    CreatedAt: row.created_at,
    UpdatedAt: row.updated_at,
    DeletedAt: null,
    slug: row.slug,
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    color: row.color,
    icon: row.icon,
    ai_model_id: row.ai_model_id,
    auto_model_type: row.auto_model_type,
    user_id: row.user_id,
    is_pinned: false,
    current_user_permission: nothing,
    workspace_share: workspace !== undefined,
    workspace_share_flags: workspace === undefined ? nothing : unionOf([workspace]),
    user_shares: null,
    team_shares: null,
  };
}

const pinRecord = (pin: ProjectPinRow): NonNullable<Project["pin"]> => ({
  ID: pin.id,
  CreatedAt: pin.created_at,
  UpdatedAt: pin.created_at,
  DeletedAt: null,
  user_id: pin.user_id,
  project_id: pin.project_id,
});

/** A project of the pinned list. */
export const pinnedProject = (project: SharedProject & { readonly pin: ProjectPinRow }): Project => ({
  ...listedProject(project),
  is_pinned: true,
  pin: pinRecord(project.pin),
});

/** The single read. The flags are those that shares grant: an owner needs none and usually has none. */
export async function fullProject(
  ctx: Pick<ServiceContext, "db" | "publicUrl">,
  userId: number,
  project: SharedProject,
  includeFiles: boolean,
): Promise<Project> {
  const { row, shares } = project;
  const files = await projectFiles(ctx, row.id);
  const pin = await pinOf(ctx, userId, row.id);
  const model = row.ai_model_id === null ? undefined : await modelById(ctx, row.ai_model_id);
  return {
    ...listedProject(project),
    is_pinned: pin !== undefined,
    has_files: files.length > 0,
    current_user_permission: unionOf(sharesFor(shares, userId)),
    user_shares: await userShares(ctx, project),
    // The embedded workspace has no teams yet.
    team_shares: [],
    ...(pin === undefined ? {} : { pin: pinRecord(pin) }),
    ...(model === undefined ? {} : { ai_model: modelRecord(model, await readRules(ctx.db)) }),
    ...(includeFiles ? { files: files.map((file) => fileRecord(ctx, file)) } : {}),
  };
}

async function userShares({ db }: Pick<ServiceContext, "db">, { shares }: SharedProject): Promise<Project["user_shares"]> {
  const direct = shares.flatMap((share) => (share.user_id === null ? [] : [{ userId: share.user_id, share }]));
  if (direct.length === 0) return [];
  const ids = direct.map(({ userId }) => userId);
  const users = new Map(
    (await db.selectFrom("users").select(["id", "name"]).where("id", "in", ids).execute()).map((user) => [user.id, user]),
  );
  return direct.map(({ userId, share }) => ({
    user_id: userId,
    user: { ID: userId, name: users.get(userId)?.name ?? "" },
    flags: unionOf([share]),
  }));
}
