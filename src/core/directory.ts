/** Models, agents, projects, prompts and tools of the workspace, kept for a minute, for choices and suggestions. */
import type { Clock } from "../clock.ts";
import type { MediaModel, VideoModel } from "../contract/media.ts";
import type { Prompt } from "../contract/prompt-records.ts";
import type { Agent, AiModel, Project, WorkspaceTool } from "../contract/records.ts";
import type { CallOptions, Workspace } from "./workspace.ts";

export interface WorkspaceLists {
  /** Without deprecated ones, those that may be chosen first. */
  models(options?: CallOptions): Promise<readonly AiModel[]>;
  /** The caller's own, the only ones that can be mentioned or chosen. */
  agents(options?: CallOptions): Promise<readonly Agent[]>;
  projects(options?: CallOptions): Promise<readonly Project[]>;
  videoModels(options?: CallOptions): Promise<readonly VideoModel[]>;
  musicModels(options?: CallOptions): Promise<readonly MediaModel[]>;
  /** Own, shared and favourite ones, the last run first. */
  prompts(options?: CallOptions): Promise<readonly Prompt[]>;
  /** Those that the key may call. `fresh`: as they are now. */
  tools(options?: CallOptions & { readonly fresh?: boolean }): Promise<readonly WorkspaceTool[]>;
}

// Permissions, rules and agents change without notice: nothing is kept longer than a minute.
const keptMs = 60_000;

/** Calls at most once a minute; a failure is not kept. */
function kept<T>(
  clock: Clock,
  load: (options: CallOptions) => Promise<readonly T[]>,
): (options?: CallOptions & { readonly fresh?: boolean }) => Promise<readonly T[]> {
  let value: readonly T[] = [];
  let until = 0;
  return async ({ fresh, ...options } = {}) => {
    if (fresh === true || clock.now() >= until) {
      value = await load(options);
      until = clock.now() + keptMs;
    }
    return value;
  };
}

export const createLists = (workspace: Workspace, clock: Clock): WorkspaceLists => ({
  models: kept(clock, async (options) => {
    const models = await workspace.models.list({ ...options, legacy: false });
    return models.toSorted((a, b) => Number(b.selectable) - Number(a.selectable));
  }),
  agents: kept(clock, (options) => workspace.agents.all({ ...options, shared: false })),
  projects: kept(clock, (options) => workspace.projects.all(options)),
  videoModels: kept(clock, (options) => workspace.jobs.models("video", options)),
  musicModels: kept(clock, (options) => workspace.jobs.models("music", options)),
  prompts: kept(clock, (options) => workspace.prompts.all({ ...options, workspaceShared: true })),
  tools: kept(clock, (options) => workspace.tools.list(options)),
});
