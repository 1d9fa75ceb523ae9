/** The media models that the workspace knows: their lasting ids, and their records as a caller sees them. */
import type { JobKind, MediaModel, VideoModel } from "../../contract/media.ts";
import type { ServiceContext } from "../context.ts";
import type { MediaEntry, MediaKind } from "../providers/media/port.ts";
import { restrictionOf, type Rules } from "../rules.ts";
import type { MediaModelRow } from "./schema.ts";

export interface StoredMediaModel {
  readonly id: number;
  readonly entry: MediaEntry;
  /** False when no provider offers the model any more. */
  readonly available: boolean;
}

type Db = Pick<ServiceContext, "db">;

const stored = (row: MediaModelRow): StoredMediaModel => ({
  id: row.id,
  entry: JSON.parse(row.entry) as MediaEntry,
  available: row.position !== null,
});

/** The models of a kind that providers offer now, in display order. */
export async function mediaModels({ db }: Db, kind: MediaKind): Promise<StoredMediaModel[]> {
  const rows = await db
    .selectFrom("media_models")
    .selectAll()
    .where("kind", "=", kind)
    .where("position", "is not", null)
    .orderBy("position")
    .execute();
  return rows.map(stored);
}

/** The model of a kind with this ID, also one that is not offered any more. */
export async function mediaModelById({ db }: Db, kind: JobKind, id: number): Promise<StoredMediaModel | undefined> {
  const row = await db.selectFrom("media_models").selectAll().where("id", "=", id).where("kind", "=", kind).executeTakeFirst();
  return row === undefined ? undefined : stored(row);
}

/** A catalogue entry as the interface shows it. @param sort its place, from 0; the first is the preselected one */
export function mediaModelRecord(model: StoredMediaModel, sort: number, rules: Rules): MediaModel | VideoModel {
  const { name, powered_by, version, description, video } = model.entry;
  const restriction = restrictionOf(rules, model);
  const record: MediaModel = {
    ID: model.id,
    name,
    powered_by,
    version,
    description,
    // Prices are final credits: nothing is left to multiply.
    multiplier: "1",
    default: sort === 0,
    sort,
    selectable: restriction === undefined,
    ...(restriction === undefined ? {} : { restriction_reason: restriction.text }),
  };
  if (video === undefined) return record;
  const { durations, secondPrices, ...traits } = video;
  const prices = Object.entries(secondPrices).map(([resolution, price]) => [resolution, { credit_cost_per_second: price }]);
  return {
    ...record,
    ...traits,
    resolution_duration_limits: durations,
    resolution_pricing: Object.fromEntries(prices) as VideoModel["resolution_pricing"],
  };
}
