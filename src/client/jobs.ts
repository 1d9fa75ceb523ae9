/** Background media jobs. The paths of speech and transcription are the embedded workspace's: elsewhere their tools are the way. */
import { jobPaths, type JobBodies, type JobKind, type MediaJob, type JobModels, type MediaModel } from "../contract/media.ts";
import { pageIn, recordIn, recordsIn, type Page, type Paging } from "./answers.ts";
import type { CallOptions, Http, Identifier } from "./http.ts";
import { readJob, readMediaModel, readVideoModel } from "./media-records.ts";

const modelReaders = {
  video: readVideoModel,
  speech: readMediaModel,
  music: readMediaModel,
  transcription: readMediaModel,
} as const;

export const jobCalls = (http: Http) => ({
  /** The whole catalogue of a kind. */
  async models<K extends JobKind>(kind: K, options?: CallOptions): Promise<Array<JobModels[K]>> {
    const answer = await http.call(`GET /${jobPaths[kind]}_model`, { ...options });
    return recordsIn<MediaModel>(answer, modelReaders[kind]) as Array<JobModels[K]>;
  },
  /** Begins a job; it comes back as `queued`. */
  async create<K extends JobKind>(kind: K, body: JobBodies[K], options?: CallOptions): Promise<MediaJob> {
    return recordIn(await http.call(`POST /${jobPaths[kind]}`, { body, ...options }), readJob);
  },
  /** One job with its true cost. */
  async read(kind: JobKind, id: Identifier, options?: CallOptions): Promise<MediaJob> {
    return recordIn(await http.call(`GET /${jobPaths[kind]}/:id`, { params: { id }, ...options }), readJob);
  },
  /** Newest first; `credit_cost` is always 0 here. */
  async list(kind: JobKind, options: Paging & CallOptions & { readonly status?: string } = {}): Promise<Page<MediaJob>> {
    const { signal, ...query } = options;
    return pageIn(await http.call(`GET /${jobPaths[kind]}`, { query, ...(signal && { signal }) }), readJob);
  },
  /** Begins a failed job anew. */
  async retry(kind: JobKind, id: Identifier, options?: CallOptions): Promise<void> {
    await http.call(`POST /${jobPaths[kind]}/:id/retry`, { params: { id }, ...options });
  },
  /** The numeric ID only. Success does not say that there was such a job. */
  async remove(kind: JobKind, id: number, options?: CallOptions): Promise<void> {
    await http.call(`DELETE /${jobPaths[kind]}/:id`, { params: { id }, ...options });
  },
});
