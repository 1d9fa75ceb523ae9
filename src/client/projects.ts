/** Projects: the caller's own, and those that others share with the caller. */
import type { ProjectBody } from "../contract/bodies.ts";
import type { Project } from "../contract/records.ts";
import { allPages, pageIn, recordIn, recordsIn, type Page, type Paging } from "./answers.ts";
import type { CallOptions, Http, Identifier } from "./http.ts";
import { readProject } from "./records.ts";

export interface ProjectQuery {
  /** Part of the name or description, in any case. */
  readonly search?: string;
  /** True: only those of others; false: only own. */
  readonly shared?: boolean;
}

export const projectCalls = (http: Http) => ({
  /** All pages, newest first. */
  all(options: ProjectQuery & CallOptions = {}): Promise<Project[]> {
    const { signal, search, shared } = options;
    return allPages(
      (paging) => http.call("GET /project", { query: { search, is_shared: shared, ...paging }, ...(signal && { signal }) }),
      readProject,
    );
  },
  /** One page. It may be shorter than asked for without being the last. */
  async list(options: ProjectQuery & Paging & CallOptions = {}): Promise<Page<Project>> {
    const { signal, shared, ...query } = options;
    return pageIn(
      await http.call("GET /project", { query: { ...query, is_shared: shared }, ...(signal && { signal }) }),
      readProject,
    );
  },
  async pinned(options?: CallOptions): Promise<Project[]> {
    return recordsIn(await http.call("GET /project/pinned", { ...options }), readProject);
  },
  async get(id: Identifier, options: CallOptions & { files?: boolean } = {}): Promise<Project> {
    const { files, ...rest } = options;
    return recordIn(
      await http.call("GET /project/:id", { params: { id }, query: { include_files: files }, ...rest }),
      readProject,
    );
  },
  async create(body: ProjectBody, options?: CallOptions): Promise<Project> {
    return recordIn(await http.call("POST /project", { body, ...options }), readProject);
  },
});
