/** What a video may be, from its model's own data: said before anything is spent. */
import type { DurationLimits, VideoBody, VideoModel } from "../../contract/media.ts";
import { formatMoney, money } from "../../contract/money.ts";

/** What somebody wants; what they left open is undefined. Pictures are workspace files, or still to be uploaded: only their number counts here. */
export interface VideoWish {
  readonly aspectRatio: string | undefined;
  readonly resolution: string | undefined;
  readonly seconds: number | undefined;
  readonly start: boolean;
  readonly last: boolean;
  readonly references: number;
}

export interface VideoPlan {
  readonly aspect_ratio: string | undefined;
  readonly resolution: string | undefined;
  /** Always sent: left out it would mean the longest, and dearest. */
  readonly duration_seconds: number;
  /** Credits, where the model tells its price for this resolution; null where it does not. */
  readonly price: string | null;
}

/** Where nothing is asked for and the model allows it. */
const usualSeconds = 5;
/** The interface's own default. */
const usualRatio = "16:9";

const limitsOf = ({ resolution_duration_limits: limits }: VideoModel, resolution: string | undefined): DurationLimits =>
  (resolution === undefined ? undefined : limits[resolution]) ??
  limits["*"] ?? { min_duration_seconds: 0, max_duration_seconds: 0 };

const span = ({ min_duration_seconds: min, max_duration_seconds: max }: DurationLimits): string =>
  max === 0 ? `at least ${Math.max(1, min)} seconds` : min === max ? `${max} seconds` : `${Math.max(1, min)} to ${max} seconds`;

/** The body's options, or what is wrong with the wish: what was expected, in the asker's words. */
export function planVideo(model: VideoModel, wish: VideoWish): VideoPlan | { readonly problem: string } {
  const { name, supported_aspect_ratios: ratios, supported_resolutions: resolutions, interpolation_support: frames } = model;
  const problem = (text: string) => ({ problem: text });

  if (wish.aspectRatio !== undefined && ratios.length > 0 && !ratios.includes(wish.aspectRatio))
    return problem(`${name} makes films of ${ratios.join(", ")}, not ${wish.aspectRatio}.`);
  const ratio = wish.aspectRatio ?? (ratios.length === 0 || ratios.includes(usualRatio) ? usualRatio : ratios[0]);

  if (wish.resolution !== undefined && resolutions.length > 0 && !resolutions.includes(wish.resolution))
    return problem(`${name} makes films in ${resolutions.join(", ")}, not ${wish.resolution}.`);
  const resolution = wish.resolution ?? resolutions[0];

  if (wish.references > 0 && (wish.start || wish.last))
    return problem("Reference pictures and first or last frames exclude each other: give one or the other.");
  if (wish.references > model.max_reference_images)
    return problem(
      model.max_reference_images === 0
        ? `${name} takes no reference pictures.`
        : `${name} takes at most ${model.max_reference_images} reference pictures, and here are ${wish.references}.`,
    );
  if (wish.last && !wish.start) return problem("A last frame needs a first frame too.");
  if (wish.start && frames === "none") return problem(`${name} cannot begin from a picture.`);
  if (wish.last && frames !== "full") return problem(`${name} takes a first frame, and no last one.`);

  const limits = limitsOf(model, resolution);
  const { min_duration_seconds: min, max_duration_seconds: max } = limits;
  const seconds = wish.seconds ?? Math.max(1, min, max === 0 ? usualSeconds : Math.min(usualSeconds, max));
  if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds < min || (max !== 0 && seconds > max))
    return problem(
      `${name} makes films of ${span(limits)}${resolution === undefined ? "" : ` in ${resolution}`}, not of ${seconds} seconds.`,
    );

  const perSecond = resolution === undefined ? undefined : model.resolution_pricing[resolution]?.credit_cost_per_second;
  return {
    aspect_ratio: ratio,
    resolution,
    duration_seconds: seconds,
    price: perSecond === undefined ? null : formatMoney(money(perSecond).times(seconds)),
  };
}

/** The body of the create call, without the pictures. */
export const videoBodyOf = (model: VideoModel, prompt: string, plan: VideoPlan): VideoBody => ({
  video_generation_model_id: model.ID,
  prompt,
  aspect_ratio: plan.aspect_ratio,
  resolution: plan.resolution,
  duration_seconds: plan.duration_seconds,
});
