/** Records of media as they are read. */
import type { DurationLimits, MediaJob, MediaModel, VideoModel } from "../contract/media.ts";
import {
  decimal,
  flag,
  integer,
  isObject,
  list,
  nullable,
  optional,
  record,
  text,
  whatever,
  type Fields,
  type Read,
} from "./fields.ts";
import { base, readFile } from "./records.ts";

const modelFields: Fields<MediaModel> = {
  ID: integer(),
  name: text(),
  powered_by: text(),
  version: text(),
  description: text(),
  multiplier: decimal,
  default: flag,
  sort: integer(),
  // Only an explicit "no" blocks a model: a workspace that does not say so blocks none.
  selectable: (value) => value !== false,
  restriction_reason: optional(text()),
};
export const readMediaModel: Read<MediaModel> = record(modelFields);

const byName =
  <T>(read: Read<T>): Read<Record<string, T>> =>
  (value) =>
    Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([name, one]) => [name, read(one)]));

const interpolations: ReadonlyArray<VideoModel["interpolation_support"]> = ["none", "start_only", "full"];

export const readVideoModel: Read<VideoModel> = record<VideoModel>({
  ...modelFields,
  supported_aspect_ratios: list(text()),
  supported_resolutions: list(text()),
  resolution_duration_limits: byName(
    record<DurationLimits>({ min_duration_seconds: integer(), max_duration_seconds: integer() }),
  ),
  resolution_pricing: byName(record<{ credit_cost_per_second: string }>({ credit_cost_per_second: decimal })),
  interpolation_support: (value) => interpolations.find((known) => known === value) ?? "none",
  max_reference_images: integer(),
  reference_types: list(text()),
});

/** A job's model stands under a name of its kind's, or under a plain one: nothing documents it. */
const modelIn = (value: unknown): number | null => {
  const named = Object.entries(isObject(value) ? value : {}).find(([name]) => name === "model_id" || name.endsWith("_model_id"));
  return typeof named?.[1] === "number" ? named[1] : null;
};

const readRow = record<Omit<MediaJob, "model_id">>({
  ...base,
  slug: text(),
  // A job of which nothing is said has not ended.
  status: text("queued"),
  credit_cost: decimal,
  error: nullable(text()),
  output_file_data: optional(nullable(readFile)),
  text: optional(nullable(text())),
  segments: whatever,
  prompt: optional(text()),
});

export const readJob: Read<MediaJob> = (value) => {
  const model_id = modelIn(value);
  return { ...readRow(value), ...(model_id === null ? {} : { model_id }) };
};
