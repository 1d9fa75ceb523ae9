/** Kinds of jobs at a workspace, alike to whoever waits for them. */
import type { MediaJob } from "../../contract/media.ts";
import type { CallOptions, Page, Workspace } from "../workspace.ts";
import type { JobSource } from "./job-watch.ts";
import type { JobRecipe, RestRecipe } from "./order.ts";
import { toolMaker } from "./tool-maker.ts";

/** Workspace file ids by the name of the field that takes them. */
export type FileIds = Readonly<Record<string, number | readonly number[]>>;

/** A kind of job at one workspace. */
export interface Maker {
  /** Begins the job. */
  create(files: FileIds, options: CallOptions): Promise<MediaJob>;
  /** Newest first; null where nothing lists them, so that a job whose beginning was lost cannot be looked for. */
  readonly list: ((options: CallOptions & { page: number; size: number }) => Promise<Page<MediaJob>>) | null;
  readonly source: JobSource<MediaJob>;
  /** Begins a failed job anew; null where that is not offered. */
  readonly retry: ((id: number, options: CallOptions) => Promise<void>) | null;
}

/** @param recipe whose body lacks only the files */
function restMaker(jobs: Workspace["jobs"], { kind, body }: RestRecipe): Maker {
  const list: NonNullable<Maker["list"]> = (options) => jobs.list(kind, options);
  return {
    create: (files, options) => jobs.create(kind, { ...body, ...files }, options),
    list,
    source: { list, read: (id, options) => jobs.read(kind, id, options) },
    retry: (id, options) => jobs.retry(kind, id, options),
  };
}

export const makerOf = (workspace: Workspace, recipe: JobRecipe): Maker =>
  "tool" in recipe ? toolMaker(workspace.tools, recipe) : restMaker(workspace.jobs, recipe);
