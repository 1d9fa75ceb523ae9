/** Reads and changes the rows of media jobs. */
import type { JobKind } from "../../contract/media.ts";
import { isNumericId, randomSlug } from "../../contract/identifiers.ts";
import type { DecimalString } from "../../contract/records.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { charge } from "../quota.ts";
import type { Span } from "../responses.ts";
import type { Order } from "./orders.ts";
import type { MediaJobRow } from "./schema.ts";

type Db = Pick<ServiceContext, "db">;
type Changing = Pick<ServiceContext, "db" | "clock">;

/** Letters of a job's slug, as the interface says. */
const slugLength = 8;

/** The numeric ID that a path names; no ID is beyond this many digits. */
const isId = (value: string): boolean => isNumericId(value) && value.length <= 15;

export function createJob(
  ctx: Changing & Pick<ServiceContext, "random">,
  userId: number,
  kind: JobKind,
  { model, options }: Order,
): Promise<MediaJobRow> {
  const now = timestamp(ctx);
  return ctx.db
    .insertInto("media_jobs")
    .values({
      kind,
      slug: randomSlug(slugLength, ctx.random),
      user_id: userId,
      model_id: model.id,
      options: JSON.stringify(options),
      status: "queued",
      error: null,
      credit_cost: "0",
      output_file_id: null,
      text: null,
      segments: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The user's live job of a kind, by ID or slug. */
export const jobNamed = ({ db }: Db, userId: number, kind: JobKind, name: string): Promise<MediaJobRow | undefined> =>
  db
    .selectFrom("media_jobs")
    .selectAll()
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .where("deleted_at", "is", null)
    .where((where) => (isId(name) ? where("id", "=", Number(name)) : where("slug", "=", name)))
    .executeTakeFirst();

/** A live job by its id, whoever owns it. */
export const jobById = ({ db }: Db, id: number): Promise<MediaJobRow | undefined> =>
  db.selectFrom("media_jobs").selectAll().where("id", "=", id).where("deleted_at", "is", null).executeTakeFirst();

/** A page of the user's jobs of a kind, newest first, and how many there are. @param status only those; null: all */
export async function jobsOf(
  { db }: Db,
  userId: number,
  kind: JobKind,
  status: string | null,
  span: Span,
): Promise<{ rows: MediaJobRow[]; total: number }> {
  let live = db.selectFrom("media_jobs").where("user_id", "=", userId).where("kind", "=", kind).where("deleted_at", "is", null);
  if (status !== null) live = live.where("status", "=", status as MediaJobRow["status"]);
  const { total } = await live.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await live.selectAll().orderBy("id", "desc").limit(span.size).offset(span.offset).execute();
  return { rows, total };
}

/** The unfinished jobs of an earlier process, oldest first. */
export const unfinishedJobs = ({ db }: Db): Promise<MediaJobRow[]> =>
  db
    .selectFrom("media_jobs")
    .selectAll()
    .where("status", "in", ["queued", "processing"])
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();

/** From one status to another. False, with nothing changed, when the job is not (any more) in the first. */
export async function move(
  ctx: Changing,
  id: number,
  from: MediaJobRow["status"],
  to: { readonly status: MediaJobRow["status"]; readonly error: string | null },
): Promise<boolean> {
  const moved = await ctx.db
    .updateTable("media_jobs")
    .set({ ...to, updated_at: timestamp(ctx) })
    .where("id", "=", id)
    .where("status", "=", from)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** Ends a job well and counts what it cost, both or neither. A job that was deleted meanwhile is paid for all the same. */
export async function finish(
  ctx: Changing,
  job: MediaJobRow,
  cost: DecimalString,
  result: Pick<MediaJobRow, "output_file_id" | "text" | "segments">,
): Promise<void> {
  await ctx.db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("media_jobs")
      .set({ ...result, status: "done", error: null, credit_cost: cost, updated_at: timestamp(ctx) })
      .where("id", "=", job.id)
      .execute();
    await charge({ db: transaction }, job.user_id, cost);
  });
}

/** Marks the user's job of this kind as deleted. False when there is none. */
export async function markJobDeleted(ctx: Changing, userId: number, kind: JobKind, id: number): Promise<boolean> {
  const now = timestamp(ctx);
  const marked = await ctx.db
    .updateTable("media_jobs")
    .set({ deleted_at: now, updated_at: now })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return marked.numUpdatedRows > 0n;
}
