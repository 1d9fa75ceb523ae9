/** Media through the `ai` package, which is imported when the first piece is asked for. Nothing is retried: each try is paid for. */
import type { Clock } from "../../../clock.ts";
import { Fault } from "../../../errors.ts";
import { newestFirst } from "../families.ts";
import { providerFault } from "../provider-faults.ts";
import { silenceLimit } from "../silence.ts";
import { entryOf } from "./ai-entries.ts";
import type { Made, MadeFile, MediaEntry, MediaProvider, MediaRequest, VideoRequest } from "./port.ts";
import type { MediaModelsOf, MediaUpstream } from "./upstreams.ts";

type Ai = typeof import("ai");

const minute = 60_000;
/** How long one piece may take, in ms. Pictures take up to two minutes at the services known, films up to ten. */
const limits: Readonly<Record<MediaRequest["kind"], number>> = {
  image: 5 * minute,
  video: 25 * minute,
  speech: 5 * minute,
  music: 5 * minute,
  transcription: 10 * minute,
};

interface Asking {
  readonly ai: Ai;
  readonly models: MediaModelsOf;
  /** The service's own id of the model. */
  readonly id: string;
  readonly signal: AbortSignal;
}

/** `image/jpeg` is a `.jpg`; everything else is called after its type. */
const extensionOf = (mediaType: string, fallback: string): string =>
  /^\w+\/(?:x-)?([a-z0-9]{2,5})/.exec(mediaType)?.[1]?.replace("jpeg", "jpg").replace("mpeg", "mp3") ?? fallback;

const noModel = (): never => {
  throw new Fault("provider_rejected", "This model makes something else than was asked for.");
};

/** Pixels of the shorter side by name, as the library wants both sides. */
const heights: Readonly<Record<string, number>> = { "480p": 480, "720p": 720, "1080p": 1080 };

const sizeOf = (resolution: string | undefined): `${number}x${number}` | undefined => {
  const height = heights[resolution ?? ""];
  return height === undefined ? undefined : `${Math.round((height * 16) / 9 / 2) * 2}x${height}`;
};

async function film({ ai, models, id, signal }: Asking, request: VideoRequest): Promise<MadeFile> {
  const { prompt, aspectRatio, seconds, firstFrame, lastFrame, references } = request;
  const resolution = sizeOf(request.resolution);
  const { video } = await ai.experimental_generateVideo({
    model: models.video?.(id) ?? noModel(),
    prompt: firstFrame === undefined ? prompt : { image: firstFrame.bytes, text: prompt },
    aspectRatio: aspectRatio as `${number}:${number}`,
    ...(resolution === undefined ? {} : { resolution }),
    ...(seconds === undefined ? {} : { duration: seconds }),
    ...(lastFrame === undefined ? {} : { frameImages: [{ image: lastFrame.bytes, frameType: "last_frame" as const }] }),
    ...(references.length === 0 ? {} : { inputReferences: references.map(({ bytes }) => bytes) }),
    maxRetries: 0,
    abortSignal: signal,
  });
  return { type: "file", bytes: video.uint8Array, extension: extensionOf(video.mediaType, "mp4") };
}

async function ask(asking: Asking, request: MediaRequest): Promise<Made> {
  const { ai, models, id, signal } = asking;
  const shared = { maxRetries: 0, abortSignal: signal };
  switch (request.kind) {
    case "image": {
      const { prompt: text, source } = request;
      const prompt = source === undefined ? text : { text, images: [source.bytes] };
      const { image } = await ai.generateImage({ model: models.image?.(id) ?? noModel(), prompt, ...shared });
      return { type: "file", bytes: image.uint8Array, extension: extensionOf(image.mediaType, "png") };
    }
    case "video":
      return film(asking, request);
    case "speech": {
      const voice = request.voice === undefined ? {} : { voice: request.voice };
      const { audio } = await ai.generateSpeech({
        model: models.speech?.(id) ?? noModel(),
        text: request.text,
        ...voice,
        ...shared,
      });
      return { type: "file", bytes: audio.uint8Array, extension: extensionOf(audio.mediaType, audio.format) };
    }
    case "transcription": {
      const model = models.transcription?.(id) ?? noModel();
      const heard = await ai.transcribe({ model, audio: request.audio.bytes, ...shared });
      const segments = heard.segments.map(({ text, startSecond, endSecond }) => ({ start: startSecond, end: endSecond, text }));
      return { type: "text", text: heard.text, segments, seconds: heard.durationInSeconds };
    }
    case "music":
      return noModel();
  }
}

/** The library's errors for an answer in good order that holds nothing. */
const isEmpty = (thrown: unknown): boolean => thrown instanceof Error && /^AI_No\w+GeneratedError$/.test(thrown.name);

/** @param chosen the only models to offer, in this order; empty: those that the service lists */
export function aiMedia(upstream: MediaUpstream, clock: Clock, chosen: readonly string[]): MediaProvider {
  const { name, blamed } = upstream;
  const entriesOf = (ids: readonly string[]): MediaEntry[] =>
    ids.flatMap((id) => {
      const kind = upstream.kindOf(id);
      return kind === undefined ? [] : [entryOf(upstream, id, kind)];
    });
  const named = entriesOf(chosen);
  return {
    name,
    standsIn: false,
    async catalogue(signal) {
      return named.length > 0 ? named : entriesOf((await upstream.list(signal)).toSorted(newestFirst));
    },
    async make(request, signal) {
      signal.throwIfAborted();
      const ai = await import("ai");
      // Its warnings about unsupported settings would go to the console.
      globalThis.AI_SDK_LOG_WARNINGS = false;
      const limit = silenceLimit(clock, limits[request.kind], signal);
      try {
        const id = request.modelKey.slice(name.length + 1);
        return await ask({ ai, models: await upstream.models(), id, signal: limit.signal }, request);
      } catch (thrown) {
        signal.throwIfAborted();
        if (limit.exceeded)
          throw new Fault("provider_silent", `${blamed.label} did not finish within ${limits[request.kind] / minute} minutes.`);
        if (isEmpty(thrown)) throw new Fault("provider_empty", `${blamed.label} made nothing of this. Ask in other words.`);
        throw providerFault(thrown, blamed);
      } finally {
        limit.end();
      }
    },
  };
}
