/** Transcriptions as attachments of a message, through the front door. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../../src/client/index.ts";
import { endedJob } from "./media-jobs.ts";
import { faultOf, startWorkspace, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
let plain: number;
let ear: number;
beforeAll(async () => {
  workspace = await startWorkspace();
  plain = await workspace.modelId("test:plain");
  ear = (await workspace.owner.jobs.models("transcription"))[0]!.ID;
});
afterAll(() => workspace.close());

const transcribed = async (name: string, client: Client = workspace.owner): Promise<number> => {
  const file_id = await uploadText(client, name, "the words");
  const { ID } = await client.jobs.create("transcription", { transcription_model_id: ear, file_id });
  await endedJob(client, "transcription", ID);
  return ID;
};
const send = (id: number, over: { temp?: boolean } = {}, client: Client = workspace.owner) =>
  client.conversations.startAndWait({
    message: "Sum it up",
    ai_model_id: plain,
    attachments: [{ id, type: "transcription", ...over }],
  });
const documents = () => workspace.provider.requests.at(-1)!.turns.flatMap((turn) => turn.documents ?? []);

test("what was heard goes into the turn and into later ones, and is shown on the message", async () => {
  const id = await transcribed("meeting.mp3");
  const { conversationId } = await send(id);
  expect(documents()).toMatchObject([{ name: "Transcript of meeting.mp3", text: "heard the words" }]);
  const { items } = await workspace.owner.conversations.messages(conversationId);
  expect(items[1]!.attachments).toMatchObject([{ type: "transcription", ID: id, status: "done", text: "heard the words" }]);
  expect(items[1]!.attachments[0]).not.toHaveProperty("segments");
  await workspace.owner.conversations.followUpAndWait(conversationId, { message: "And more?" });
  expect(documents()).toHaveLength(1);

  // Deleted since, it keeps its place, and is not read any more.
  await workspace.owner.jobs.remove("transcription", id);
  await workspace.owner.conversations.followUpAndWait(conversationId, { message: "And now?" });
  expect(documents()).toEqual([]);
  const later = await workspace.owner.conversations.messages(conversationId, { size: 100 });
  expect(later.items.at(-1)!.attachments).toEqual([{ type: "transcription", ID: id }]);
});

test("for one turn only, it is not recorded; a file of the same number is another thing", async () => {
  const id = await transcribed("call.mp3");
  const { conversationId } = await send(id, { temp: true });
  expect(documents()).toHaveLength(1);
  const { items } = await workspace.owner.conversations.messages(conversationId);
  expect(items[1]!.attachments).toEqual([]);
  await workspace.owner.conversations.followUpAndWait(conversationId, { message: "And more?" });
  expect(documents()).toEqual([]);
});

test("one that is somebody else's, of another kind or not done is refused, and nothing is sent", async () => {
  const { client } = await workspace.member("listener");
  const foreign = await transcribed("theirs.mp3", client);
  const refused = async (id: number, text: string) =>
    expect(await faultOf(send(id))).toMatchObject({ status: 503, message: expect.stringContaining(text) as string });
  const before = (await workspace.owner.conversations.list()).total;
  await refused(foreign, "not found or access is denied");
  await refused(9999, "not found or access is denied");
  const tune = (await workspace.owner.jobs.models("music"))[0]!.ID;
  const song = { music_generation_model_id: tune, prompt: "a shanty", duration_seconds: 20 };
  await refused((await workspace.owner.jobs.create("music", song)).ID, "not found or access is denied");
  const ID = await transcribed("unfinished.mp3");
  await workspace.service.ctx.db.updateTable("media_jobs").set({ status: "error" }).where("id", "=", ID).execute();
  await refused(ID, "is not done");
  expect((await workspace.owner.conversations.list()).total).toBe(before);
});
