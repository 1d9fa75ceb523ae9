/** The services that make media: which of their models make what, and the SDK's model of each. SDKs are imported when first asked. */
import type { ImageModel, SpeechModel, TranscriptionModel } from "ai";
import type { Clock } from "../../../clock.ts";
import { getJson } from "../listing.ts";
import type { Blamed } from "../provider-faults.ts";
import { googleAddress, openaiAddress, openaiRow, rowsOf, type Access } from "../upstreams.ts";
import type { MediaKind } from "./port.ts";

type VideoModel = Parameters<(typeof import("ai"))["experimental_generateVideo"]>[0]["model"];

/** What a service has for each kind; a kind that is not there, it does not make. */
export interface MediaModelsOf {
  readonly image?: (id: string) => ImageModel;
  readonly video?: (id: string) => VideoModel;
  readonly speech?: (id: string) => SpeechModel;
  readonly transcription?: (id: string) => TranscriptionModel;
}

export interface MediaUpstream {
  readonly name: string;
  readonly blamed: Blamed;
  /** The maker, as catalogues show it. */
  readonly maker: string;
  /** The ids of all its models. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** What a model makes, by its name: services list names and little more. Undefined for what makes no media. */
  kindOf(id: string): MediaKind | undefined;
  models(): Promise<MediaModelsOf>;
}

const kindBy =
  (names: ReadonlyArray<readonly [MediaKind, RegExp]>) =>
  (id: string): MediaKind | undefined =>
    /realtime|live|diarize/i.test(id) ? undefined : names.find(([, pattern]) => pattern.test(id))?.[0];

/** OpenAI's names for what makes media; whoever speaks its interface uses them too. */
export const openaiKind = kindBy([
  ["image", /^(?:gpt-image|chatgpt-image|dall-e)/i],
  ["speech", /^tts-|-tts(?:-|$)/i],
  ["transcription", /^whisper|-transcribe(?:-|$)/i],
]);

const compatibleKind = kindBy([["image", /(?:^|\/)(?:gpt-image|dall-e|flux|stable-diffusion|sdxl|sd3|qwen-image|z-image)/i]]);

const googleKind = kindBy([
  ["video", /^veo-/i],
  ["image", /^imagen|-image(?:-|$)|nano-banana/i],
  ["speech", /-tts(?:-|$)/i],
  ["transcription", /-transcribe(?:-|$)/i],
]);

export function openaiMedia(
  { apiKey, baseUrl = openaiAddress }: Partial<Access> & { apiKey: string },
  clock: Clock,
): MediaUpstream {
  const blamed = { label: "OpenAI", keyVariable: "OPENAI_API_KEY", secrets: [apiKey] };
  return {
    name: "openai",
    maker: "OpenAI",
    blamed,
    async list(signal) {
      const headers = { authorization: `Bearer ${apiKey}` };
      return rowsOf(await getJson(`${baseUrl}/models`, headers, blamed, clock, signal), "data", blamed, openaiRow).map(
        ({ id }) => id,
      );
    },
    kindOf: openaiKind,
    async models() {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const provider = createOpenAI({ apiKey, baseURL: baseUrl });
      return {
        image: (id) => provider.image(id),
        speech: (id) => provider.speech(id),
        transcription: (id) => provider.transcription(id),
      };
    },
  };
}

/** A server that speaks OpenAI's interface: of media, the library knows only its pictures. */
export function compatibleMedia(
  { apiKey, baseUrl }: Omit<Access, "apiKey"> & { apiKey: string | null },
  clock: Clock,
): MediaUpstream {
  const name = "openai-compatible";
  const blamed = { label: "The model server", keyVariable: "OPENAI_API_KEY", secrets: apiKey === null ? [] : [apiKey] };
  return {
    name,
    maker: name,
    blamed,
    async list(signal) {
      const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
      return rowsOf(await getJson(`${baseUrl}/models`, headers, blamed, clock, signal), "data", blamed, openaiRow).map(
        ({ id }) => id,
      );
    },
    kindOf: compatibleKind,
    async models() {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const provider = createOpenAICompatible({ name, baseURL: baseUrl, ...(apiKey === null ? {} : { apiKey }) });
      return { image: (id) => provider.imageModel(id) };
    },
  };
}

export function googleMedia(
  { apiKey, baseUrl = googleAddress }: Partial<Access> & { apiKey: string },
  clock: Clock,
): MediaUpstream {
  const blamed = { label: "Google", keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY", secrets: [apiKey] };
  return {
    name: "google",
    maker: "Google",
    blamed,
    async list(signal) {
      const headers = { "x-goog-api-key": apiKey };
      const answer = await getJson(`${baseUrl}/models?pageSize=1000`, headers, blamed, clock, signal);
      return rowsOf(answer, "models", blamed, ({ name }) =>
        typeof name === "string" ? { id: name.replace(/^models\//, "") } : undefined,
      ).map(({ id }) => id);
    },
    kindOf: googleKind,
    async models() {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      const provider = createGoogleGenerativeAI({ apiKey, baseURL: baseUrl });
      return {
        image: (id) => provider.image(id),
        video: (id) => provider.video(id),
        speech: (id) => provider.speech(id),
        transcription: (id) => provider.transcription(id),
      };
    },
  };
}
