/** Media jobs through the real client and the real server: their way, their cost, and every no. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mediaErrors } from "../../src/contract/errors.ts";
import { jobKinds, jobPaths, type JobBodies, type JobKind, type MediaJob, type VideoBody } from "../../src/contract/media.ts";
import { readQuota, setQuota, writeRules } from "../../src/service/admin.ts";
import { endedJob, jobWith, pngSignature } from "./media-jobs.ts";
import { noRules } from "./rules.ts";
import { bytesOf, faultOf, startWorkspace, textOf, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
const ids: Record<string, number> = {};
beforeAll(async () => {
  workspace = await startWorkspace();
  for (const key of ["film", "reel", "opening", "voice", "tune", "jingle", "ear"])
    ids[key] = await workspace.mediaModelId(`test:${key}`);
});
afterAll(() => workspace.close());
beforeEach(async () => {
  await writeRules(workspace.service.ctx.db, noRules);
  await setQuota(workspace.service.ctx, "owner", { limit: null, reason: null, used: "0" });
});

const used = async (): Promise<string> => (await readQuota(workspace.service.ctx, "owner")).used;
const film = (body: VideoBody = {}) =>
  workspace.owner.jobs.create("video", { video_generation_model_id: ids["film"], prompt: "a ship", ...body });
const tune = (prompt: string, client = workspace.owner) =>
  client.jobs.create("music", { music_generation_model_id: ids["tune"], prompt, duration_seconds: 20 });
const picture = async (client = workspace.owner): Promise<number> =>
  (await client.files.upload("frame.png", "image/png", bytesOf(pngSignature))).ID;

const bodies: { readonly [K in JobKind]: (words: string) => Promise<JobBodies[K]> } = {
  video: (prompt) => Promise.resolve({ video_generation_model_id: ids["film"], prompt }),
  speech: (text) => Promise.resolve({ tts_generation_model_id: ids["voice"], text }),
  music: (prompt) => Promise.resolve({ music_generation_model_id: ids["tune"], prompt, duration_seconds: 20 }),
  transcription: async (name) => ({
    transcription_model_id: ids["ear"],
    file_id: await uploadText(workspace.owner, name, "the words"),
  }),
};
const begin = async <K extends JobKind>(kind: K, words: string) => workspace.owner.jobs.create(kind, await bodies[kind](words));

const resultOf = async ({ output_file_data: file, text, segments }: MediaJob): Promise<object> =>
  file
    ? { name: file.name, fileType: file.fileType, content: await textOf(await workspace.owner.files.download(file.path)) }
    : { text, segments };

describe.each(jobKinds)("%s", (kind) => {
  test("begins as queued, ends as done with its result and its cost, which lists do not show", async () => {
    const begun = await begin(kind, "sea words");
    expect(begun).toMatchObject({ status: "queued", credit_cost: "0", error: null });
    expect(begun.slug).toMatch(/^[a-z0-9]{8}$/);
    const job = await endedJob(workspace.owner, kind, begun.ID);
    const cost = { video: "15", speech: "0.018", music: "5", transcription: "0.2" }[kind];
    expect(job).toMatchObject({ ID: begun.ID, status: "done", error: null, credit_cost: cost });
    expect(await used()).toBe(cost);
    expect(await resultOf(job)).toEqual(
      kind === "transcription"
        ? { text: "heard the words", segments: [{ start: 0, end: 1.5, text: "heard the words" }] }
        : { name: "sea-words.bin", fileType: "code_interpreter_output", content: "made: sea words" },
    );
    const { items, total } = await workspace.owner.jobs.list(kind, { size: 1 });
    expect(items[0]).toMatchObject({ ID: begun.ID, status: "done", credit_cost: "0", model_id: expect.any(Number) as number });
    expect(items[0]?.prompt).toBe(kind === "transcription" ? undefined : "sea words");
    expect(total).toBeGreaterThan(0);
    expect(await workspace.owner.jobs.read(kind, begun.slug)).toMatchObject({ ID: begun.ID, credit_cost: cost });
  });

  test("fails with the provider's words, costs nothing, is retried, and only then", async () => {
    const { ID, slug } = await begin(kind, "fail");
    expect(await endedJob(workspace.owner, kind, ID)).toMatchObject({
      status: "error",
      error: "The test provider broke off.",
      credit_cost: "0",
    });
    expect(await used()).toBe("0");
    const asked = workspace.media.requests.length;
    await workspace.owner.jobs.retry(kind, slug);
    expect(await endedJob(workspace.owner, kind, ID)).toMatchObject({ status: "error" });
    expect(workspace.media.requests.length).toBe(asked + 1);

    const done = await endedJob(workspace.owner, kind, (await begin(kind, "fine")).ID);
    expect(await faultOf(workspace.owner.jobs.retry(kind, done.ID))).toMatchObject({
      status: 400,
      message: mediaErrors.jobNotRetried(kind),
    });
  });

  test("a model that is left out or unknown is a generic 500, and no job", async () => {
    const before = (await workspace.owner.jobs.list(kind)).total;
    for (const id of [undefined, 99_999]) {
      const field = Object.keys(await bodies[kind]("x")).find((name) => name.endsWith("_model_id"))!;
      const body = { ...(await bodies[kind]("x")), [field]: id };
      const answer = await workspace.ask("POST", `/${jobPaths[kind]}`, { body: JSON.stringify(body) });
      expect(answer).toMatchObject({ status: 500, body: { error: mediaErrors.jobNotCreated(kind) } });
    }
    expect((await workspace.owner.jobs.list(kind)).total).toBe(before);
  });

  test("a restricted model is 403, also on retry; a used-up quota is 429 with its reason; neither makes a job", async () => {
    const failed = await endedJob(workspace.owner, kind, (await begin(kind, "fail")).ID);
    const before = (await workspace.owner.jobs.list(kind)).total;
    await writeRules(workspace.service.ctx.db, { allowedModels: [] });
    const restricted = { status: 403, message: mediaErrors.restricted };
    expect(await faultOf(begin(kind, "x"))).toMatchObject(restricted);
    expect(await faultOf(workspace.owner.jobs.retry(kind, failed.ID))).toMatchObject(restricted);
    await writeRules(workspace.service.ctx.db, noRules);
    await setQuota(workspace.service.ctx, "owner", { reason: "subscription" });
    const quota = { kind: "quota", status: 429, reason: "subscription" };
    expect(await faultOf(begin(kind, "x"))).toMatchObject(quota);
    expect(await faultOf(workspace.owner.jobs.retry(kind, failed.ID))).toMatchObject(quota);
    expect((await workspace.owner.jobs.list(kind)).total).toBe(before);
    expect((await workspace.owner.jobs.read(kind, failed.ID)).status).toBe("error");
  });

  test("data residency: the model is not selectable, the job is accepted and then fails with the policy's text", async () => {
    await writeRules(workspace.service.ctx.db, { zeroRetention: true });
    const [model] = await workspace.owner.jobs.models(kind);
    expect(model).toMatchObject({ selectable: false });
    const { ID } = await begin(kind, "x");
    expect(await endedJob(workspace.owner, kind, ID)).toMatchObject({ status: "error", error: model!.restriction_reason });
  });

  test("is deleted by its numeric ID, with 204 even for none; what it made stays", async () => {
    const job = await endedJob(workspace.owner, kind, (await begin(kind, "to go")).ID);
    await workspace.owner.jobs.remove(kind, job.ID);
    await workspace.owner.jobs.remove(kind, job.ID);
    await workspace.owner.jobs.remove(kind, 99_999);
    expect((await workspace.ask("DELETE", `/${jobPaths[kind]}/${job.slug}`)).status).toBe(400);
    for (const name of [job.ID, job.slug]) {
      expect(await faultOf(workspace.owner.jobs.read(kind, name))).toMatchObject({
        status: 404,
        message: mediaErrors.jobNotFound(kind),
      });
    }
    expect((await workspace.owner.jobs.list(kind, { size: 100 })).items.map(({ ID }) => ID)).not.toContain(job.ID);
    expect(await resultOf(job)).toMatchObject(
      kind === "transcription" ? { text: "heard the words" } : { content: "made: to go" },
    );
  });

  test("another's job is as good as none", async () => {
    const { ID } = await endedJob(workspace.owner, kind, (await begin(kind, "mine")).ID);
    const { client } = await workspace.member(`stranger of ${kind}`);
    expect(await faultOf(client.jobs.read(kind, ID))).toMatchObject({ status: 404 });
    expect(await faultOf(client.jobs.retry(kind, ID))).toMatchObject({ status: 404 });
    await client.jobs.remove(kind, ID);
    expect(await client.jobs.list(kind)).toEqual({ items: [], total: 0 });
    expect(await workspace.owner.jobs.read(kind, ID)).toMatchObject({ ID });
  });
});

describe("the list", () => {
  test("is newest first, paged, and filtered by status", async () => {
    const { client } = await workspace.member("collector");
    const made: number[] = [];
    for (const prompt of ["one", "fail", "three"]) {
      const { ID } = await tune(prompt, client);
      await endedJob(client, "music", ID);
      made.push(ID);
    }
    const [one, failed, three] = made;
    const listed = async (options = {}) => (await client.jobs.list("music", options)).items.map(({ ID }) => ID);
    expect(await listed()).toEqual([three, failed, one]);
    expect(await listed({ page: 2, size: 2 })).toEqual([one]);
    expect(await listed({ status: "error" })).toEqual([failed]);
    expect(await client.jobs.list("music", { status: "done", size: 1 })).toMatchObject({ items: [{ ID: three }], total: 2 });
    expect(await listed({ status: "nonsense" })).toEqual([]);
  });

  test("a job of one kind is none of another", async () => {
    const { ID, slug } = await tune("one");
    for (const name of [ID, slug]) expect(await faultOf(workspace.owner.jobs.read("video", name))).toMatchObject({ status: 404 });
  });
});

describe("the catalogue of films", () => {
  test("has every field of the interface, and is not paged", async () => {
    const answer = await workspace.ask("GET", "/video_generation_model?page=1&size=1");
    expect(answer.body).toHaveLength(3);
    const [first, second] = await workspace.owner.jobs.models("video");
    expect(first).toEqual({
      ID: ids["film"],
      name: "Film",
      powered_by: "Tests",
      version: "1",
      description: "For tests",
      multiplier: "1",
      default: true,
      sort: 0,
      selectable: true,
      supported_aspect_ratios: ["16:9", "9:16"],
      supported_resolutions: ["720p", "1080p", "4k"],
      resolution_duration_limits: {
        "*": { min_duration_seconds: 2, max_duration_seconds: 10 },
        "1080p": { min_duration_seconds: 4, max_duration_seconds: 8 },
        "4k": { min_duration_seconds: 0, max_duration_seconds: 0 },
      },
      resolution_pricing: { "720p": { credit_cost_per_second: "1.5" }, "1080p": { credit_cost_per_second: "3" } },
      interpolation_support: "full",
      max_reference_images: 2,
      reference_types: ["style"],
    });
    expect(second).toMatchObject({ default: false, sort: 1 });
  });
});

describe("a film's options", () => {
  const asked = async (body: VideoBody) => {
    await endedJob(workspace.owner, "video", (await film(body)).ID);
    return workspace.media.requests.at(-1);
  };

  test("defaults: 16:9, the first resolution, and its longest duration", async () => {
    expect(await asked({})).toMatchObject({ aspectRatio: "16:9", resolution: "720p", seconds: 10 });
    expect(await asked({ resolution: "1080p" })).toMatchObject({ seconds: 8 });
    expect(await asked({ resolution: "4k" })).toMatchObject({ seconds: undefined });
    expect(await asked({ video_generation_model_id: ids["opening"] })).toMatchObject({ aspectRatio: "1:1", seconds: 5 });
  });

  test("a model that names nothing takes anything", async () => {
    const body = { video_generation_model_id: ids["reel"], aspect_ratio: "21:9", resolution: "8k", duration_seconds: 600 };
    expect(await asked(body)).toMatchObject({ aspectRatio: "21:9", resolution: "8k", seconds: 600 });
  });

  test("pictures come as their bytes: first and last frame, or references", async () => {
    const id = await picture();
    const bytes = Buffer.from(pngSignature);
    expect(await asked({ starting_image_file_id: id, last_frame_file_id: id })).toMatchObject({
      firstFrame: { name: "frame.png", bytes },
      lastFrame: { bytes },
      references: [],
    });
    expect(await asked({ reference_image_ids: [id, id] })).toMatchObject({ references: [{ bytes }, { bytes }] });
  });

  test("what a model cannot do is 400 with what was expected, and no job", async () => {
    const id = await picture();
    const text = await uploadText(workspace.owner, "a.txt", "text");
    const before = (await workspace.owner.jobs.list("video")).total;
    const opening = { video_generation_model_id: ids["opening"] };
    const cases: ReadonlyArray<readonly [VideoBody, string]> = [
      [{ prompt: " " }, "prompt: expected a text, got none"],
      [{ aspect_ratio: "4:3" }, "aspect_ratio: expected one of 16:9, 9:16, got 4:3"],
      [{ video_generation_model_id: ids["reel"], aspect_ratio: "wide" }, "aspect_ratio: expected a ratio such as 16:9, got wide"],
      [{ resolution: "8k" }, "resolution: expected one of 720p, 1080p, 4k, got 8k"],
      [{ duration_seconds: 1 }, "duration_seconds: expected 2 to 10, got 1"],
      [{ duration_seconds: 11 }, "duration_seconds: expected 2 to 10, got 11"],
      [{ resolution: "1080p", duration_seconds: 9 }, "duration_seconds: expected 4 to 8, got 9"],
      [{ resolution: "4k", duration_seconds: 0 }, "duration_seconds: expected at least 1, got 0"],
      [{ reference_image_ids: [id, id, id] }, "reference_image_ids: expected at most 2, got 3"],
      [
        { reference_image_ids: [id], starting_image_file_id: id },
        "reference_image_ids: expected none beside a starting image or a last frame",
      ],
      [{ last_frame_file_id: id }, "last_frame_file_id: expected a starting image beside it"],
      [
        { ...opening, starting_image_file_id: id, last_frame_file_id: id },
        "last_frame_file_id: expected none, as this model takes no last frame",
      ],
      [
        { video_generation_model_id: ids["reel"], starting_image_file_id: id },
        "starting_image_file_id: expected none, as this model begins from no picture",
      ],
      [{ starting_image_file_id: text }, "expected a PNG, JPEG, GIF or WebP picture, got the file a.txt"],
    ];
    for (const [body, message] of cases) expect(await faultOf(film(body))).toMatchObject({ status: 400, message });
    const { client } = await workspace.member("owner of a picture");
    const foreign = await picture(client);
    expect(await faultOf(film({ starting_image_file_id: foreign }))).toMatchObject({
      status: 404,
      message: mediaErrors.fileNotFound,
    });
    expect((await workspace.owner.jobs.list("video")).total).toBe(before);
  });
});

describe("other options", () => {
  test("music takes its seconds and whether anybody sings", async () => {
    const body = { music_generation_model_id: ids["jingle"], prompt: "calm", duration_seconds: 7, instrumental: true };
    const { ID } = await workspace.owner.jobs.create("music", body);
    expect(await endedJob(workspace.owner, "music", ID)).toMatchObject({ credit_cost: "7" });
    expect(workspace.media.requests.at(-1)).toMatchObject({ kind: "music", prompt: "calm", seconds: 7, instrumental: true });
  });

  test.for([
    ["music", { prompt: "" }, "prompt: expected a text, got none"],
    ["music", { prompt: "x", duration_seconds: 0 }, "duration_seconds: expected 1 to 600, got 0"],
    ["music", { prompt: "x", duration_seconds: 601 }, "duration_seconds: expected 1 to 600, got 601"],
    ["speech", { text: "" }, "text: expected a text, got none"],
  ] as const)("%s with %j is refused", async ([kind, over, message]) => {
    const body = { ...(await bodies[kind]("x")), ...over };
    expect(await faultOf(workspace.owner.jobs.create(kind, body))).toMatchObject({ status: 400, message });
  });

  test("a transcription needs a recording of the caller's", async () => {
    const create = (body: object) =>
      faultOf(workspace.owner.jobs.create("transcription", { transcription_model_id: ids["ear"], ...body }));
    expect(await create({})).toMatchObject({ status: 400, message: "file_id: expected the ID of a recording, got none" });
    expect(await create({ file_id: 99_999 })).toMatchObject({ status: 404, message: mediaErrors.fileNotFound });
  });

  test("sensitive text is refused before anything is made", async () => {
    await writeRules(workspace.service.ctx.db, { sensitivePatterns: ["secret"] });
    for (const kind of ["video", "speech", "music"] as const)
      expect(await faultOf(begin(kind, "a secret"))).toMatchObject({ status: 400, blockCode: "SENSITIVE_DATA_BLOCKED" });
  });
});

describe("the work", () => {
  test("is done on a few jobs at once, in their order; the others wait as queued, and a deleted one is dropped", async () => {
    const held = await Promise.all(Array.from({ length: 4 }, (_, at) => tune(`hold ${at}`)));
    for (const { ID } of held) await jobWith(workspace.owner, "music", ID, ["processing"]);
    const fifth = await tune("fifth");
    const sixth = await tune("sixth");
    expect(await workspace.owner.jobs.read("music", fifth.ID)).toMatchObject({ status: "queued" });
    await workspace.owner.jobs.remove("music", fifth.ID);
    // Its place goes to the next.
    await workspace.owner.jobs.remove("music", held[0]!.ID);
    expect(await endedJob(workspace.owner, "music", sixth.ID)).toMatchObject({ status: "done" });
    workspace.media.release();
    for (const { ID } of held.slice(1)) expect(await endedJob(workspace.owner, "music", ID)).toMatchObject({ status: "done" });
    expect(workspace.media.requests.some((request) => request.kind === "music" && request.prompt === "fifth")).toBe(false);
  });

  test("what has waited while the credits were used up ends with that reason, and asks nothing of the provider", async () => {
    const held = await Promise.all(Array.from({ length: 4 }, (_, at) => tune(`hold for credits ${at}`)));
    for (const { ID } of held) await jobWith(workspace.owner, "music", ID, ["processing"]);
    const { ID } = await tune("too late");
    await setQuota(workspace.service.ctx, "owner", { limit: "0" });
    for (const job of held) await workspace.owner.jobs.remove("music", job.ID);
    expect(await endedJob(workspace.owner, "music", ID)).toMatchObject({
      status: "error",
      error: "quota exceeded: credit_count",
    });
    expect(workspace.media.requests.some((request) => request.kind === "music" && request.prompt === "too late")).toBe(false);
  });

  test("a source that is gone by then, and a fault of ours, are told without secrets", async () => {
    const held = await Promise.all(Array.from({ length: 4 }, (_, at) => tune(`hold again ${at}`)));
    const id = await picture();
    const { ID } = await film({ starting_image_file_id: id });
    await workspace.owner.files.remove(id);
    for (const job of held) await workspace.owner.jobs.remove("music", job.ID);
    expect(await endedJob(workspace.owner, "video", ID)).toMatchObject({
      status: "error",
      error: "A file that this was to be made from has been deleted.",
    });
    const broken = await endedJob(workspace.owner, "music", (await tune("break")).ID);
    expect(broken.error).toBe("It could not be made because of a fault in the workspace. Retry makes it again.");
  });

  test("after a restart queued jobs go on, one that costs nothing begins again, any other ends with the reason", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-jobs-"));
    try {
      const first = await startWorkspace({ dataDir });
      const begin = async (key: string, prompt: string) =>
        first.owner.jobs.create("music", { music_generation_model_id: await first.mediaModelId(key), prompt });
      const free = await begin("test:tune", "hold free");
      const paid = await begin("test:jingle", "hold paid");
      for (const at of [1, 2]) await begin("test:tune", `hold ${at}`);
      for (const { ID } of [free, paid]) await jobWith(first.owner, "music", ID, ["processing"]);
      const waiting = await begin("test:jingle", "waiting");
      await first.close();

      const second = await startWorkspace({ dataDir });
      expect(await endedJob(second.owner, "music", paid.ID)).toMatchObject({
        status: "error",
        error: expect.stringContaining("The workspace was stopped while this was being made.") as unknown,
      });
      await jobWith(second.owner, "music", free.ID, ["processing"]);
      expect(await endedJob(second.owner, "music", waiting.ID)).toMatchObject({ status: "done" });
      second.media.release();
      expect(await endedJob(second.owner, "music", free.ID)).toMatchObject({ status: "done" });
      await second.close();
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});
