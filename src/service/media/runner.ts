/** Works on media jobs, a few at a time, in the order in which they came; what a dead process left goes on, or ends with a reason. */
import { Fault } from "../../errors.ts";
import type { ServiceContext } from "../context.ts";
import { nameAfter, storeGenerated } from "../files/generated.ts";
import { HttpError } from "../http-error.ts";
import { checkQuota } from "../quota.ts";
import { slots } from "../reading/slots.ts";
import { readRules, residencyRestriction } from "../rules.ts";
import type { MediaCatalogue } from "./catalogue.ts";
import { mediaCost } from "./cost.ts";
import { mediaModelById, type StoredMediaModel } from "./models.ts";
import { requestOf, wordsOf } from "./request.ts";
import type { MediaJobRow } from "./schema.ts";
import { finish, jobById, move, unfinishedJobs } from "./store.ts";

export interface JobRunner {
  /** Takes up what an earlier process left. Once, before anything is enqueued. */
  resume(): Promise<void>;
  /** Works on the job, which is `queued`, as soon as there is room. */
  enqueue(id: number): void;
  /** Stops working on a job that was deleted. */
  cancel(id: number): void;
  /** Stops all work; jobs that were not finished are taken up by the next start. */
  close(): Promise<void>;
}

/** Jobs that are worked on at once; the others wait as `queued`. */
const atOnce = 4;
/** How long a provider may work on one job, in ms; then the job ends in `error`. Films take minutes at the services known. */
const deadlineMs = 30 * 60_000;

const broken = "It could not be made because of a fault in the workspace. Retry makes it again.";
const interrupted =
  "The workspace was stopped while this was being made. It may have been made and paid for at its provider; Retry makes it again.";

const closing = new Fault("media_closing", "the workspace is closing");
const deleted = new Fault("media_deleted", "the job was deleted");
const late = new Fault("media_late", `It was not finished within ${deadlineMs / 60_000} minutes and was given up.`);

/** What the asker is told of a failure. A fault of a provider, or about a source, is fit for the asker's eyes. */
export const isTold = (thrown: unknown): thrown is Fault =>
  thrown instanceof Fault && (thrown.code.startsWith("provider_") || thrown.code.startsWith("media_"));

export function createJobRunner(ctx: ServiceContext, catalogue: Pick<MediaCatalogue, "providerOf">): JobRunner {
  const inSlot = slots(atOnce);
  const working = new Map<number, { readonly controller: AbortController; readonly ended: Promise<void> }>();
  let closed = false;

  /** Jobs before this one may have used up what was left when it was accepted. */
  const checkLeft = async (userId: number): Promise<void> => {
    try {
      await checkQuota(ctx, userId);
    } catch (thrown) {
      if (!(thrown instanceof HttpError)) throw thrown;
      throw new Fault("media_quota", `quota exceeded: ${thrown.body.reason ?? "unknown"}`);
    }
  };

  const make = async (job: MediaJobRow, model: StoredMediaModel, signal: AbortSignal): Promise<void> => {
    const restriction = residencyRestriction(await readRules(ctx.db), model);
    if (restriction !== undefined) throw new Fault("media_residency", restriction.text);
    const provider = catalogue.providerOf(model.entry.key);
    if (provider === undefined) throw new Fault("media_gone", "The provider of this model is no longer connected.");
    await checkLeft(job.user_id);
    const request = await requestOf(ctx, job, model);
    const made = await provider.make(request, signal);
    const cost = mediaCost(model.entry, request, made);
    if (made.type === "text") {
      const segments = JSON.stringify(made.segments);
      return finish(ctx, job, cost, { output_file_id: null, text: made.text, segments });
    }
    const name = nameAfter(wordsOf(request), made.extension);
    const file = await storeGenerated(ctx, job.user_id, name, made.bytes);
    await finish(ctx, job, cost, { output_file_id: file.id, text: null, segments: null });
  };

  const work = async (id: number, controller: AbortController): Promise<void> => {
    const { signal } = controller;
    if (!(await move(ctx, id, "queued", { status: "processing", error: null }))) return;
    const job = await jobById(ctx, id);
    if (job === undefined) return;
    const cancelDeadline = ctx.clock.after(deadlineMs, () => controller.abort(late));
    try {
      const model = await mediaModelById(ctx, job.kind, job.model_id);
      if (model === undefined) throw new Fault("media_gone", "The model of this job is no longer there.");
      await make(job, model, signal);
    } catch (thrown) {
      // Left as it is: the next start takes it up, and a deleted one is nobody's any more.
      if (signal.reason === closing || signal.reason === deleted) return;
      const reason: unknown = signal.aborted ? signal.reason : thrown;
      ctx.log[isTold(reason) ? "warn" : "error"]({ error: reason, job: id, kind: job.kind }, "a media job failed");
      await move(ctx, id, "processing", { status: "error", error: isTold(reason) ? reason.message : broken });
    } finally {
      cancelDeadline();
    }
  };

  const enqueue = (id: number): void => {
    if (closed) return;
    const controller = new AbortController();
    const ended = inSlot(() => work(id, controller), controller.signal)
      .catch((thrown: unknown) => {
        if (!controller.signal.aborted) ctx.log.error({ error: thrown, job: id }, "a media job could not be worked on");
      })
      // A retry may have put its own work there.
      .finally(() => working.get(id)?.controller === controller && working.delete(id));
    working.set(id, { controller, ended: ended.then(() => undefined) });
  };

  return {
    enqueue,
    async resume() {
      for (const job of await unfinishedJobs(ctx)) {
        const model = await mediaModelById(ctx, job.kind, job.model_id);
        if (job.status === "processing") {
          // At a provider that charges, a second time could be paid for twice: that is for the asker to decide.
          const again = model?.entry.free === true;
          await move(
            ctx,
            job.id,
            "processing",
            again ? { status: "queued", error: null } : { status: "error", error: interrupted },
          );
          if (!again) continue;
        }
        enqueue(job.id);
      }
    },
    cancel: (id) => working.get(id)?.controller.abort(deleted),
    async close() {
      closed = true;
      const left = [...working.values()];
      for (const { controller } of left) controller.abort(closing);
      await Promise.all(left.map(({ ended }) => ended));
    },
  };
}
