/** Finds projects, and what a user may do in them. */
import { sql } from "kysely";
import { isNumericId } from "../../contract/identifiers.ts";
import type { ShareFlags } from "../../contract/records.ts";
import type { ServiceContext } from "../context.ts";
import type { Span } from "../responses.ts";
import type { ProjectPinRow, ProjectRow, ProjectShareRow } from "./schema.ts";

type Db = Pick<ServiceContext, "db">;

/** The live project that `:id` names, whoever owns it: digits are an ID, anything else is a slug. */
export function projectNamed({ db }: Db, idOrSlug: string): Promise<ProjectRow | undefined> {
  const live = db.selectFrom("projects").selectAll().where("deleted_at", "is", null);
  return isNumericId(idOrSlug)
    ? live.where("id", "=", Number(idOrSlug)).executeTakeFirst()
    : live.where("slug", "=", idOrSlug).executeTakeFirst();
}

/** The shares of one project: at most one for the whole workspace and one for each user. */
export const sharesOf = ({ db }: Db, projectId: number): Promise<ProjectShareRow[]> =>
  db.selectFrom("project_shares").selectAll().where("project_id", "=", projectId).orderBy("user_id").execute();

/** Those of `shares` that count for the user. */
export const sharesFor = (shares: readonly ProjectShareRow[], userId: number): ProjectShareRow[] =>
  shares.filter((share) => share.user_id === null || share.user_id === userId);

/** What several shares grant together. */
export const unionOf = (shares: readonly ProjectShareRow[]): ShareFlags => ({
  prompt_management: shares.some((share) => share.prompt_management === 1),
  file_management: shares.some((share) => share.file_management === 1),
  project_management: shares.some((share) => share.project_management === 1),
});

/** True when the user owns the project or has a share of it. */
export const mayView = (project: ProjectRow, shares: readonly ProjectShareRow[], userId: number): boolean =>
  project.user_id === userId || sharesFor(shares, userId).length > 0;

/** The live project with this ID, with its default model and instructions; undefined when the user may not see it. */
export async function visibleProject(ctx: Db, userId: number, id: number): Promise<ProjectRow | undefined> {
  const project = await projectNamed(ctx, String(id));
  if (project === undefined || !mayView(project, await sharesOf(ctx, id), userId)) return undefined;
  return project;
}

/** A project with the shares that decide who sees it. */
export interface SharedProject {
  readonly row: ProjectRow;
  readonly shares: readonly ProjectShareRow[];
}

export interface ProjectListQuery {
  /** Part of the name or description, in any case. */
  readonly search: string;
  /** True: other users' only; false: own only; undefined: both. */
  readonly isShared: boolean | undefined;
}

/**
 * A part of all projects that match, newest first, less those that the user may not see: access is looked at after paging,
 * as the interface says, so `total` can be more than what is visible and a short page is not the last one.
 */
export async function visibleProjects(
  ctx: Db,
  userId: number,
  { search, isShared }: ProjectListQuery,
  span: Span,
): Promise<{ projects: SharedProject[]; total: number }> {
  let matching = ctx.db.selectFrom("projects").where("deleted_at", "is", null);
  if (search !== "") matching = matching.where(sql<boolean>`instr(folded_text, ${search.toLowerCase()}) > 0`);
  if (isShared !== undefined) matching = matching.where("user_id", isShared ? "!=" : "=", userId);
  const { total } = await matching.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await matching.selectAll().orderBy("id", "desc").limit(span.size).offset(span.offset).execute();
  const projects = await withShares(ctx, rows);
  return { projects: projects.filter(({ row, shares }) => mayView(row, shares, userId)), total };
}

async function withShares({ db }: Db, rows: readonly ProjectRow[]): Promise<SharedProject[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const shares = await db.selectFrom("project_shares").selectAll().where("project_id", "in", ids).execute();
  return rows.map((row) => ({ row, shares: shares.filter((share) => share.project_id === row.id) }));
}

/** The projects that the user has pinned and may still see, oldest pin first. */
export async function pinnedProjects(ctx: Db, userId: number): Promise<Array<SharedProject & { readonly pin: ProjectPinRow }>> {
  const pins = await ctx.db.selectFrom("project_pins").selectAll().where("user_id", "=", userId).orderBy("id").execute();
  if (pins.length === 0) return [];
  const ids = pins.map((pin) => pin.project_id);
  const rows = await ctx.db.selectFrom("projects").selectAll().where("id", "in", ids).where("deleted_at", "is", null).execute();
  const projects = new Map((await withShares(ctx, rows)).map((project) => [project.row.id, project]));
  return pins.flatMap((pin) => {
    const project = projects.get(pin.project_id);
    return project !== undefined && mayView(project.row, project.shares, userId) ? [{ ...project, pin }] : [];
  });
}

/** The user's pin of a project. */
export const pinOf = ({ db }: Db, userId: number, projectId: number): Promise<ProjectPinRow | undefined> =>
  db.selectFrom("project_pins").selectAll().where("user_id", "=", userId).where("project_id", "=", projectId).executeTakeFirst();
