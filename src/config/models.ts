/** The model providers of the embedded workspace. */
import type { Reader, VariableInfo } from "./reader.ts";

export interface ModelsConfig {
  readonly openaiApiKey: string | null;
  readonly openaiBaseUrl: string | null;
  readonly openaiModels: readonly string[];
  readonly anthropicApiKey: string | null;
  readonly googleApiKey: string | null;
}

export const modelVariables: readonly VariableInfo[] = [
  { name: "OPENAI_API_KEY", fallback: "none", help: "OpenAI models in the embedded workspace", secret: true },
  { name: "OPENAI_BASE_URL", fallback: "none", help: "an OpenAI-compatible server: Ollama, vLLM, LM Studio" },
  { name: "OPENAI_MODELS", fallback: "asked of the server", help: "models to offer, separated by commas" },
  { name: "ANTHROPIC_API_KEY", fallback: "none", help: "Anthropic models in the embedded workspace", secret: true },
  { name: "GOOGLE_GENERATIVE_AI_API_KEY", fallback: "none", help: "Google models in the embedded workspace", secret: true },
];

export const readModels = ({ text, list, address }: Reader): ModelsConfig => ({
  openaiApiKey: text("OPENAI_API_KEY"),
  openaiBaseUrl: text("OPENAI_BASE_URL") === null ? null : address("OPENAI_BASE_URL", ""),
  openaiModels: list("OPENAI_MODELS", /^/, "names of models") ?? [],
  anthropicApiKey: text("ANTHROPIC_API_KEY"),
  googleApiKey: text("GOOGLE_GENERATIVE_AI_API_KEY"),
});
