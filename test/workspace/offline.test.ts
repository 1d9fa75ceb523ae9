/** The built-in offline model through the front door: what a newcomer with no account gets. */
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { configuredProviders } from "../../src/service/providers/configured.ts";
import { faultOf, startWorkspace, uploadText, type TestWorkspace } from "./server.ts";

const offline = async (): Promise<TestWorkspace> => {
  const nothing = { openaiApiKey: null, openaiBaseUrl: null, openaiModels: [], anthropicApiKey: null, googleApiKey: null };
  const workspace = await startWorkspace({ providers: configuredProviders({ ...nothing, offlinePace: 1_000_000 }, systemClock) });
  onTestFinished(() => workspace.close());
  return workspace;
};

test("says that no language model is connected and how to connect one; thinks; breaks off when asked to", async () => {
  const { owner } = await offline();
  const models = await owner.models.list();
  expect(models.map(({ deprecated, thinking_model }) => ({ deprecated, thinking_model }))).toEqual([
    { deprecated: false, thinking_model: false },
    { deprecated: false, thinking_model: true },
    { deprecated: true, thinking_model: false },
  ]);
  expect(models[2]!.successor?.ID).toBe(models[0]!.ID);
  const { message } = await owner.conversations.startAndWait({ message: "Who are you?", auto_model_type: "balanced" });
  expect(message!.text).toContain("OPENAI_BASE_URL");
  const thought = await owner.conversations.startAndWait({
    message: "Who?",
    ai_model_id: models[1]!.ID,
    reasoning_effort: "high",
  });
  expect(thought.message!.thinking).not.toBeNull();
  expect(await faultOf(owner.conversations.startAndWait({ message: "fail", ai_model_id: models[0]!.ID }))).toMatchObject({
    status: 503,
  });
});

test("answers from attached files by their best sentences, with citations that name the file", async () => {
  const { owner } = await offline();
  const file = await uploadText(
    owner,
    "lighthouse.txt",
    "The keeper sleeps by day. The lighthouse is forty metres tall. Gulls nest on the rocks below it.",
  );
  const { message } = await owner.conversations.startAndWait({
    message: "How tall is the lighthouse?",
    auto_model_type: "balanced",
    attachments: [{ id: file }],
  });
  expect(message!.text).toContain("forty metres tall");
  expect(message!.citations[0]).toMatchObject({ title: "lighthouse.txt", info: { file_id: file } });
});
