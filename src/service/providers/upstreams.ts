/** The four kinds of language-model service: where each lists its models, and what its SDK wants to be told. */
import type { LanguageModel, JSONValue } from "ai";
import type { Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import type { ListedModel } from "./families.ts";
import { getJson } from "./listing.ts";
import type { Blamed } from "./provider-faults.ts";
import type { ModelRequest } from "./port.ts";

type Options = Record<string, Record<string, JSONValue>>;

/** A language-model service. SDKs are imported when `model` is first called, as they are large. */
export interface Upstream {
  readonly name: string;
  readonly blamed: Blamed;
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
  model(id: string): Promise<LanguageModel>;
  options(id: string, request: ModelRequest): Options;
}

export interface Access {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

export const openaiAddress = "https://api.openai.com/v1";
const anthropicAddress = "https://api.anthropic.com/v1";
export const googleAddress = "https://generativelanguage.googleapis.com/v1beta";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The rows of `list[field]` that `read` makes something of. Throws a Fault `provider_malformed` when there is no such list. */
export function rowsOf(
  list: unknown,
  field: string,
  { label }: Blamed,
  read: (row: Readonly<Record<string, unknown>>) => ListedModel | undefined,
): ListedModel[] {
  const rows: unknown = typeof list === "object" && list !== null ? (list as Record<string, unknown>)[field] : undefined;
  if (!Array.isArray(rows))
    throw new Fault("provider_malformed", `${label} did not answer with a list of models. Check the address.`);
  return rows.flatMap((row: unknown) => {
    const model = typeof row === "object" && row !== null ? read(row as Record<string, unknown>) : undefined;
    return model === undefined ? [] : [model];
  });
}

/** Of OpenAI's own list and that of compatible servers. */
export const openaiRow = (row: Readonly<Record<string, unknown>>): ListedModel | undefined => {
  const id = text(row["id"]);
  return id === undefined ? undefined : { id };
};

/** Ollama, vLLM, LM Studio or any other server that speaks OpenAI's chat completions. The key may be null. */
export function compatibleUpstream(
  { apiKey, baseUrl }: Omit<Access, "apiKey"> & { apiKey: string | null },
  clock: Clock,
): Upstream {
  const name = "openai-compatible";
  const blamed = { label: "The model server", keyVariable: "OPENAI_API_KEY", secrets: apiKey === null ? [] : [apiKey] };
  return {
    name,
    blamed,
    async list(signal) {
      const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
      return rowsOf(await getJson(`${baseUrl}/models`, headers, blamed, clock, signal), "data", blamed, openaiRow);
    },
    async model(id) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ name, baseURL: baseUrl, includeUsage: true, ...(apiKey === null ? {} : { apiKey }) })(id);
    },
    options: () => ({}),
  };
}

/** OpenAI, by its responses interface; nothing is stored there. */
export function openaiUpstream(
  { apiKey, baseUrl = openaiAddress }: Partial<Access> & { apiKey: string },
  clock: Clock,
): Upstream {
  const blamed = { label: "OpenAI", keyVariable: "OPENAI_API_KEY", secrets: [apiKey] };
  return {
    name: "openai",
    blamed,
    async list(signal) {
      const headers = { authorization: `Bearer ${apiKey}` };
      return rowsOf(await getJson(`${baseUrl}/models`, headers, blamed, clock, signal), "data", blamed, openaiRow);
    },
    async model(id) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey, baseURL: baseUrl })(id);
    },
    options: (_, { flash }) => ({ openai: { store: false, ...(flash ? { serviceTier: "priority" } : {}) } }),
  };
}

/** Models that show their reasoning only on request, since Opus 4.6 and Sonnet 4.6. */
const adaptiveThinking = /claude-(?:(?:opus|sonnet)-4-[6-9]|[a-z]+-[5-9])/;

/** Anthropic. It gives its priority tier by contract, not by request: flash mode changes nothing. */
export function anthropicUpstream(
  { apiKey, baseUrl = anthropicAddress }: Partial<Access> & { apiKey: string },
  clock: Clock,
): Upstream {
  const blamed = { label: "Anthropic", keyVariable: "ANTHROPIC_API_KEY", secrets: [apiKey] };
  return {
    name: "anthropic",
    blamed,
    async list(signal) {
      const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
      return rowsOf(await getJson(`${baseUrl}/models?limit=1000`, headers, blamed, clock, signal), "data", blamed, (row) => {
        const id = text(row["id"]);
        return id === undefined ? undefined : { id, name: text(row["display_name"]) ?? id };
      });
    },
    async model(id) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ apiKey, baseURL: baseUrl })(id);
    },
    options: (id, { reasoningEffort }) =>
      reasoningEffort !== null && adaptiveThinking.test(id)
        ? { anthropic: { thinking: { type: "adaptive", display: "summarized" } } }
        : {},
  };
}

/** Google, by the Gemini interface. */
export function googleUpstream(
  { apiKey, baseUrl = googleAddress }: Partial<Access> & { apiKey: string },
  clock: Clock,
): Upstream {
  const blamed = { label: "Google", keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY", secrets: [apiKey] };
  return {
    name: "google",
    blamed,
    async list(signal) {
      const headers = { "x-goog-api-key": apiKey };
      return rowsOf(await getJson(`${baseUrl}/models?pageSize=1000`, headers, blamed, clock, signal), "models", blamed, (row) => {
        const id = text(row["name"])?.replace(/^models\//, "");
        const methods = row["supportedGenerationMethods"];
        if (id === undefined || (Array.isArray(methods) && !methods.includes("generateContent"))) return undefined;
        return { id, name: text(row["displayName"]) ?? id, description: text(row["description"]) ?? "" };
      });
    },
    async model(id) {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({ apiKey, baseURL: baseUrl })(id);
    },
    options: (_, { flash, reasoningEffort }) => ({
      google: {
        ...(flash ? { serviceTier: "priority" } : {}),
        ...(reasoningEffort === null ? {} : { thinkingConfig: { includeThoughts: true } }),
      },
    }),
  };
}
