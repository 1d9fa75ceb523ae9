/** Routes of pictures and of media jobs. */
import { imageBody, imageEditBody, jobKinds, jobPaths, type JobKind } from "../../contract/media.ts";
import type { MediaRoute } from "../../contract/routes.ts";
import { isNumericId } from "../../contract/identifiers.ts";
import { fileRecord } from "../files/store.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { json, listPage, noContent } from "../responses.ts";
import { readRules } from "../rules.ts";
import type { Media } from "./media.ts";
import { mediaModelRecord, mediaModels } from "./models.ts";
import { jobRecord, listedJob } from "./record.ts";
import { jobsOf } from "./store.ts";

type Handler = (call: Call) => Promise<Response>;

const kindHandlers = (kind: JobKind, media: Media): Record<MediaRoute, Handler> => {
  const path = jobPaths[kind];
  const handlers = {
    [`GET /${path}_model`]: async ({ ctx }) => {
      const rules = await readRules(ctx.db);
      return json(
        200,
        (await mediaModels(ctx, kind)).map((model, sort) => mediaModelRecord(model, sort, rules)),
      );
    },
    [`POST /${path}`]: async ({ ctx, caller, body }) =>
      json(201, await jobRecord(ctx, await media.createJob(caller.userId, kind, body))),
    [`GET /${path}/:id`]: async ({ ctx, caller, param }) =>
      json(200, await jobRecord(ctx, await media.job(caller.userId, kind, param("id")))),
    [`GET /${path}`]: async ({ ctx, caller, query, page }) => {
      const { rows, total } = await jobsOf(ctx, caller.userId, kind, query.get("status"), page);
      return listPage(await Promise.all(rows.map((row) => listedJob(ctx, row))), page, total);
    },
    [`POST /${path}/:id/retry`]: async ({ ctx, caller, param }) =>
      json(200, await jobRecord(ctx, await media.retryJob(caller.userId, kind, param("id")))),
    [`DELETE /${path}/:id`]: async ({ caller, param }) => {
      if (!isNumericId(param("id"))) throw new HttpError(400, `expected the numeric ID of a job, got a slug`);
      await media.removeJob(caller.userId, kind, Number(param("id")));
      return noContent();
    },
  } satisfies Record<string, Handler>;
  return handlers as Record<MediaRoute, Handler>;
};

export const mediaHandlers = (media: Media): Handlers => ({
  "POST /image_generation": async ({ ctx, caller, request, body }) => {
    const { prompt } = await body(imageBody);
    const asked = { prompt, fileId: undefined, edit: false };
    return json(200, fileRecord(ctx, await media.makeImage(caller.userId, asked, request.signal)));
  },
  "POST /image_generation/edit": async ({ ctx, caller, request, body }) => {
    const { prompt, file_id: fileId } = await body(imageEditBody);
    return json(200, fileRecord(ctx, await media.makeImage(caller.userId, { prompt, fileId, edit: true }, request.signal)));
  },
  ...(Object.assign({}, ...jobKinds.map((kind) => kindHandlers(kind, media))) as Record<MediaRoute, Handler>),
});
