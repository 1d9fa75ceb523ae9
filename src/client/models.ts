/** The chat-model catalogue. */
import type { AiModel, AiModelFilters } from "../contract/records.ts";
import { recordIn, recordsIn, type Paging } from "./answers.ts";
import type { CallOptions, Http } from "./http.ts";
import { readFilters, readModel } from "./records.ts";

export interface ModelQuery extends Paging {
  /** Part of the name. */
  readonly search?: string;
  /** The maker, exactly. */
  readonly poweredBy?: string;
  /** The model must have all of them. */
  readonly tools?: readonly string[];
  readonly tags?: readonly string[];
  /** Only true has an effect. */
  readonly flagship?: boolean;
  /** False leaves deprecated models out. */
  readonly legacy?: boolean;
}

export const modelCalls = (http: Http) => ({
  /** In display order; all of them unless `page` or `size` is given. Only here has a deprecated model its successor. */
  async list(options: ModelQuery & CallOptions = {}): Promise<AiModel[]> {
    const { signal, poweredBy, tools, tags, ...query } = options;
    const answer = await http.call("GET /ai_model", {
      query: { ...query, powered_by: poweredBy, tools: tools?.join(","), tags: tags?.join(",") },
      ...(signal && { signal }),
    });
    return recordsIn(answer, readModel);
  },
  async get(id: number, options?: CallOptions): Promise<AiModel> {
    return recordIn(await http.call("GET /ai_model/:id", { params: { id }, ...options }), readModel);
  },
  async filters(options?: CallOptions): Promise<AiModelFilters> {
    return readFilters((await http.call("GET /ai_model/filters", { ...options })).body);
  },
  /** Models blocked by a rule on the model itself. Deprecated by the interface: `selectable` says more. */
  async restricted(options?: CallOptions): Promise<AiModel[]> {
    return recordsIn(await http.call("GET /ai_model/restricted", { ...options }), readModel);
  },
});
