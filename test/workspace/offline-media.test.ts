/** A workspace without any account makes media, and says what is missing; another provider's models take the offline ones' place. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { offlineMedia } from "../../src/service/providers/media/offline/offline.ts";
import { endedJob } from "./media-jobs.ts";
import { testMediaProvider } from "./media-provider.ts";
import { startWorkspace, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await startWorkspace({ mediaProviders: [offlineMedia(systemClock, "/nowhere")] });
});
afterAll(() => workspace.close());

test("a picture and an edit of it", async () => {
  const drawn = await workspace.owner.images.generate("a lighthouse");
  const edited = await workspace.owner.images.edit("at night", drawn.ID);
  const sizes: number[] = [];
  for (const { path } of [drawn, edited]) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await workspace.owner.files.download(path)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    expect(bytes.toString("latin1", 1, 4)).toBe("PNG");
    sizes.push(bytes.readUInt32BE(16));
  }
  expect(sizes[0]).toBe(768);
  expect(sizes[1]).toBeGreaterThan(768);
});

test("music as a job, at no cost", async () => {
  const [model] = await workspace.owner.jobs.models("music");
  const body = { music_generation_model_id: model!.ID, prompt: "calm", duration_seconds: 2 };
  const { ID } = await workspace.owner.jobs.create("music", body);
  expect(await endedJob(workspace.owner, "music", ID)).toMatchObject({
    status: "done",
    credit_cost: "0",
    output_file_data: { name: "calm.wav" },
  });
});

test("speech and films without their programs end in an error that says what to install", async () => {
  const [voice] = await workspace.owner.jobs.models("speech");
  const speech = await workspace.owner.jobs.create("speech", { tts_generation_model_id: voice!.ID, text: "ahoy" });
  expect((await endedJob(workspace.owner, "speech", speech.ID)).error).toContain("espeak-ng, which is not installed");
  const [model] = await workspace.owner.jobs.models("video");
  const film = await workspace.owner.jobs.create("video", { video_generation_model_id: model!.ID, prompt: "a ship" });
  expect((await endedJob(workspace.owner, "video", film.ID)).error).toContain("ffmpeg, which is not installed");
});

test("who stands in is not offered for what somebody else makes", async () => {
  const pictures = testMediaProvider();
  const other = await startWorkspace({
    mediaProviders: [
      { ...pictures, catalogue: async (signal) => (await pictures.catalogue(signal)).filter(({ kind }) => kind === "music") },
      offlineMedia(systemClock, "/nowhere"),
    ],
  });
  const names = async (kind: "music" | "video") => (await other.owner.jobs.models(kind)).map(({ name }) => name);
  expect(await names("music")).toEqual(["Tune", "Jingle"]);
  expect(await names("video")).toEqual(["Offline films"]);
  await other.close();
});
