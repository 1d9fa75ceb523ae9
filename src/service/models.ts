/** The chat models that the workspace knows: their lasting ids, and their records as a caller sees them. */
import type { AiModel } from "../contract/records.ts";
import type { ServiceContext } from "./context.ts";
import type { CatalogueEntry } from "./providers/port.ts";
import { restrictionOf, type Rules } from "./rules.ts";
import type { ModelRow } from "./schema.ts";

export interface StoredModel {
  readonly id: number;
  readonly entry: CatalogueEntry;
  /** False when no provider offers the model any more. */
  readonly available: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const stored = (row: ModelRow): StoredModel => ({
  id: row.id,
  entry: JSON.parse(row.entry) as CatalogueEntry,
  available: row.position !== null,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The catalogue in display order: what providers offer now, deprecated models included. */
export async function listModels({ db }: Pick<ServiceContext, "db">): Promise<StoredModel[]> {
  const rows = await db.selectFrom("models").selectAll().where("position", "is not", null).orderBy("position").execute();
  return rows.map(stored);
}

/** The model with this ID, also one that is not offered any more. */
export async function modelById({ db }: Pick<ServiceContext, "db">, id: number): Promise<StoredModel | undefined> {
  const row = await db.selectFrom("models").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : stored(row);
}

/** A model's record without `successor`, which only the catalogue list carries. */
export function modelRecord({ id, entry, available, createdAt, updatedAt }: StoredModel, rules: Rules): AiModel {
  const { key: _key, successorKey: _successor, residency: _residency, ...described } = entry;
  const restriction = restrictionOf(rules, { entry, available });
  return {
    ID: id,
    CreatedAt: createdAt,
    UpdatedAt: updatedAt,
    DeletedAt: null,
    ...described,
    stream_support: true,
    selectable: restriction === undefined,
    ...(restriction === undefined ? {} : { restriction_reason: restriction.text }),
  };
}

const never = "0001-01-01T00:00:00Z";

/** The record of no model: what stands where a model is not loaded. */
export const zeroModel: AiModel = {
  ID: 0,
  CreatedAt: never,
  UpdatedAt: never,
  DeletedAt: null,
  name: "",
  description: "",
  best_for: "",
  version: "",
  powered_by: "",
  multiplier: "0",
  credit_cost_per_input_token: "0",
  credit_cost_per_output_token: "0",
  flagship: false,
  premium: false,
  deprecated: false,
  thinking_model: false,
  stream_support: false,
  reasoning_efforts: [],
  default_reasoning_effort: "",
  tools: [],
  tags: [],
  knowledge_cutoff: null,
  supported_file_extensions: [],
  selectable: false,
};
