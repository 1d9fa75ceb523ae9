/** Routes of projects. */
import { projectBody } from "../../contract/bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { HttpError } from "../http-error.ts";
import type { Handlers } from "../http.ts";
import { orFail } from "../or-fail.ts";
import { json, listPage } from "../responses.ts";
import { readProject } from "./read.ts";
import { listedProject, pinnedProject } from "./record.ts";
import { pinnedProjects, visibleProjects } from "./store.ts";
import { createProject } from "./write.ts";

/** The query `is_shared`; absent means both. */
function isSharedOf(value: string | null): boolean | undefined {
  if (value === null) return undefined;
  if (value !== "true" && value !== "false") throw new HttpError(400, errorTexts.invalidIsShared);
  return value === "true";
}

export const projectHandlers: Handlers = {
  "POST /project": async ({ ctx, caller, body }) => {
    const fields = await body(projectBody);
    const row = await orFail(ctx, 500, errorTexts.projectNotCreated, () => createProject(ctx, caller.userId, fields));
    return json(201, listedProject({ row, shares: [] }));
  },

  "GET /project": async ({ ctx, caller, query, page }) => {
    const asked = { search: query.get("search") ?? "", isShared: isSharedOf(query.get("is_shared")) };
    const { projects, total } = await visibleProjects(ctx, caller.userId, asked, page);
    return listPage(projects.map(listedProject), page, total);
  },

  "GET /project/pinned": async ({ ctx, caller }) => json(200, (await pinnedProjects(ctx, caller.userId)).map(pinnedProject)),

  "GET /project/:id": async ({ ctx, caller, param, query }) =>
    json(200, await readProject(ctx, caller, param("id"), query.get("include_files") === "true")),
};
