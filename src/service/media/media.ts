/** The media side of the workspace: catalogue, pictures, jobs and their work. Routes and tools are two doors to it. */
import { mediaErrors } from "../../contract/errors.ts";
import type { JobKind } from "../../contract/media.ts";
import type { ServiceContext } from "../context.ts";
import type { FileRow } from "../files/schema.ts";
import { HttpError } from "../http-error.ts";
import type { MediaProvider } from "../providers/media/port.ts";
import { checkQuota } from "../quota.ts";
import { accessRestriction, readRules } from "../rules.ts";
import { createMediaCatalogue, type MediaCatalogue } from "./catalogue.ts";
import { makeImage } from "./images.ts";
import { mediaModelById, type StoredMediaModel } from "./models.ts";
import { readOrder } from "./orders.ts";
import { createJobRunner, type JobRunner } from "./runner.ts";
import type { MediaJobRow } from "./schema.ts";
import { createJob, jobNamed, markJobDeleted, move } from "./store.ts";

export interface Media {
  readonly catalogue: MediaCatalogue;
  readonly runner: JobRunner;
  /** Makes or changes a picture. Throws HttpError 400, 404, 429 or 500. */
  makeImage(userId: number, asked: Parameters<typeof makeImage>[3], signal: AbortSignal): Promise<FileRow>;
  /** Begins a job. Throws HttpError 400, 403, 404, 429 or 500. */
  createJob(userId: number, kind: JobKind, read: Parameters<typeof readOrder>[3]): Promise<MediaJobRow>;
  /** The user's job by ID or slug. Throws HttpError 404. */
  job(userId: number, kind: JobKind, name: string): Promise<MediaJobRow>;
  /** Begins a failed job anew. Throws HttpError 400, 403, 404 or 429. */
  retryJob(userId: number, kind: JobKind, name: string): Promise<MediaJobRow>;
  /** Deletes the user's job if there is one; what it made stays. */
  removeJob(userId: number, kind: JobKind, id: number): Promise<void>;
}

/** Throws HttpError 429 or 403. Data residency is no reason yet: such a job is accepted, and fails with the policy's text. */
async function checkAccess(ctx: ServiceContext, userId: number, model: StoredMediaModel): Promise<void> {
  await checkQuota(ctx, userId);
  if (accessRestriction(await readRules(ctx.db), model) !== undefined) throw new HttpError(403, mediaErrors.restricted);
}

export function openMedia(ctx: ServiceContext, providers: readonly MediaProvider[]): Media {
  const catalogue = createMediaCatalogue(ctx, providers);
  const runner = createJobRunner(ctx, catalogue);

  const job: Media["job"] = async (userId, kind, name) => {
    const row = await jobNamed(ctx, userId, kind, name);
    if (row === undefined) throw new HttpError(404, mediaErrors.jobNotFound(kind));
    return row;
  };

  return {
    catalogue,
    runner,
    job,
    makeImage: (userId, asked, signal) => makeImage(ctx, catalogue, userId, asked, signal),
    async createJob(userId, kind, read) {
      const order = await readOrder(ctx, userId, kind, read);
      await checkAccess(ctx, userId, order.model);
      const row = await createJob(ctx, userId, kind, order);
      runner.enqueue(row.id);
      return row;
    },
    async retryJob(userId, kind, name) {
      const row = await job(userId, kind, name);
      const refused = new HttpError(400, mediaErrors.jobNotRetried(kind));
      if (row.status !== "error") throw refused;
      const model = await mediaModelById(ctx, kind, row.model_id);
      if (model !== undefined) await checkAccess(ctx, userId, model);
      // Two retries at once are one.
      if (!(await move(ctx, row.id, "error", { status: "queued", error: null }))) throw refused;
      runner.enqueue(row.id);
      return { ...row, status: "queued", error: null };
    },
    async removeJob(userId, kind, id) {
      if (await markJobDeleted(ctx, userId, kind, id)) runner.cancel(id);
    },
  };
}
