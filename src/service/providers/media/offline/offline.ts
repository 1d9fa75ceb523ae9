/** Media without any account, so that the whole way can be tried: honest and small, and each says what it is. */
import type { Clock } from "../../../../clock.ts";
import type { MadeFile, MediaEntry, MediaProvider } from "../port.ts";
import { programsOn, type Programs } from "./programs.ts";

const name = "offline";
const shared = { powered_by: "Parley", version: "1", residency: ["eu", "zero_retention"], price: "0", free: true } as const;

const entries: readonly MediaEntry[] = [
  {
    ...shared,
    key: `${name}:picture`,
    kind: "image",
    name: "Offline pictures",
    description: "Draws a landscape from the prompt's words, and writes them on it. An edit tints and frames the picture.",
  },
  {
    ...shared,
    key: `${name}:film`,
    kind: "video",
    name: "Offline films",
    description: "A slow way into the first picture, or into one drawn from the words. Needs ffmpeg.",
    video: {
      supported_aspect_ratios: ["16:9", "9:16", "1:1"],
      supported_resolutions: ["480p", "720p"],
      durations: { "*": { min_duration_seconds: 1, max_duration_seconds: 10 } },
      secondPrices: { "480p": "0", "720p": "0" },
      interpolation_support: "full",
      max_reference_images: 0,
      reference_types: [],
    },
  },
  {
    ...shared,
    key: `${name}:voice`,
    kind: "speech",
    name: "Offline voice",
    description: "The synthetic voice of espeak-ng, in any of its languages (en, en-us, de, fr …). Needs espeak-ng.",
  },
  {
    ...shared,
    key: `${name}:tune`,
    kind: "music",
    name: "Offline tunes",
    description: "Simple synthesised music whose key, pace and tune come from the words. Never sings.",
  },
  {
    ...shared,
    key: `${name}:ear`,
    kind: "transcription",
    name: "Offline read-back",
    description: "Writes down what the offline voice has spoken, and nothing else.",
  },
];

const picture = async (pixels: Parameters<typeof import("./png.ts").encodePng>[0]): Promise<MadeFile> => {
  const { encodePng } = await import("./png.ts");
  return { type: "file", bytes: await encodePng(pixels), extension: "png" };
};

/** @param path folders to look for ffmpeg and espeak-ng in, as the environment's `PATH` has them */
export function offlineMedia(clock: Clock, path: string): MediaProvider {
  const programs: Programs = programsOn(clock, path);
  return {
    name,
    standsIn: true,
    catalogue: () => Promise.resolve(entries),
    // The makers are imported when they are first asked.
    async make(request, signal) {
      signal.throwIfAborted();
      switch (request.kind) {
        case "image": {
          if (request.source === undefined) return picture((await import("./picture.ts")).drawPicture(request.prompt));
          return picture(await (await import("./edit.ts")).editPicture(programs, request.source, request.prompt, signal));
        }
        case "video":
          return (await import("./film.ts")).makeFilm(programs, request, signal);
        case "speech":
          return (await import("./speech.ts")).speak(programs, request, signal);
        case "music":
          return (await import("./music.ts")).playMusic(request, signal);
        case "transcription":
          return (await import("./speech.ts")).readBack(request);
      }
    },
  };
}
