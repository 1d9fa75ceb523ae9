/** The options of a film, held against what its model can do. */
import type { videoBody } from "../../contract/media.ts";
import type { z } from "zod";
import type { ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { VideoTraits } from "../providers/media/port.ts";
import { imageFile } from "./sources.ts";

/** The interface's own default. */
const usualRatio = "16:9";

export interface VideoOptions {
  readonly prompt: string;
  readonly aspectRatio: string;
  /** Null where the model names none. */
  readonly resolution: string | null;
  /** Null where neither the asker nor the model says. */
  readonly seconds: number | null;
  readonly firstFrame: number | null;
  readonly lastFrame: number | null;
  readonly references: readonly number[];
}

type Body = z.output<typeof videoBody>;

const refuse = (field: string, expected: string, got: string | number): never => {
  throw new HttpError(400, `${field}: expected ${expected}, got ${got}`);
};

function ratioOf({ supported_aspect_ratios: ratios }: VideoTraits, asked: string | undefined): string {
  // A model without the interface's default has its own first one.
  const ratio = asked ?? (ratios.length === 0 || ratios.includes(usualRatio) ? usualRatio : (ratios[0] ?? usualRatio));
  if (ratios.length > 0 && !ratios.includes(ratio)) refuse("aspect_ratio", `one of ${ratios.join(", ")}`, ratio);
  if (!/^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(ratio)) refuse("aspect_ratio", "a ratio such as 16:9", ratio);
  return ratio;
}

function resolutionOf({ supported_resolutions: resolutions }: VideoTraits, asked: string | undefined): string | null {
  const resolution = asked ?? resolutions[0] ?? null;
  if (resolution !== null && resolutions.length > 0 && !resolutions.includes(resolution))
    refuse("resolution", `one of ${resolutions.join(", ")}`, resolution);
  return resolution;
}

function secondsOf({ durations }: VideoTraits, resolution: string | null, asked: number | undefined): number | null {
  const limits = (resolution === null ? undefined : durations[resolution]) ?? durations["*"];
  const { min_duration_seconds: min = 0, max_duration_seconds: max = 0 } = limits ?? {};
  const seconds = asked ?? (max === 0 ? null : max);
  if (seconds !== null && (seconds < Math.max(1, min) || (max !== 0 && seconds > max)))
    refuse("duration_seconds", max === 0 ? `at least ${Math.max(1, min)}` : `${Math.max(1, min)} to ${max}`, seconds);
  return seconds;
}

function checkPictures(traits: VideoTraits, body: Body): void {
  const { starting_image_file_id: start, last_frame_file_id: last, reference_image_ids: references = [] } = body;
  const { interpolation_support: frames, max_reference_images: most } = traits;
  if (references.length > 0 && (start !== undefined || last !== undefined))
    throw new HttpError(400, "reference_image_ids: expected none beside a starting image or a last frame");
  if (references.length > most) refuse("reference_image_ids", `at most ${most}`, references.length);
  if (start !== undefined && frames === "none")
    throw new HttpError(400, "starting_image_file_id: expected none, as this model begins from no picture");
  if (last !== undefined && start === undefined)
    throw new HttpError(400, "last_frame_file_id: expected a starting image beside it");
  if (last !== undefined && frames !== "full")
    throw new HttpError(400, "last_frame_file_id: expected none, as this model takes no last frame");
}

/** The options that `body` asks for. Throws HttpError 400 for what the model cannot do, 404 for a picture that is not the caller's. */
export async function videoOptions(
  ctx: Pick<ServiceContext, "db" | "dataDir">,
  userId: number,
  traits: VideoTraits,
  prompt: string,
  body: Body,
): Promise<VideoOptions> {
  const resolution = resolutionOf(traits, body.resolution);
  const options = {
    prompt,
    aspectRatio: ratioOf(traits, body.aspect_ratio),
    resolution,
    seconds: secondsOf(traits, resolution, body.duration_seconds),
    firstFrame: body.starting_image_file_id ?? null,
    lastFrame: body.last_frame_file_id ?? null,
    references: body.reference_image_ids ?? [],
  };
  checkPictures(traits, body);
  for (const id of [options.firstFrame, options.lastFrame, ...options.references])
    if (id !== null) await imageFile(ctx, userId, id);
  return options;
}
