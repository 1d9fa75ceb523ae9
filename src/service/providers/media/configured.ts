/** Who makes media, by the same configuration as the language models. Pure: nothing is imported, opened or asked yet. */
import type { Clock } from "../../../clock.ts";
import type { ProviderConfig } from "../configured.ts";
import { aiMedia } from "./ai.ts";
import { offlineMedia } from "./offline/offline.ts";
import type { MediaProvider } from "./port.ts";
import { compatibleMedia, googleMedia, openaiMedia } from "./upstreams.ts";

/**
 * The media providers, in the catalogues' display order; the offline one stands in for what none of the others makes.
 * @param path folders to look for ffmpeg and espeak-ng in, as the environment's `PATH` has them
 */
export function configuredMedia(config: ProviderConfig, clock: Clock, path: string): MediaProvider[] {
  const { openaiApiKey, openaiBaseUrl, openaiModels, googleApiKey } = config;
  const providers: MediaProvider[] = [];
  if (openaiBaseUrl !== null) {
    const baseUrl = openaiBaseUrl.replace(/\/+$/, "");
    providers.push(aiMedia(compatibleMedia({ apiKey: openaiApiKey, baseUrl }, clock), clock, openaiModels));
  } else if (openaiApiKey !== null) providers.push(aiMedia(openaiMedia({ apiKey: openaiApiKey }, clock), clock, openaiModels));
  if (googleApiKey !== null) providers.push(aiMedia(googleMedia({ apiKey: googleApiKey }, clock), clock, []));
  return [...providers, offlineMedia(clock, path)];
}
