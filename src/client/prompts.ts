/** Saved prompts: lists, writing, sharing, favourites, variables. Running them is in `prompt-runs.ts`. */
import type { PromptBody, PromptUpdateBody, PromptVersionBody, VariableBody } from "../contract/prompt-bodies.ts";
import type { Prompt, PromptFavorite, PromptVariable, PromptVersion } from "../contract/prompt-records.ts";
import { allPages, pageIn, recordIn, recordsIn, type Page, type Paging } from "./answers.ts";
import type { CallOptions, Http, Identifier } from "./http.ts";
import { readPrompt, readPromptFavorite, readPromptVariable, readPromptVersion } from "./prompt-records.ts";
import { promptRunCalls } from "./prompt-runs.ts";

/** `projectId` is the numeric ID of a project; without it the call is about prompts outside projects. */
interface InProject extends CallOptions {
  readonly projectId?: number | undefined;
}

const headed = ({ projectId, signal }: InProject) => ({
  ...(signal && { signal }),
  ...(projectId !== undefined && { headers: { "x-project-id": String(projectId) } }),
});

export const promptCalls = (http: Http) => ({
  /** All pages of own, shared and favourite prompts outside projects, the last run first. */
  all(options: CallOptions & { search?: string; workspaceShared?: boolean } = {}): Promise<Prompt[]> {
    const { signal, search, workspaceShared } = options;
    return allPages(
      (paging) =>
        http.call("GET /prompt/all", {
          query: { search, showWorkspaceShared: workspaceShared, ...paging },
          ...(signal && { signal }),
        }),
      readPrompt,
    );
  },
  /** The caller's own prompts outside projects or, with a project, all of that project's; newest first. */
  async list(options: InProject & Paging & { search?: string } = {}): Promise<Page<Prompt>> {
    const { search, page, size } = options;
    return pageIn(await http.call("GET /prompt", { query: { search, page, size }, ...headed(options) }), readPrompt);
  },
  /** The last that the caller ran, 8 at most. */
  async lastUsed(options?: CallOptions): Promise<Prompt[]> {
    return recordsIn(await http.call("GET /prompt/last_used", { ...options }), readPrompt);
  },
  /** Those that the caller ran most, 8 at most. */
  async mostUsed(options?: CallOptions): Promise<Prompt[]> {
    return recordsIn(await http.call("GET /prompt/most_used", { ...options }), readPrompt);
  },
  /** The caller's newest, 8 at most. */
  async recentlyAdded(options?: CallOptions): Promise<Prompt[]> {
    return recordsIn(await http.call("GET /prompt/recently_added", { ...options }), readPrompt);
  },
  /** Oldest favourite first. */
  async favorites(options?: CallOptions): Promise<Prompt[]> {
    return recordsIn(await http.call("GET /prompt/favorite", { ...options }), readPrompt);
  },
  /** Without content: that is written by `setContent`. */
  async create(body: PromptBody, options: InProject = {}): Promise<Prompt> {
    return recordIn(await http.call("POST /prompt", { body, ...headed(options) }), readPrompt);
  },
  /** Overwrites everything but `tools` and `mcp_servers`, so that what is left out is lost. The numeric ID only. */
  async update(id: number, body: PromptUpdateBody, options?: CallOptions): Promise<Prompt> {
    return recordIn(await http.call("PUT /prompt/:id", { params: { id }, body, ...options }), readPrompt);
  },
  /** Writes the content, in place of an earlier one. */
  async setContent(body: PromptVersionBody, options?: CallOptions): Promise<PromptVersion> {
    return recordIn(await http.call("POST /prompt_version", { body, ...options }), readPromptVersion);
  },
  /** The numeric ID only. */
  async remove(id: number, options?: CallOptions): Promise<void> {
    await http.call("DELETE /prompt/:id", { params: { id }, ...options });
  },
  /** The copy, with its variables; into the project that is named. */
  async duplicate(id: Identifier, options: InProject = {}): Promise<Prompt> {
    return recordIn(await http.call("POST /prompt/:id/duplicate", { params: { id }, ...headed(options) }), readPrompt);
  },
  /** Into the project that is named, or out of the one that it is in. */
  async move(id: Identifier, options: InProject = {}): Promise<Prompt> {
    return recordIn(await http.call("PUT /prompt/:id/move-to-project", { params: { id }, ...headed(options) }), readPrompt);
  },
  async shareWithWorkspace(id: Identifier, shared: boolean, options?: CallOptions): Promise<Prompt> {
    const answer = await http.call("PUT /prompt/:id/share_with_workspace", { params: { id }, body: { shared }, ...options });
    return recordIn(answer, readPrompt);
  },
  /** The numeric ID only. */
  async addFavorite(id: number, options?: CallOptions): Promise<PromptFavorite> {
    return recordIn(await http.call("POST /prompt/:id/favorite", { params: { id }, ...options }), readPromptFavorite);
  },
  async removeFavorite(id: number, options?: CallOptions): Promise<void> {
    await http.call("DELETE /prompt/:id/favorite", { params: { id }, ...options });
  },
  /** Attaches uploaded files; those that are attached stay. What the workspace answers is not documented. */
  async attachFiles(id: Identifier, fileIds: readonly number[], options?: CallOptions): Promise<void> {
    await http.call("POST /prompt/:id/file", { params: { id }, body: { file_ids: fileIds }, ...options });
  },
  async createVariable(body: VariableBody, options?: CallOptions): Promise<PromptVariable> {
    return recordIn(await http.call("POST /variable", { body, ...options }), readPromptVariable);
  },
  async updateVariable(id: number, body: VariableBody, options?: CallOptions): Promise<void> {
    await http.call("PUT /variable/:id", { params: { id }, body, ...options });
  },
  async removeVariable(id: number, options?: CallOptions): Promise<void> {
    await http.call("DELETE /variable/:id", { params: { id }, ...options });
  },
  ...promptRunCalls(http),
});
