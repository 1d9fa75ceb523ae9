/** Reading one project: what the route and the tool answer alike. */
import { errorTexts } from "../../contract/errors.ts";
import type { Project } from "../../contract/records.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { fullProject } from "./record.ts";
import type { ProjectRow } from "./schema.ts";
import { mayView, projectNamed, sharesOf } from "./store.ts";

/** The live project that `idOrSlug` names, whoever owns it. Throws HttpError 404. */
export async function existingProject(ctx: Pick<ServiceContext, "db">, idOrSlug: string): Promise<ProjectRow> {
  const row = await projectNamed(ctx, idOrSlug);
  if (row === undefined) throw new HttpError(404, errorTexts.projectNotFound);
  return row;
}

/** A project that the caller may see, in full. Throws HttpError 404 or 403. */
export async function readProject(
  ctx: ServiceContext,
  caller: Caller,
  idOrSlug: string,
  includeFiles: boolean,
): Promise<Project> {
  const row = await existingProject(ctx, idOrSlug);
  const shares = await sharesOf(ctx, row.id);
  if (!mayView(row, shares, caller.userId)) throw new HttpError(403, errorTexts.projectNoAccess);
  return fullProject(ctx, caller.userId, { row, shares }, includeFiles);
}
