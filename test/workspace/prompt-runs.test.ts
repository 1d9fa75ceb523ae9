/** Running saved prompts through the front door: values and defaults, the conversation that goes on, failures inside a 200, history. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorTexts } from "../../src/contract/errors.ts";
import type { VariableBody } from "../../src/contract/prompt-bodies.ts";
import { setQuota, writeRules } from "../../src/service/admin.ts";
import { faultOf, startWorkspace, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
let plain: number;
let counter = 0;
beforeAll(async () => {
  workspace = await startWorkspace();
  plain = await workspace.modelId("test:plain");
});
afterAll(() => workspace.close());

const prompts = () => workspace.owner.prompts;
const lastRequest = () => workspace.provider.requests.at(-1)!;

/** A prompt with this content and these variables, whose IDs come by slug. */
async function make(content: string, ...variables: VariableBody[]): Promise<{ id: number; ids: Record<string, number> }> {
  const { ID: id } = await prompts().create({ name: `Run ${++counter}` });
  await prompts().setContent({ prompt_id: id, content });
  const ids: Record<string, number> = {};
  for (const variable of variables) ids[variable.slug!] = (await prompts().createVariable({ prompt_id: id, ...variable })).ID;
  return { id, ids };
}
const value = (variable_id: number | undefined, text: string) => ({ variable_id: variable_id ?? 0, value: text });

describe("a run with variables", () => {
  test("fills in the values, and answers as HTML without the raw text", async () => {
    const { id, ids } = await make("Say **{{what}}** to {{whom}}", { slug: "what" }, { slug: "whom", default_value: "all" });
    const run = await prompts().run(id, [value(ids["what"], "hello {{whom}} & <b>")]);
    expect(run).toMatchObject({
      result: "<p>You said: Say <strong>hello {{whom}} &amp; &lt;b&gt;</strong> to all</p>",
      raw_text: null,
      ai_model_id: plain,
      error_text: null,
      error_id: null,
      run_status: "success",
    });
    expect(run.id).toBeGreaterThan(0);
    expect(run.created_at).toMatch(/^\d{4}-.*Z$/);
    expect(run.runtime).toBeGreaterThanOrEqual(0);
    // An empty value stands for the default, in place of a blank.
    await prompts().run(id, [value(ids["what"], "x"), value(ids["whom"], "  ")]);
    expect(lastRequest().turns.at(-1)?.text).toBe("Say **x** to all");
  });

  test("is a new conversation each time, which names the prompt, goes on with its model and style, and costs", async () => {
    const { id, ids } = await make("About {{topic}}", { slug: "topic" });
    const thinking = await workspace.modelId("test:thinking");
    await prompts().update(id, { name: "Styled", ai_model_id: thinking, ai_style: "dry" });
    const first = await prompts().run(id, [value(ids["topic"], "tides")]);
    const second = await prompts().run(id, [value(ids["topic"], "ships")]);
    expect(second.conversation_context_id).not.toBe(first.conversation_context_id);
    const { conversations } = workspace.owner;
    const [answer, asked] = (await conversations.messages(first.conversation_context_slug)).items;
    expect(asked).toMatchObject({ text: "About tides", prompt_id: id, isUser: true });
    expect(answer).toMatchObject({ prompt_id: null, ai_model_id: thinking, ai_style: "dry", raw_text: "You said: About tides" });
    expect(answer?.credits_used).toMatch(/^0\.0/);
    const more = await conversations.followUpAndWait(first.conversation_context_id, { message: "and then?" });
    expect(more).toMatchObject({ text: "You said: and then?", ai_model_id: thinking });
    expect(lastRequest().turns.map(({ text }) => text)).toEqual(["About tides", "You said: About tides", "and then?"]);
  });

  test("never calls on an agent by a tag in its text", async () => {
    await workspace.owner.agents.create({ name: "Caller", tag: "caller", ai_model_id: plain, system_prompt: "I was called" });
    const { id } = await make("Write to @caller");
    const run = await prompts().run(id, []);
    const [answer] = (await workspace.owner.conversations.messages(run.conversation_context_id)).items;
    expect(answer?.agent_id).toBeNull();
    expect(lastRequest().system).toBeNull();
  });

  test("takes the prompt's files along, in follow-ups too, also for those with whom it is shared", async () => {
    const { id } = await make("Sum up");
    await prompts().attachFiles(id, [await uploadText(workspace.owner, "notes.txt", "The mill turns.")]);
    await prompts().shareWithWorkspace(id, true);
    const { client } = await workspace.member("borrower");
    const run = await client.prompts.run(id, []);
    const files = () =>
      lastRequest()
        .turns.flatMap(({ documents }) => documents ?? [])
        .map(({ text }) => text);
    expect(files()).toEqual(["The mill turns."]);
    await client.conversations.followUpAndWait(run.conversation_context_id, { message: "more" });
    expect(files()).toEqual(["The mill turns."]);
    await prompts().shareWithWorkspace(id, false);
    await client.conversations.followUpAndWait(run.conversation_context_id, { message: "and now" });
    expect(files()).toEqual([]);
  });

  test("a file variable takes one of the runner's files of the right kind", async () => {
    const file = await uploadText(workspace.owner, "Harbour.TXT", "Ships come in.");
    const sheet = await uploadText(workspace.owner, "a.csv", "1,2");
    const traits: VariableBody = { slug: "paper", data_type: "file", file_types: [".txt"], required: true };
    const { id, ids } = await make("Read {{paper}}", traits);
    await prompts().run(id, [value(ids["paper"], String(file))]);
    expect(lastRequest().turns.at(-1)).toMatchObject({ text: "Read Harbour.txt", documents: [{ text: "Ships come in." }] });
    for (const [given, text] of [
      ["9999", "one of your files"],
      ["harbour", "one of your files"],
      [String(sheet), "a file of txt"],
      ["", "expected a value"],
    ] as const) {
      const fault = await faultOf(prompts().run(id, [value(ids["paper"], given)]));
      expect(fault).toMatchObject({ status: 400, message: expect.stringContaining(text) as string });
    }
    await prompts().updateVariable(ids["paper"]!, { default_file_id: file });
    expect((await prompts().run(id, [])).run_status).toBe("success");
  });
});

describe("what goes wrong", () => {
  test("a provider's failure is a 200 with the status error, and can be retried in its conversation", async () => {
    const { id, ids } = await make("{{what}}", { slug: "what" });
    const run = await prompts().run(id, [value(ids["what"], "fail once")]);
    expect(run).toMatchObject({ run_status: "error", error_text: "The test provider broke off." });
    expect(run.error_id).toHaveLength(10);
    const { conversations } = workspace.owner;
    const failed = (await conversations.messages(run.conversation_context_id)).items[0]!;
    await conversations.retry(run.conversation_context_id, failed.ID);
    await expect
      .poll(async () => (await conversations.messages(run.conversation_context_id)).items[0])
      .toMatchObject({ status: "finished", error_text: null, text: "You said: fail once" });
    expect((await prompts().runHistory(id)).items).toMatchObject([{ run_status: "success" }]);
  });

  test("refusals create nothing: no content, no value, no model, nothing said", async () => {
    const { conversations } = workspace.owner;
    const before = (await conversations.list()).total;
    const { ID: empty } = await prompts().create({ name: "Empty" });
    const { id, ids } = await make("{{a}}", { slug: "a", name: "The name", required: true });
    const { id: bare } = await make("{{a}}", { slug: "a" });
    const { id: without } = await make("Hello");
    await prompts().update(without, { name: "No model" });
    const { id: unknown } = await make("Hello");
    await prompts().update(unknown, { name: "Unknown model", ai_model_id: 9999 });
    for (const [call, status, text] of [
      [() => prompts().run(empty, []), 400, "no content yet"],
      [() => prompts().run(id, [value(9999, "x")]), 400, "no variable with the ID 9999"],
      [() => prompts().run(id, []), 400, 'expected a value for "The name"'],
      [() => prompts().run(id, [value(ids["a"], " ")]), 400, 'expected a value for "The name"'],
      [() => prompts().run(bare, []), 400, "says nothing"],
      [() => prompts().run(without, []), 503, errorTexts.noModel],
      [() => prompts().run(unknown, []), 400, "AI model not found"],
      [() => prompts().run(9999, []), 404, errorTexts.promptNotFound],
      [() => prompts().run("nosuchid", []), 404, errorTexts.promptNotFound],
      [() => prompts().replay(9999, "x"), 404, errorTexts.promptNotFound],
      [() => prompts().runHistory(9999), 404, errorTexts.promptNotFound],
      [() => prompts().replay(without, "x"), 400, "no variable to put the text in"],
    ] as const) {
      expect(await faultOf(call())).toMatchObject({ status, message: expect.stringContaining(text) as string });
    }
    expect((await conversations.list()).total).toBe(before);
  });

  test("others' prompts are 403: to run, to replay, and their history", async () => {
    const { id } = await make("Hello");
    const { client } = await workspace.member("nosy");
    for (const call of [
      () => client.prompts.run(id, []),
      () => client.prompts.replay(id, "x"),
      () => client.prompts.runHistory(id),
    ]) {
      expect(await faultOf(call())).toMatchObject({ status: 403, message: errorTexts.promptNoAccess });
    }
  });

  test("a guardrail, a rule on models and the quota refuse with their codes, before anything is created", async () => {
    const { ctx } = workspace.service;
    const { id, ids } = await make("Tell {{what}}", { slug: "what" });
    const run = () => prompts().run(id, [value(ids["what"], "the secret plan")]);
    const before = (await workspace.owner.conversations.list()).total;
    try {
      await writeRules(ctx.db, { sensitivePatterns: ["secret plan"] });
      expect(await faultOf(run())).toMatchObject({ status: 400, blockCode: "SENSITIVE_DATA_BLOCKED" });
      await writeRules(ctx.db, { sensitivePatterns: [], providers: [] });
      expect(await faultOf(run())).toMatchObject({ status: 400, blockCode: "NO_PROVIDER_ASSIGNED" });
      await writeRules(ctx.db, { providers: null });
      await setQuota(ctx, "owner", { reason: "trial_expired" });
      expect(await faultOf(run())).toMatchObject({ status: 429, kind: "quota", reason: "trial_expired" });
    } finally {
      await writeRules(ctx.db, { sensitivePatterns: [], providers: null });
      await setQuota(ctx, "owner", { reason: null });
    }
    expect((await workspace.owner.conversations.list()).total).toBe(before);
    expect((await run()).run_status).toBe("success");
  });

  test("a conversation that is deleted while it is answered: the run is not found, and stays in the history", async () => {
    const { id, ids } = await make("{{what}}", { slug: "what" });
    const running = faultOf(prompts().run(id, [value(ids["what"], "hold")]));
    await expect.poll(() => lastRequest().turns.at(-1)?.text).toBe("hold");
    expect((await prompts().runHistory(id)).total).toBe(0);
    await workspace.owner.conversations.remove((await workspace.owner.conversations.list()).items[0]!.ID);
    expect(await running).toMatchObject({ status: 404, message: errorTexts.conversationNotFound });
    expect((await prompts().runHistory(id)).total).toBe(1);
  });
});

describe("again", () => {
  test("a replay puts the text in the primary variable of the latest run, and answers with the raw text", async () => {
    const { id, ids } = await make(
      "{{tone}}: {{text}}",
      { slug: "tone", default_value: "calm" },
      { slug: "text", is_primary: true },
    );
    // Before a first run the others have their defaults.
    expect((await prompts().replay(id, "one")).raw_text).toBe("You said: calm: one");
    await prompts().run(id, [value(ids["tone"], "loud"), value(ids["text"], "two")]);
    const again = await prompts().replay(id, "*three*");
    expect(again).toMatchObject({ raw_text: "You said: loud: *three*", result: "<p>You said: loud: <em>three</em></p>" });
    // A variable that was deleted since is no part of it.
    await prompts().removeVariable(ids["tone"]!);
    expect((await prompts().replay(id, "four")).raw_text).toBe("You said: {{tone}}: four");
  });

  test("without a primary one, the first variable takes the text", async () => {
    const { id } = await make("{{a}} {{b}}", { slug: "a" }, { slug: "b", default_value: "end" });
    expect((await prompts().replay(id, "text")).raw_text).toBe("You said: text end");
  });

  test("the history has each run's values, newest first, the caller's own only; instances run again with them", async () => {
    const { id, ids } = await make("Of {{topic}}", { slug: "topic", default_value: "tides" });
    await prompts().shareWithWorkspace(id, true);
    const { client } = await workspace.member("historian");
    await client.prompts.run(id, [value(ids["topic"], "private")]);
    const first = await prompts().run(id, [value(ids["topic"], "ships")]);
    await prompts().run(id, []);
    const { items, total } = await prompts().runHistory(id);
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { variables: [{ variable_id: ids["topic"], slug: "topic", value: "" }] },
      {
        id: first.id,
        conversation_context_id: first.conversation_context_id,
        conversation_context_slug: first.conversation_context_slug,
        prompt_id: id,
        variables: [{ variable_id: ids["topic"], slug: "topic", value: "ships" }],
      },
    ]);
    expect((await prompts().runHistory(id, { page: 2, size: 1 })).items.map((entry) => entry.id)).toEqual([first.id]);

    const instance = items[1]!.instance_id;
    expect(await prompts().instance(instance)).toMatchObject({ ID: instance, prompt_id: id, variables: items[1]!.variables });
    expect((await prompts().runInstance(instance)).raw_text).toBe("You said: Of ships");
    expect((await prompts().runHistory(id)).items[0]).toMatchObject({ instance_id: instance });
    const unknown = { status: 404, message: errorTexts.instanceNotFound };
    for (const call of [
      () => client.prompts.instance(instance),
      () => client.prompts.runInstance(instance),
      () => prompts().instance(9999),
      () => prompts().runInstance("x" as unknown as number),
    ]) {
      expect(await faultOf(call())).toMatchObject(unknown);
    }
    await prompts().remove(id);
    expect(await faultOf(prompts().runInstance(instance))).toMatchObject({ status: 404, message: errorTexts.promptNotFound });
  });
});
