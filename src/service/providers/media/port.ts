/** The port between the embedded workspace and whatever makes pictures, films, speech, music and transcripts. */
import type { DurationLimits, JobKind, VideoModel } from "../../../contract/media.ts";
import type { DecimalString } from "../../../contract/records.ts";
import type { ResidencyTag } from "../port.ts";

/** What is made. Pictures are made while their asker waits, the others as jobs. */
export type MediaKind = "image" | JobKind;

/** What a film model can do; the fields are those of the interface's record. */
export type VideoTraits = Pick<
  VideoModel,
  "supported_aspect_ratios" | "supported_resolutions" | "interpolation_support" | "max_reference_images" | "reference_types"
> & {
  /** By resolution, with `*` for those that are not named. */
  readonly durations: Readonly<Record<string, DurationLimits>>;
  /** Credits for a second, by resolution. */
  readonly secondPrices: Readonly<Record<string, DecimalString>>;
};

/** A model as its provider describes it. */
export interface MediaEntry {
  /** Unique for ever across providers, such as `openai:gpt-image-1`. */
  readonly key: string;
  readonly kind: MediaKind;
  readonly name: string;
  readonly powered_by: string;
  readonly version: string;
  readonly description: string;
  /** Credits for a picture, a second of music or of what is transcribed, a thousand characters of speech; of films, `video.secondPrices` counts. */
  readonly price: DecimalString;
  readonly residency: readonly ResidencyTag[];
  /** True when making the same again costs nothing: then a job that a dead process left goes on. */
  readonly free: boolean;
  /** There for films, and only for them. */
  readonly video?: VideoTraits;
}

/** A stored file that goes in. */
export interface MediaSource {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Asked {
  /** `MediaEntry.key` of one of this provider's models. */
  readonly modelKey: string;
}

export interface ImageRequest extends Asked {
  readonly kind: "image";
  readonly prompt: string;
  /** The picture to change. */
  readonly source: MediaSource | undefined;
}
export interface VideoRequest extends Asked {
  readonly kind: "video";
  readonly prompt: string;
  /** Such as `16:9`. */
  readonly aspectRatio: string;
  /** One of the model's; undefined where it names none. */
  readonly resolution: string | undefined;
  /** Undefined where the model has no limit and the asker named none. */
  readonly seconds: number | undefined;
  readonly firstFrame: MediaSource | undefined;
  readonly lastFrame: MediaSource | undefined;
  readonly references: readonly MediaSource[];
}
export interface SpeechRequest extends Asked {
  readonly kind: "speech";
  readonly text: string;
  readonly voice: string | undefined;
}
export interface MusicRequest extends Asked {
  readonly kind: "music";
  readonly prompt: string;
  readonly seconds: number | undefined;
  readonly instrumental: boolean;
}
export interface TranscriptionRequest extends Asked {
  readonly kind: "transcription";
  readonly audio: MediaSource;
}
export type MediaRequest = ImageRequest | VideoRequest | SpeechRequest | MusicRequest | TranscriptionRequest;

/** A file that was made. */
export interface MadeFile {
  readonly type: "file";
  readonly bytes: Uint8Array;
  /** Of its name, without the dot. */
  readonly extension: string;
  /** How long it plays, where the provider knows. */
  readonly seconds?: number;
}
/** What was heard. Times are seconds. */
export interface MadeText {
  readonly type: "text";
  readonly text: string;
  readonly segments: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>;
  /** Of the recording; undefined where nobody knows. */
  readonly seconds: number | undefined;
}
export type Made = MadeFile | MadeText;

export interface MediaProvider {
  /** The part of a key before its first colon. */
  readonly name: string;
  /** True: its models are offered only for kinds that no other provider offers. */
  readonly standsIn: boolean;
  /** The models that can be asked now, the preferred ones first. Throws a Fault `provider_*` when the provider cannot say. */
  catalogue(signal: AbortSignal): Promise<readonly MediaEntry[]>;
  /**
   * Makes what is asked: a file, or for a transcription a text. Throws a Fault `provider_*` when it cannot; its message is
   * fit for the asker's eyes. Throws the signal's reason when `signal` is aborted.
   */
  make(request: MediaRequest, signal: AbortSignal): Promise<Made>;
}
