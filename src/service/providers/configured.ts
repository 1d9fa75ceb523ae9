/** Which model providers a configuration asks for. Pure: nothing is imported, opened or asked yet. */
import type { Clock } from "../../clock.ts";
import { bestPassages } from "../reading/passages.ts";
import { aiProvider } from "./ai.ts";
import { openaiKind } from "./media/upstreams.ts";
import { offlineProvider } from "./offline.ts";
import type { ModelProvider } from "./port.ts";
import { anthropicUpstream, compatibleUpstream, googleUpstream, openaiUpstream } from "./upstreams.ts";

/** The part of the configuration that is about models. */
export interface ProviderConfig {
  readonly openaiApiKey: string | null;
  /** Makes `openaiApiKey` (which may then be null) a key of that server, not of OpenAI. */
  readonly openaiBaseUrl: string | null;
  /** Models to offer of OpenAI or of the server at `openaiBaseUrl`, in this order; empty: all that it lists. */
  readonly openaiModels: readonly string[];
  readonly anthropicApiKey: string | null;
  readonly googleApiKey: string | null;
  /** Characters a second of the offline model; absent: a reading pace. */
  readonly offlinePace?: number;
}

/** The providers, in the catalogue's display order: the offline model stands in only while nothing else is configured. */
export function configuredProviders(config: ProviderConfig, clock: Clock): ModelProvider[] {
  const { openaiApiKey, openaiBaseUrl, openaiModels, anthropicApiKey, googleApiKey, offlinePace } = config;
  const providers: ModelProvider[] = [];
  // What makes media may be named in the same list, and is no model to talk with.
  const models = openaiModels.filter((id) => openaiKind(id) === undefined);
  if (openaiBaseUrl !== null) {
    const baseUrl = openaiBaseUrl.replace(/\/+$/, "");
    providers.push(aiProvider(compatibleUpstream({ apiKey: openaiApiKey, baseUrl }, clock), { clock, models }));
  } else if (openaiApiKey !== null)
    providers.push(aiProvider(openaiUpstream({ apiKey: openaiApiKey }, clock), { clock, models }));
  if (anthropicApiKey !== null)
    providers.push(aiProvider(anthropicUpstream({ apiKey: anthropicApiKey }, clock), { clock, models: [] }));
  if (googleApiKey !== null) providers.push(aiProvider(googleUpstream({ apiKey: googleApiKey }, clock), { clock, models: [] }));
  if (providers.length > 0) return providers;
  return [
    offlineProvider({
      clock,
      passages: bestPassages,
      ...(offlinePace === undefined ? {} : { charactersPerSecond: offlinePace }),
    }),
  ];
}
