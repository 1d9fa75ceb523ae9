/** Pictures through the real client and the real server: what is made, what it costs, and every no. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mediaErrors } from "../../src/contract/errors.ts";
import { readQuota, setQuota, writeRules } from "../../src/service/admin.ts";
import { noRules } from "./rules.ts";
import { pngSignature } from "./media-jobs.ts";
import { bytesOf, faultOf, startWorkspace, textOf, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());
beforeEach(async () => {
  await writeRules(workspace.service.ctx.db, noRules);
  await setQuota(workspace.service.ctx, "owner", { limit: null, reason: null, used: "0" });
});

const upload = async (): Promise<number> =>
  (await workspace.owner.files.upload("photo.png", "image/png", bytesOf(pngSignature, "more"))).ID;
const files = async (): Promise<number> => (await workspace.owner.files.list()).total ?? 0;
const used = async (): Promise<string> => (await readQuota(workspace.service.ctx, "owner")).used;

test("a picture is a file record of what the prompt asked for, and is paid for", async () => {
  const file = await workspace.owner.images.generate("A lighthouse, at night!");
  expect(file).toMatchObject({ fileType: "code_interpreter_output", name: "A-lighthouse-at-night.png", partial: false });
  expect(await textOf(await workspace.owner.files.download(file.path))).toBe("made: A lighthouse, at night!");
  expect(await used()).toBe("4");
});

test("an edit gives the provider the picture's bytes, makes a new file and leaves the source", async () => {
  const source = await upload();
  const file = await workspace.owner.images.edit("with a moon", source);
  expect(file.ID).not.toBe(source);
  expect(workspace.media.requests.at(-1)).toMatchObject({
    kind: "image",
    prompt: "with a moon",
    source: { name: "photo.png", bytes: Buffer.concat([pngSignature, Buffer.from("more")]) },
  });
  expect((await workspace.owner.files.list({ size: 100 })).items.map(({ ID }) => ID)).toEqual(
    expect.arrayContaining([source, file.ID]),
  );
});

test.for([
  ["generate", "/image_generation", {}, 400, "prompt: expected a text, got none"],
  ["generate", "/image_generation", { prompt: "  " }, 400, "prompt: expected a text, got none"],
  ["edit", "/image_generation/edit", { file_id: 1 }, 400, "prompt: expected a text, got none"],
  ["edit", "/image_generation/edit", { prompt: "x" }, 400, "file_id: expected the ID of a picture, got none"],
  ["edit", "/image_generation/edit", { prompt: "x", file_id: 99_999 }, 404, mediaErrors.fileNotFound],
] as const)("%s: %s with %j is %i", async ([, path, body, status, error]) => {
  const before = await files();
  expect(await workspace.ask("POST", path, { body: JSON.stringify(body) })).toMatchObject({ status, body: { error } });
  expect(await files()).toBe(before);
});

test("a field of the wrong type is named", async () => {
  const answer = await workspace.ask("POST", "/image_generation/edit", { body: '{"prompt":"x","file_id":"one"}' });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ error: expect.stringMatching(/^file_id: /) as unknown });
});

test("another's picture is not found, and a text is no picture", async () => {
  const { client } = await workspace.member("stranger of pictures");
  expect(await faultOf(client.images.edit("x", await upload()))).toMatchObject({
    status: 404,
    message: mediaErrors.fileNotFound,
  });
  const text = await uploadText(workspace.owner, "a.png", "not really");
  expect(await faultOf(workspace.owner.images.edit("x", text))).toMatchObject({ status: 400 });
});

test("no output, a failing model and a fault of ours are 500; nothing is kept or paid, and no secret told", async () => {
  const before = await files();
  expect(await faultOf(workspace.owner.images.generate("empty"))).toMatchObject({ status: 500, message: mediaErrors.noOutput });
  expect(await faultOf(workspace.owner.images.generate("fail"))).toMatchObject({
    status: 500,
    message: "The test provider broke off.",
  });
  const fault = await faultOf(workspace.owner.images.generate("break"));
  expect(fault.status).toBe(500);
  expect(fault.message).not.toContain("secret");
  expect([await files(), await used()]).toEqual([before, "0"]);
});

test("a used-up quota is 429 with its reason, before anything is asked of the provider", async () => {
  await setQuota(workspace.service.ctx, "owner", { limit: "0" });
  const asked = workspace.media.requests.length;
  expect(await faultOf(workspace.owner.images.generate("x"))).toMatchObject({ kind: "quota", reason: "credit_count" });
  expect(workspace.media.requests.length).toBe(asked);
});

test("rules: a blocked or non-resident model is 500 with the reason, sensitive text 400 with its code", async () => {
  const { db } = workspace.service.ctx;
  await writeRules(db, { deniedModels: ["test:picture"] });
  expect(await faultOf(workspace.owner.images.generate("x"))).toMatchObject({
    status: 500,
    message: "this model has been restricted by your organization",
  });
  await writeRules(db, { ...noRules, zeroRetention: true });
  expect(await faultOf(workspace.owner.images.generate("x"))).toMatchObject({
    status: 500,
    message: expect.stringContaining("keeps no data") as unknown,
  });
  await writeRules(db, { ...noRules, sensitivePatterns: ["secret \\d+"] });
  expect(await faultOf(workspace.owner.images.generate("my secret 12"))).toMatchObject({
    status: 400,
    blockCode: "SENSITIVE_DATA_BLOCKED",
  });
});

test("without any model it is 500 and says what to do", async () => {
  const bare = await startWorkspace({ mediaProviders: [] });
  expect(await faultOf(bare.owner.images.generate("x"))).toMatchObject({
    status: 500,
    message: expect.stringContaining("OPENAI_API_KEY") as unknown,
  });
  await bare.close();
});
