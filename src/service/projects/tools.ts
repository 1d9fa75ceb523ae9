/** Tools of projects. */
import { z } from "zod";
import { projectBody } from "../../contract/bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { projectIcons } from "../../contract/records.ts";
import { checked } from "../body.ts";
import { HttpError } from "../http-error.ts";
import { orFail } from "../or-fail.ts";
import { identifier, listed, paging, spanOf, tool, type Tools } from "../tools/tool.ts";
import { existingProject, readProject } from "./read.ts";
import { listedProject } from "./record.ts";
import { visibleProjects } from "./store.ts";
import { createProject, deleteProject } from "./write.ts";

export const projectTools = {
  list_projects: tool({
    description: "Lists the projects that you own or that are shared with you, newest first.",
    input: z.strictObject({
      search: z.string().default("").describe("Part of the name or description"),
      is_shared: z.boolean().optional().describe("True: only those of others; false: only your own"),
      ...paging,
    }),
    async run({ ctx, caller }, { search, is_shared, ...span }) {
      const asked = { search, isShared: is_shared };
      const { projects, total } = await visibleProjects(ctx, caller.userId, asked, spanOf(span));
      return listed(projects.map(listedProject), total);
    },
  }),

  get_project: tool({
    description: "Reads one project, with its shares, and with its files where you want them.",
    input: z.strictObject({
      id: identifier("project"),
      include_files: z.boolean().default(false).describe("With the project's files"),
    }),
    run: ({ ctx, caller }, { id, include_files }) => readProject(ctx, caller, id, include_files),
  }),

  create_project: tool({
    description: "Creates a project of your own.",
    input: z.strictObject({
      name: z.string().min(1).describe("Name"),
      description: z.string().optional().describe("What it is about"),
      color: z.string().optional().describe("Colour as a hex number, such as #F59E0B"),
      icon: z.enum(projectIcons).optional().describe("Icon"),
    }),
    async run({ ctx, caller }, asked) {
      const fields = checked(asked, projectBody, "the arguments");
      const row = await orFail(ctx, 500, errorTexts.projectNotCreated, () => createProject(ctx, caller.userId, fields));
      return listedProject({ row, shares: [] });
    },
  }),

  delete_project: tool({
    description: "Deletes a project of your own. Its files, prompts and conversations stay, without it.",
    input: z.strictObject({ id: identifier("project") }),
    async run({ ctx, caller }, { id }) {
      const project = await existingProject(ctx, id);
      // A share, whatever it grants, does not go as far.
      if (project.user_id !== caller.userId) throw new HttpError(403, errorTexts.projectDeleteForbidden);
      await deleteProject(ctx, project.id);
      return { deleted: project.id };
    },
  }),
} satisfies Tools;
