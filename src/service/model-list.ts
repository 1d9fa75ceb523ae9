/** The catalogue list: the models that a caller looks for, each with its successor. */
import type { AiModel } from "../contract/records.ts";
import type { ServiceContext } from "./context.ts";
import { listModels, modelRecord, type StoredModel } from "./models.ts";
import { readRules } from "./rules.ts";

export interface ModelFilter {
  /** Part of the name, in any case; empty: any. */
  readonly search: string;
  /** The maker, exactly; empty: any. */
  readonly poweredBy: string;
  /** The model must have all of them. */
  readonly tools: readonly string[];
  readonly tags: readonly string[];
  /** True: flagship models only. */
  readonly flagship: boolean;
  /** True: without deprecated models. */
  readonly current: boolean;
}

const matches = ({ entry }: StoredModel, filter: ModelFilter): boolean =>
  entry.name.toLowerCase().includes(filter.search.toLowerCase()) &&
  (filter.poweredBy === "" || entry.powered_by === filter.poweredBy) &&
  filter.tools.every((tool) => entry.tools.includes(tool)) &&
  filter.tags.every((tag) => entry.tags.includes(tag)) &&
  (!filter.flagship || entry.flagship) &&
  (!filter.current || !entry.deprecated);

/** All models that match, in display order. */
export async function findModels(ctx: Pick<ServiceContext, "db">, filter: ModelFilter): Promise<AiModel[]> {
  const rules = await readRules(ctx.db);
  const all = await listModels(ctx);
  return all
    .filter((model) => matches(model, filter))
    .map((model) => {
      const successor = all.find(({ entry }) => entry.key === model.entry.successorKey);
      return { ...modelRecord(model, rules), successor: successor === undefined ? null : modelRecord(successor, rules) };
    });
}
