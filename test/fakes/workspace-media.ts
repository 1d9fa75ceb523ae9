/** Pictures and media jobs of the fake workspace: begun as `queued`, and moved on by the test. */
import type { MediaJob, MediaModel, RestJobKind, VideoModel } from "../../src/contract/media.ts";
import type { WorkspaceFile } from "../../src/contract/records.ts";
import type { CallOptions, Workspace } from "../../src/core/workspace.ts";
import { WorkspaceFault } from "../../src/errors.ts";

/** Runs an act as one of the fake's calls: noted, and failing where the test wants it. */
export type FakeCall = <T>(name: MediaCall, body: unknown, signal: AbortSignal | undefined, act: () => T) => Promise<T>;

export type MediaCall =
  "image" | "editImage" | "jobModels" | "createJob" | "job" | "jobs" | "retryJob" | "removeJob" | "download";

export interface FakeMedia {
  /** Every job by ID, as its single read shows it. */
  readonly made: Map<number, MediaJob & { readonly kind: RestJobKind }>;
  /** Bytes by path, for downloads. */
  readonly bytes: Map<string, Uint8Array>;
  /** Paths that anybody can read. */
  readonly public: Set<string>;
  /** Changes a job. */
  move(id: number, change: Partial<MediaJob>): void;
  /** Ends a job well, with a file of these bytes. */
  finishJob(id: number, name: string, content: string): void;
}

const base = { CreatedAt: "2026-01-01T00:00:00Z", UpdatedAt: "2026-01-01T00:00:00Z", DeletedAt: null };

const notFound = (): never => {
  throw new WorkspaceFault("not_found", "there is no such job", { status: 404 });
};

const fakeMediaModel = (ID: number, name: string, over: Partial<VideoModel> = {}): VideoModel => ({
  ID,
  name,
  powered_by: "Tests",
  version: "1",
  description: "",
  multiplier: "1",
  default: ID === 1,
  sort: ID,
  selectable: true,
  supported_aspect_ratios: ["16:9"],
  supported_resolutions: ["720p"],
  resolution_duration_limits: { "*": { min_duration_seconds: 1, max_duration_seconds: 8 } },
  resolution_pricing: { "720p": { credit_cost_per_second: "2" } },
  interpolation_support: "full",
  max_reference_images: 1,
  reference_types: [],
  ...over,
});

export function fakeMedia(
  call: FakeCall,
  nextId: () => number,
): { media: FakeMedia; port: Pick<Workspace, "images" | "jobs">; files: Pick<Workspace["files"], "download" | "isPublic"> } {
  const made: FakeMedia["made"] = new Map();
  const bytes = new Map<string, Uint8Array>();
  const open = new Set<string>();

  const file = (name: string, content: string): WorkspaceFile => {
    const ID = nextId();
    const path = `https://files.example/${ID}/${name}`;
    bytes.set(path, new TextEncoder().encode(content));
    const links = { preview_path: "", public_path: "", user_id: 1, workspace_id: null, project_id: null };
    return { ID, ...base, name, path, ...links, fileType: "code_interpreter_output", partial: false };
  };
  const jobOf = (id: number | string) => [...made.values()].find(({ ID, slug }) => ID === id || slug === id) ?? notFound();
  const media: FakeMedia = {
    made,
    bytes,
    public: open,
    move: (id, change) => void made.set(id, { ...(made.get(id) ?? notFound()), ...change }),
    finishJob: (id, name, content) =>
      media.move(id, { status: "done", credit_cost: "12", output_file_data: file(name, content) }),
  };
  const models: { [K in RestJobKind]: ReadonlyArray<K extends "video" ? VideoModel : MediaModel> } = {
    video: [fakeMediaModel(1, "Film")],
    music: [fakeMediaModel(2, "Tune")],
  };

  return {
    media,
    files: {
      download: (path, { signal }: CallOptions = {}) =>
        call("download", path, signal, () => {
          const content = bytes.get(path) ?? notFound();
          // oxlint-disable-next-line typescript/require-await -- all of it is there
          return (async function* () {
            yield content;
          })();
        }),
      isPublic: (path) => Promise.resolve(open.has(path)),
    },
    port: {
      images: {
        generate: (prompt, { signal } = {}) => call("image", prompt, signal, () => file("picture.png", `picture of ${prompt}`)),
        edit: (prompt, fileId, { signal } = {}) =>
          call("editImage", { prompt, fileId }, signal, () => file("edited.png", `${fileId} with ${prompt}`)),
      },
      jobs: {
        models: (kind, { signal } = {}) => call("jobModels", kind, signal, () => models[kind] as ReadonlyArray<never>),
        create: (kind, body, { signal } = {}) =>
          call("createJob", { kind, ...body }, signal, () => {
            const ID = nextId();
            const job = { ID, ...base, slug: `job-${ID}`, status: "queued", credit_cost: "0", error: null };
            made.set(ID, { ...job, kind, output_file_data: null });
            return job;
          }),
        read: (kind, id, { signal } = {}) => call("job", { kind, id }, signal, () => jobOf(id)),
        list: (kind, { signal, page = 1, size = 10, status } = {}) =>
          call("jobs", kind, signal, () => {
            const all = [...made.values()].filter((job) => job.kind === kind && (status === undefined || job.status === status));
            const newest = all.toReversed().map((job) => ({ ...job, credit_cost: "0" }));
            return { items: newest.slice((page - 1) * size, page * size), total: all.length };
          }),
        retry: (kind, id, { signal } = {}) =>
          call("retryJob", { kind, id }, signal, () => media.move(jobOf(id).ID, { status: "queued", error: null })),
        remove: (kind, id, { signal } = {}) => call("removeJob", { kind, id }, signal, () => void made.delete(id)),
      },
    },
  };
}
