/** Media of the workspace as it travels: catalogue entries, jobs, and the bodies that begin them. */
import { z } from "zod";
import type { mediaKinds } from "./permissions.ts";
import type { Base, DecimalString, WorkspaceFile } from "./records.ts";

/** The kinds of jobs. Only `video` and `music` have documented REST paths and bodies; the others are begun by tools. */
export const jobKinds = ["video", "speech", "music", "transcription"] as const;
export type JobKind = (typeof jobKinds)[number];
/** The kinds with documented REST paths: `/video_generation`, `/music_generation`. */
export type RestJobKind = "video" | "music";

/** A kind's name in paths and permissions. */
export const jobPaths = {
  video: "video_generation",
  speech: "tts_generation",
  music: "music_generation",
  transcription: "transcription",
} as const satisfies Record<JobKind, (typeof mediaKinds)[number]>;

/** A kind as its error texts name it. */
export const jobNames: Readonly<Record<JobKind, string>> = {
  video: "video generation",
  speech: "speech generation",
  music: "music generation",
  transcription: "transcription",
};

/** An entry of a media catalogue. */
export interface MediaModel {
  ID: number;
  name: string;
  powered_by: string;
  version: string;
  description: string;
  multiplier: DecimalString;
  /** Marks what the application preselects; the interface never falls back to it. It may not be selectable. */
  default: boolean;
  sort: number;
  selectable: boolean;
  restriction_reason?: string;
}

/** Seconds; 0 is unbounded. */
export interface DurationLimits {
  min_duration_seconds: number;
  max_duration_seconds: number;
}

export interface VideoModel extends MediaModel {
  /** Empty: any. */
  supported_aspect_ratios: string[];
  /** The first is the default. */
  supported_resolutions: string[];
  /** By resolution, with `*` for those that are not named. */
  resolution_duration_limits: Record<string, DurationLimits>;
  resolution_pricing: Record<string, { credit_cost_per_second: DecimalString }>;
  interpolation_support: "none" | "start_only" | "full";
  max_reference_images: number;
  reference_types: string[];
}

/** The catalogue entries of each kind. */
export interface JobModels {
  video: VideoModel;
  speech: MediaModel;
  music: MediaModel;
  transcription: MediaModel;
}

/** A job. Its states between `queued` and its end are documented for video alone: an unknown one is one of those. */
export interface MediaJob extends Base {
  slug: string;
  status: string;
  /** Always `0` in lists: that is not free, but not said. */
  credit_cost: DecimalString;
  /** What went wrong, once `status` is `error`. */
  error: string | null;
  /** Video, speech, music: its `path` holds the result. */
  output_file_data?: WorkspaceFile | null;
  /** Transcriptions alone. */
  text?: string | null;
  segments?: unknown;
  /** Undocumented, as is the next: what was asked for, where the workspace says so. */
  prompt?: string | null;
  /** The ID of its model. */
  model_id?: number | null;
}

const id = z.int().nonnegative();
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

export const imageBody = z.object({ prompt: optional(z.string()) });
export const imageEditBody = z.object({ prompt: optional(z.string()), file_id: optional(id) });

/** Without `duration_seconds` a video is as long as its model allows: the dearest. */
export const videoBody = z.object({
  video_generation_model_id: optional(id),
  prompt: optional(z.string()),
  aspect_ratio: optional(z.string()),
  resolution: optional(z.string()),
  duration_seconds: optional(z.int()),
  starting_image_file_id: optional(id),
  last_frame_file_id: optional(id),
  reference_image_ids: optional(z.array(id)),
});

export const musicBody = z.object({
  music_generation_model_id: optional(id),
  prompt: optional(z.string()),
  duration_seconds: optional(z.int()),
  instrumental: optional(z.boolean()),
});

/** Undocumented: the model's field is named after those of the other kinds. */
export const speechBody = z.object({
  tts_generation_model_id: optional(id),
  text: optional(z.string()),
  voice: optional(z.string()),
});

/** Undocumented, as that of speech. */
export const transcriptionBody = z.object({ transcription_model_id: optional(id), file_id: optional(id) });

export type VideoBody = z.input<typeof videoBody>;
export type MusicBody = z.input<typeof musicBody>;
export type SpeechBody = z.input<typeof speechBody>;
export type TranscriptionBody = z.input<typeof transcriptionBody>;

/** What begins a job of each kind. */
export interface JobBodies {
  video: VideoBody;
  speech: SpeechBody;
  music: MusicBody;
  transcription: TranscriptionBody;
}
