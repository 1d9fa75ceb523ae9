/** A media provider for tests: it makes at once, as its prompt says, and remembers what it was asked. */
import type { Made, MediaEntry, MediaProvider, MediaRequest } from "../../src/service/providers/media/port.ts";
import { broken, createGate } from "./gate.ts";

const shared = { powered_by: "Tests", version: "1", description: "For tests", residency: ["eu"], free: false } as const;

const testMediaModels: readonly MediaEntry[] = [
  { ...shared, key: "test:picture", kind: "image", name: "Picture", price: "4" },
  {
    ...shared,
    key: "test:film",
    kind: "video",
    name: "Film",
    price: "1",
    video: {
      supported_aspect_ratios: ["16:9", "9:16"],
      supported_resolutions: ["720p", "1080p", "4k"],
      durations: {
        "*": { min_duration_seconds: 2, max_duration_seconds: 10 },
        "1080p": { min_duration_seconds: 4, max_duration_seconds: 8 },
        "4k": { min_duration_seconds: 0, max_duration_seconds: 0 },
      },
      secondPrices: { "720p": "1.5", "1080p": "3" },
      interpolation_support: "full",
      max_reference_images: 2,
      reference_types: ["style"],
    },
  },
  {
    ...shared,
    key: "test:reel",
    kind: "video",
    name: "Reel",
    price: "2",
    residency: [],
    video: {
      supported_aspect_ratios: [],
      supported_resolutions: [],
      durations: {},
      secondPrices: {},
      interpolation_support: "none",
      max_reference_images: 0,
      reference_types: [],
    },
  },
  {
    ...shared,
    key: "test:opening",
    kind: "video",
    name: "Opening",
    price: "2",
    video: {
      supported_aspect_ratios: ["1:1"],
      supported_resolutions: ["480p"],
      durations: { "480p": { min_duration_seconds: 5, max_duration_seconds: 5 } },
      secondPrices: {},
      interpolation_support: "start_only",
      max_reference_images: 0,
      reference_types: [],
    },
  },
  { ...shared, key: "test:voice", kind: "speech", name: "Voice", price: "2" },
  { ...shared, key: "test:tune", kind: "music", name: "Tune", price: "0.25", free: true },
  { ...shared, key: "test:jingle", kind: "music", name: "Jingle", price: "1" },
  { ...shared, key: "test:ear", kind: "transcription", name: "Ear", price: "0.1" },
];

export interface TestMediaProvider extends MediaProvider {
  /** Everything it was asked, oldest first. */
  readonly requests: readonly MediaRequest[];
  /** Lets everything that is held go on; what is asked to hold later waits again. */
  release(): void;
}

const wordsOf = (request: MediaRequest): string => {
  if (request.kind === "speech") return request.text;
  return request.kind === "transcription" ? request.audio.name : request.prompt;
};

/**
 * What the words say decides: `fail` fails, `fail once` only the first time, `break` throws what nobody expects, `empty`
 * makes nothing, `hold` waits for `release`. All else is made: a file that holds the words, or a text of them.
 */
export function testMediaProvider(): TestMediaProvider {
  const requests: MediaRequest[] = [];
  let failedOnce = false;
  const gate = createGate();

  async function make(request: MediaRequest, signal: AbortSignal): Promise<Made> {
    requests.push(request);
    const words = wordsOf(request);
    if (words.startsWith("fail once") && !failedOnce) {
      failedOnce = true;
      broken();
    }
    if (words === "fail") broken();
    if (words === "break") throw new Error("a secret of the test provider");
    if (words.startsWith("hold")) await gate.wait(signal);
    if (request.kind === "transcription") {
      const text = `heard ${Buffer.from(request.audio.bytes).toString()}`;
      return { type: "text", text, segments: [{ start: 0, end: 1.5, text }], seconds: 1.5 };
    }
    const bytes = words === "empty" ? new Uint8Array() : new TextEncoder().encode(`made: ${words}`);
    return { type: "file", bytes, extension: request.kind === "image" ? "png" : "bin", seconds: 3 };
  }

  return {
    name: "test",
    standsIn: false,
    requests,
    catalogue: () => Promise.resolve(testMediaModels),
    make,
    release: () => gate.release(),
  };
}
