/** Catalogue entries of media models, of which services list the name and little more. */
import type { DecimalString } from "../../../contract/records.ts";
import type { MediaEntry, MediaKind, VideoTraits } from "./port.ts";
import type { MediaUpstream } from "./upstreams.ts";

/**
 * Credits, by the same scale as those of language models, where an answer of a balanced model is less than one: a
 * picture, a second of film, a thousand characters of speech, a second of music or of a recording.
 */
const prices: Readonly<Record<MediaKind, DecimalString>> = {
  image: "20",
  video: "100",
  speech: "5",
  music: "1",
  transcription: "0.05",
};

const descriptions: Readonly<Record<MediaKind, string>> = {
  image: "Makes and changes pictures",
  video: "Makes films",
  speech: "Speaks a text",
  music: "Makes music",
  transcription: "Writes down recordings",
};

/** What Google's documentation says of Veo: 4 to 8 seconds (version 2: 5 to 8, and 720p alone), wide or tall, from a first frame. */
function veoTraits(id: string): VideoTraits {
  const second = id.startsWith("veo-2");
  const resolutions = second ? ["720p"] : ["720p", "1080p"];
  return {
    supported_aspect_ratios: ["16:9", "9:16"],
    supported_resolutions: resolutions,
    durations: {
      "*": { min_duration_seconds: second ? 5 : 4, max_duration_seconds: 8 },
      // The larger size is made at full length only.
      ...(second ? {} : { "1080p": { min_duration_seconds: 8, max_duration_seconds: 8 } }),
    },
    secondPrices: Object.fromEntries(resolutions.map((resolution) => [resolution, /fast|lite/.test(id) ? "40" : prices.video])),
    interpolation_support: id.startsWith("veo-3.0") ? "start_only" : "full",
    max_reference_images: 0,
    reference_types: [],
  };
}

const versionOf = (id: string): string => /\d+(?:\.\d+)?/.exec(id)?.[0] ?? "";

export const entryOf = ({ name, maker }: MediaUpstream, id: string, kind: MediaKind): MediaEntry => ({
  key: `${name}:${id}`,
  kind,
  name: id,
  powered_by: maker,
  version: versionOf(id),
  description: descriptions[kind],
  price: prices[kind],
  residency: [],
  free: false,
  ...(kind === "video" && { video: veoTraits(id) }),
});
