/** Media through the real SDKs, against a server that answers as the services do, and as they do when something is wrong. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../../src/clock.ts";
import { aiMedia } from "../../../../src/service/providers/media/ai.ts";
import { configuredMedia } from "../../../../src/service/providers/media/configured.ts";
import type { MediaProvider, VideoRequest } from "../../../../src/service/providers/media/port.ts";
import { googleMedia, openaiMedia } from "../../../../src/service/providers/media/upstreams.ts";
import { fakeClock } from "../../../fakes/clock.ts";
import { never } from "../requests.ts";

const apiKey = "mock-key-that-nobody-may-see";

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly body: unknown;
}

let server: Server;
let url: string;
let asked: Asked[];
/** What is answered, by method and path; null never answers. */
let replies: Record<string, Reply | null>;
beforeEach(async () => {
  asked = [];
  replies = {};
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = (request.url ?? "").replace(/\?.*/, "");
      const method = request.method ?? "";
      asked.push({ method, path, headers: request.headers, body: Buffer.concat(chunks).toString("latin1") });
      const reply = replies[`${method} ${path}`];
      if (reply === null) return;
      response.writeHead(reply?.status ?? (reply === undefined ? 404 : 200), {
        "content-type": reply?.type ?? "application/json",
      });
      response.end(Buffer.isBuffer(reply?.body) ? reply.body : JSON.stringify(reply?.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const openai = (clock = systemClock, chosen: readonly string[] = []): MediaProvider =>
  aiMedia(openaiMedia({ apiKey, baseUrl: url }, clock), clock, chosen);
const google = (): MediaProvider => aiMedia(googleMedia({ apiKey, baseUrl: url }, systemClock), systemClock, []);
const pngText = "\x89PNG\r\n\x1a\n of a ship";
const png = Buffer.from(pngText, "latin1");

const image = (source?: Uint8Array, provider = openai(), signal = never) =>
  provider.make(
    {
      kind: "image",
      modelKey: "openai:gpt-image-1",
      prompt: "a ship",
      source: source && { name: "a.png", bytes: source },
    },
    signal,
  );

describe("the catalogue", () => {
  test("of OpenAI's list: only what makes media, each with its kind, newest first", async () => {
    const ids = [
      "gpt-5",
      "whisper-1",
      "gpt-image-1",
      "gpt-image-2",
      "tts-1",
      "gpt-4o-mini-tts",
      "gpt-realtime",
      "gpt-4o-transcribe-diarize",
    ];
    replies["GET /models"] = { body: { data: ids.map((id) => ({ id })) } };
    const entries = await openai().catalogue(never);
    expect(Object.groupBy(entries, ({ kind }) => kind)).toMatchObject({
      image: [{ key: "openai:gpt-image-2" }, { key: "openai:gpt-image-1" }],
      speech: [{ key: "openai:gpt-4o-mini-tts" }, { key: "openai:tts-1" }],
      transcription: [{ key: "openai:whisper-1" }],
    });
    expect(entries).toHaveLength(5);
    for (const entry of entries) expect(entry).toMatchObject({ free: false, powered_by: "OpenAI" });
  });

  test("of Google's list: films with what they can be", async () => {
    const names = [
      "models/gemini-2.5-pro",
      "models/veo-3.1-generate-preview",
      "models/gemini-2.5-flash-image",
      "models/gemini-2.5-flash-preview-tts",
    ];
    replies["GET /models"] = { body: { models: names.map((name) => ({ name })) } };
    const entries = await google().catalogue(never);
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual(["image", "speech", "video"]);
    expect(entries.find(({ kind }) => kind === "video")?.video).toMatchObject({
      supported_aspect_ratios: ["16:9", "9:16"],
      supported_resolutions: ["720p", "1080p"],
      interpolation_support: "full",
    });
  });

  test("is what an operator has named, where that has any media", async () => {
    replies["GET /models"] = { body: { data: [{ id: "gpt-image-1" }] } };
    const named = async (chosen: readonly string[]) => (await openai(systemClock, chosen).catalogue(never)).map(({ key }) => key);
    expect(await named(["gpt-5", "dall-e-3"])).toEqual(["openai:dall-e-3"]);
    expect(await named(["gpt-5"])).toEqual(["openai:gpt-image-1"]);
  });

  test("of a configuration: each key's service, then the offline one in their stead", () => {
    const config = { openaiApiKey: null, openaiBaseUrl: null, openaiModels: [], anthropicApiKey: null, googleApiKey: null };
    const names = (more: object) =>
      configuredMedia({ ...config, ...more }, systemClock, "").map(({ name, standsIn }) => [name, standsIn]);
    expect(names({})).toEqual([["offline", true]]);
    expect(names({ anthropicApiKey: "a" })).toEqual([["offline", true]]);
    expect(names({ openaiApiKey: "a", googleApiKey: "b" })).toEqual([
      ["openai", false],
      ["google", false],
      ["offline", true],
    ]);
    expect(names({ openaiBaseUrl: `${url}/` })[0]).toEqual(["openai-compatible", false]);
  });
});

describe("what is made", () => {
  test("a picture, and a change of one", async () => {
    const body = { created: 1, data: [{ b64_json: png.toString("base64") }] };
    replies["POST /images/generations"] = { body };
    replies["POST /images/edits"] = { body };
    expect(await image()).toMatchObject({ type: "file", extension: "png", bytes: new Uint8Array(png) });
    expect(JSON.parse(asked[0]!.body)).toMatchObject({ model: "gpt-image-1", prompt: "a ship", n: 1 });
    expect(await image(png)).toMatchObject({ extension: "png" });
    expect(asked[1]).toMatchObject({ path: "/images/edits" });
    expect(asked[1]!.body).toContain(pngText);
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${apiKey}`, `Bearer ${apiKey}`]);
  });

  test("speech, in a voice", async () => {
    replies["POST /audio/speech"] = { type: "audio/mpeg", body: Buffer.from("ID3 spoken") };
    const request = { kind: "speech", modelKey: "openai:tts-1", text: "Ahoy", voice: "nova" } as const;
    expect(await openai().make(request, never)).toMatchObject({
      type: "file",
      extension: "mp3",
      bytes: new Uint8Array(Buffer.from("ID3 spoken")),
    });
    expect(JSON.parse(asked[0]!.body)).toMatchObject({ model: "tts-1", input: "Ahoy", voice: "nova" });
  });

  test("a transcript with its times", async () => {
    const figures = { tokens: [1], temperature: 0, avg_logprob: -0.1, compression_ratio: 1, no_speech_prob: 0 };
    const segment = { id: 0, seek: 0, start: 0, end: 2.5, text: "Ahoy there", ...figures };
    replies["POST /audio/transcriptions"] = {
      body: {
        text: "Ahoy there",
        language: "english",
        duration: 2.5,
        segments: [segment],
      },
    };
    const audio = { name: "a.wav", bytes: Buffer.from("RIFF0000WAVE sound") };
    const made = await openai().make({ kind: "transcription", modelKey: "openai:whisper-1", audio }, never);
    expect(made).toMatchObject({ type: "text", text: "Ahoy there", seconds: 2.5, segments: [{ start: 0, end: 2.5 }] });
    expect(asked[0]!.body).toContain("RIFF0000WAVE sound");
  });

  test("a film is asked for with its frame, its size and its seconds; a refusal later on is told", async () => {
    replies["POST /models/veo-3.1-generate-preview:predictLongRunning"] = { body: { name: "operations/1" } };
    replies["GET /operations/1"] = { body: { done: true, error: { code: 3, message: "not such a film" } } };
    const request: VideoRequest = {
      kind: "video",
      modelKey: "google:veo-3.1-generate-preview",
      prompt: "a ship",
      aspectRatio: "9:16",
      resolution: "720p",
      seconds: 6,
      firstFrame: { name: "a.png", bytes: png },
      lastFrame: undefined,
      references: [],
    };
    await expect(google().make(request, never)).rejects.toMatchObject({ code: expect.stringMatching(/^provider_/) as unknown });
    const body = JSON.parse(asked[0]!.body) as { instances: unknown[]; parameters: unknown };
    expect(body.parameters).toMatchObject({ aspectRatio: "9:16", resolution: "720p", durationSeconds: 6 });
    expect(JSON.stringify(body.instances)).toContain(png.toString("base64"));
    expect(asked[0]!.headers["x-goog-api-key"]).toBe(apiKey);
  });
});

describe("what goes wrong", () => {
  test.for([
    [401, { error: { message: `incorrect key: ${apiKey}` } }, "provider_key"],
    [429, { error: { message: "too many" } }, "provider_busy"],
    [400, { error: { message: "not such a picture" } }, "provider_rejected"],
    [500, { error: { message: "overloaded" } }, "provider_unavailable"],
    [200, { created: 1, data: [] }, "provider_empty"],
  ] as const)("%i is told as what it is, asked once, without the key", async ([status, body, code]) => {
    replies["POST /images/generations"] = { status, body };
    const [made] = await Promise.allSettled([image()]);
    expect(made).toMatchObject({ status: "rejected", reason: { code } });
    const { message, cause } = (made as PromiseRejectedResult).reason as Error;
    expect(`${message} ${String(cause)}`).not.toContain(apiKey);
    expect(asked).toHaveLength(1);
  });

  test("a service that says nothing is given up; one who no longer wants it hears the own reason", async () => {
    replies["POST /images/generations"] = null;
    const clock = fakeClock();
    const untilAsked = async (count: number): Promise<void> => {
      while (asked.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const [late] = await Promise.allSettled([image(undefined, openai(clock)), untilAsked(1).then(() => clock.advance(300_000))]);
    expect(late).toMatchObject({ status: "rejected", reason: { code: "provider_silent" } });
    const controller = new AbortController();
    const reason = new Error("no longer wanted");
    const [unwanted] = await Promise.allSettled([
      image(undefined, openai(clock), controller.signal),
      untilAsked(2).then(() => controller.abort(reason)),
    ]);
    expect(unwanted).toEqual({ status: "rejected", reason });
    expect(clock.pending).toBe(0);
  });

  test("music is nobody's here", async () => {
    const request = { kind: "music", modelKey: "openai:x", prompt: "x", seconds: 1, instrumental: true } as const;
    await expect(openai().make(request, never)).rejects.toMatchObject({ code: "provider_rejected" });
  });
});
