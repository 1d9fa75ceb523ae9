/** Pictures and files that a model makes in an answer, through the front door. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Message } from "../../src/contract/records.ts";
import { systemClock } from "../../src/clock.ts";
import { configuredProviders } from "../../src/service/providers/configured.ts";
import { faultOf, startWorkspace, textOf, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
let plain: number;
beforeAll(async () => {
  workspace = await startWorkspace();
  plain = await workspace.modelId("test:plain");
});
afterAll(() => workspace.close());

const conversations = () => workspace.owner.conversations;
const newest = async (id: number): Promise<Message> => (await conversations().messages(id, { size: 1 })).items[0]!;
const filesOfAll = () => workspace.provider.requests.at(-1)!.turns.map(({ role, images }) => [role, images?.length ?? 0]);

test("a picture is the asker's file, an attachment of the answer and a part of it", async () => {
  const { message } = await conversations().startAndWait({ message: "draw", ai_model_id: plain });
  const { items } = await workspace.owner.files.list({ size: 100 });
  const file = items.find(({ name }) => name === "tide.png")!;
  expect(file).toMatchObject({ fileType: "code_interpreter_output" });
  expect(message!.attachments).toMatchObject([{ type: "file", ID: file.ID, name: "tide.png", path: file.path }]);
  expect(message!.parts.map(({ type }) => type)).toEqual(["text", "image_generation"]);
  expect(message!.parts[1]!.image_generation_part).toMatchObject({ file: { ID: file.ID, path: file.path } });
  const chunks = [];
  for await (const chunk of await workspace.owner.files.download(file.path)) chunks.push(chunk);
  expect(Buffer.concat(chunks).subarray(1, 4).toString()).toBe("PNG");
});

test("it is there while the rest is still being written, for those who follow and for those who poll", async () => {
  const { conversationId } = await conversations().start({ message: "draw and hold", ai_model_id: plain });
  await expect.poll(async () => (await newest(conversationId)).attachments).toMatchObject([{ name: "tide.png" }]);
  expect((await newest(conversationId)).status).toBe("generating");
  const seen: Message[] = [];
  for await (const message of await conversations().follow(conversationId)) {
    if (seen.length === 0) workspace.provider.release();
    seen.push(message);
    if (message.status === "finished") break;
  }
  expect(seen[0]!.attachments).toMatchObject([{ name: "tide.png" }]);
  expect(seen.at(-1)!.attachments).toHaveLength(1);
});

test("in the next turn the picture is the asker's, as models take files from nobody else", async () => {
  const { conversationId } = await conversations().startAndWait({ message: "draw", ai_model_id: plain });
  await conversations().followUpAndWait(conversationId, { message: "bluer" });
  expect(filesOfAll()).toEqual([
    ["user", 0],
    ["assistant", 0],
    ["user", 1],
  ]);
  await conversations().followUpAndWait(conversationId, { message: "thanks" });
  expect(filesOfAll().map(([, images]) => images)).toEqual([0, 0, 1, 0, 0]);
});

test("an answer that fails behind a picture keeps it, and is made anew without it", async () => {
  await faultOf(conversations().startAndWait({ message: "draw and fail", ai_model_id: plain }));
  const { ID } = (await conversations().list()).items[0]!;
  const failed = await newest(ID);
  expect(failed).toMatchObject({ error_text: "The test provider broke off.", attachments: [{ name: "tide.png" }] });
  await conversations().retry(ID, failed.ID);
  await expect.poll(async () => (await newest(ID)).error_text).not.toBeNull();
  expect((await newest(ID)).attachments).toHaveLength(1);
  expect((await newest(ID)).attachments[0]?.ID).not.toBe(failed.attachments[0]?.ID);
});

test("the offline model has a picture and a table to show the way", async () => {
  const nothing = { openaiApiKey: null, openaiBaseUrl: null, openaiModels: [], anthropicApiKey: null, googleApiKey: null };
  const offline = await startWorkspace({ providers: configuredProviders({ ...nothing, offlinePace: 1_000_000 }, systemClock) });
  onTestFinished(() => offline.close());
  const ask = async (message: string) =>
    (await offline.owner.conversations.startAndWait({ message, auto_model_type: "balanced" })).message!;
  const drawn = await ask("Please draw me a picture.");
  expect(drawn.text).toContain("fixed sample");
  expect(drawn.attachments).toMatchObject([{ name: "demonstration.png" }]);
  expect(drawn.parts.map(({ type }) => type)).toEqual(["text", "image_generation"]);
  const made = await ask("make a file");
  expect(made.attachments).toMatchObject([{ name: "demonstration.csv" }]);
  expect(made.parts.map(({ type }) => type)).toEqual(["text"]);
  expect(await textOf(await offline.owner.files.download(made.attachments[0]!.path!))).toContain("June,14,grain");
});
