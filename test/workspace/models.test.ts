/** The catalogue, the free-text run and the workspace's rules, each rule with its own status and code in each place. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { blockCodes, type BlockCode } from "../../src/contract/errors.ts";
import { readQuota, setQuota, writeRules, type Rules } from "../../src/service/admin.ts";
import { noRules } from "./rules.ts";
import { faultOf, startWorkspace, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
let plain: number;
let old: number;
beforeAll(async () => {
  workspace = await startWorkspace();
  plain = await workspace.modelId("test:plain");
  old = await workspace.modelId("test:old");
});
afterAll(() => workspace.close());

const rule = (change: Partial<Rules>) => writeRules(workspace.service.ctx.db, { ...noRules, ...change });
beforeEach(() => rule({}));

const names = async (query: Parameters<typeof workspace.owner.models.list>[0] = {}): Promise<string[]> =>
  (await workspace.owner.models.list(query)).map(({ name }) => name);

describe("the catalogue", () => {
  test("lists all in display order, deprecated ones too, with their successor", async () => {
    expect(await names()).toEqual(["Plain", "Thinking", "Quick", "Old", "Sheets"]);
    const [first, , , deprecated] = await workspace.owner.models.list();
    expect(first).toMatchObject({ successor: null, selectable: true, multiplier: "2", credit_cost_per_input_token: "0.001" });
    expect(first).not.toHaveProperty("restriction_reason");
    expect(deprecated).toMatchObject({ deprecated: true, successor: { ID: plain, name: "Plain" } });
  });

  test.for([
    [{ search: "IN" }, ["Plain", "Thinking"]],
    [{ search: "none of them" }, []],
    [{ poweredBy: "Others" }, ["Thinking"]],
    [{ poweredBy: "other" }, []],
    [{ tools: ["web_search", "file_upload"] }, ["Plain", "Thinking", "Old", "Sheets"]],
    [{ tools: ["web_search", "none"] }, []],
    [{ tags: ["powerful", "careful"] }, ["Thinking"]],
    [{ flagship: true }, ["Plain"]],
    [{ flagship: false }, ["Plain", "Thinking", "Quick", "Old", "Sheets"]],
    [{ legacy: false }, ["Plain", "Thinking", "Quick", "Sheets"]],
    [{ legacy: true }, ["Plain", "Thinking", "Quick", "Old", "Sheets"]],
    [{ page: 2, size: 2 }, ["Quick", "Old"]],
    [{ size: 3 }, ["Plain", "Thinking", "Quick"]],
    [{ page: 9, size: 2 }, []],
  ] as const)("%j gives %j", async ([query, expected]) => {
    expect(await names(query)).toEqual(expected);
  });

  test("a page says how many there are in all", async () => {
    const page = await workspace.ask("GET", "/ai_model?page=2&size=2");
    expect([page.header("x-page"), page.header("x-page-size"), page.header("x-total-count")]).toEqual(["2", "2", "5"]);
  });

  test("one model by its numeric ID, without a successor", async () => {
    const model = await workspace.owner.models.get(old);
    expect(model).toMatchObject({ ID: old, name: "Old" });
    expect(model).not.toHaveProperty("successor");
    expect(await faultOf(workspace.owner.models.get(999))).toMatchObject({ kind: "not_found" });
    expect((await workspace.ask("GET", "/ai_model/plain")).status).toBe(400);
  });

  test("filters are the distinct values", async () => {
    expect(await workspace.owner.models.filters()).toEqual({
      powered_by: ["Tests", "Others"],
      tools: ["file_upload", "web_search"],
      tags: ["balanced", "powerful", "careful", "fast"],
    });
  });
});

describe("the free-text run", () => {
  test("answers without keeping anything but its cost", async () => {
    const before = await workspace.owner.conversations.list();
    const { used } = await readQuota(workspace.service.ctx, "owner");
    expect(await workspace.owner.run("hello", { modelId: plain })).toEqual({
      ID: 0,
      ai_model_id: plain,
      text: "You said: hello",
      isUser: false,
      status: "finished",
      ai_style: "prompty",
      error_text: null,
      error_id: null,
    });
    expect(await workspace.owner.conversations.list()).toEqual(before);
    expect(Number((await readQuota(workspace.service.ctx, "owner")).used) - Number(used)).toBeCloseTo(0.04, 10);
  });

  test("a provider's failure is in the answer, with a reference", async () => {
    const answer = await workspace.owner.run("fail", { modelId: plain });
    expect(answer).toMatchObject({ text: "You ", error_text: "The test provider broke off." });
    expect(answer.error_id).toMatch(/^[a-z0-9]{10}$/);
  });

  test("needs a prompt and a model that exists", async () => {
    expect(await faultOf(workspace.owner.run("", { modelId: plain }))).toMatchObject({ status: 400 });
    expect(await faultOf(workspace.owner.run("x", { modelId: 999 }))).toMatchObject({ status: 400 });
    expect(await faultOf(workspace.owner.run("x"))).toMatchObject({ status: 503 });
  });
});

describe("rules on models", () => {
  const residency: ReadonlyArray<readonly [BlockCode, Partial<Rules>]> = [
    ["EU_INFERENCE_REQUIRED", { euInference: true, residencyTags: { "test:plain": ["zero_retention"] } }],
    ["ZERO_RETENTION_REQUIRED", { zeroRetention: true, residencyTags: { "test:plain": ["eu"] } }],
    ["NO_PROVIDER_ASSIGNED", { providers: ["another"] }],
    ["NO_ENDPOINT_AVAILABLE", { euInference: true, zeroRetention: true, residencyTags: { "test:plain": [] } }],
  ];

  test("every code of the interface is shown by one of them, or by sensitive text", () => {
    expect(new Set([...residency.map(([code]) => code), "SENSITIVE_DATA_BLOCKED"])).toEqual(new Set(blockCodes));
  });

  test.for(residency)(
    "%s: 503 with error_code on conversations, 400 with code on runs and agents, not selectable",
    async ([code, change]) => {
      const agent = await workspace.owner.agents.create({ name: "Before", ai_model_id: plain });
      const { conversationId } = await workspace.owner.conversations.startAndWait({ message: "before", ai_model_id: plain });
      await rule(change);
      const { conversations } = workspace.owner;
      const sends = [
        () => conversations.start({ message: "x", ai_model_id: plain }),
        () => conversations.startAndWait({ message: "x", ai_model_id: plain }),
        () => conversations.start({ message: "x", agent_id: agent.ID }),
        () => conversations.followUp(conversationId, { message: "x" }),
        () => conversations.followUpAndWait(conversationId, { message: "x" }),
        () => conversations.changeModel(conversationId, { ai_model_id: plain }),
      ];
      for (const send of sends)
        expect(await faultOf(send())).toMatchObject({ kind: "unavailable", status: 503, blockCode: code });
      const raw = await workspace.ask("POST", "/conversation", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: "x", ai_model_id: plain }),
      });
      expect(raw).toMatchObject({ status: 503, body: { error_code: code } });
      const run = await workspace.ask("POST", "/run", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ prompt: "x", ai_model_id: plain }),
      });
      expect(run).toMatchObject({ status: 400, body: { code } });
      for (const write of [
        () => workspace.owner.agents.create({ name: "Blocked", ai_model_id: plain }),
        () => workspace.owner.agents.update(agent.ID, { ai_model_id: plain }),
      ]) {
        expect(await faultOf(write())).toMatchObject({ status: 400, blockCode: code });
      }
      expect(await workspace.owner.models.get(plain)).toMatchObject({
        selectable: false,
        restriction_reason: expect.any(String) as string,
      });
      expect(await workspace.owner.models.restricted()).toEqual([]);
    },
  );

  test.for([{ deniedModels: ["test:plain"] }, { allowedModels: ["test:old"] }])(
    "%j: blocked without a code, and listed as restricted",
    async (change) => {
      await rule(change);
      const sent = await faultOf(workspace.owner.conversations.start({ message: "x", ai_model_id: plain }));
      expect(sent).toMatchObject({ status: 503, blockCode: undefined });
      expect(sent.message).toContain("restricted");
      expect(await faultOf(workspace.owner.run("x", { modelId: plain }))).toMatchObject({ status: 400, blockCode: undefined });
      expect((await workspace.owner.models.restricted()).map(({ ID }) => ID)).toContain(plain);
      expect(await workspace.owner.models.get(plain)).toMatchObject({ selectable: false, restriction_reason: sent.message });
    },
  );

  test("the automatic choice takes none that is blocked; with none left there is no model", async () => {
    await rule({ deniedModels: ["test:plain"] });
    const { message } = await workspace.owner.conversations.startAndWait({ message: "x", auto_model_type: "balanced" });
    expect(message!.ai_model_id).not.toBe(plain);
    await rule({ allowedModels: [] });
    expect(await faultOf(workspace.owner.conversations.start({ message: "x", auto_model_type: "best" }))).toMatchObject({
      status: 503,
    });
  });
});

describe("sensitive text", () => {
  test("is blocked with error_code on conversations, with code on runs and agents; nothing is created", async () => {
    const { conversations, agents } = workspace.owner;
    const { conversationId } = await conversations.startAndWait({ message: "before", ai_model_id: plain });
    const text = "my number is 1234-5678";
    const failed = await conversations.start({ message: "fail", ai_model_id: plain });
    await expect.poll(async () => (await conversations.messages(failed.conversationId)).items[0]?.error_text).toBeTruthy();
    const before = await conversations.list();
    await rule({ sensitivePatterns: [String.raw`\b\d{4}-\d{4}\b`] });
    for (const send of [
      () => conversations.start({ message: text, ai_model_id: plain }),
      () => conversations.startAndWait({ message: text, ai_model_id: plain }),
      () => conversations.followUp(conversationId, { message: text }),
      () => workspace.owner.run(text, { modelId: plain }),
      () => agents.create({ name: "A", ai_model_id: plain, system_prompt: text }),
    ]) {
      expect(await faultOf(send())).toMatchObject({ status: 400, blockCode: "SENSITIVE_DATA_BLOCKED" });
    }
    const agent = await agents.create({ name: "A", ai_model_id: plain });
    expect(await faultOf(agents.update(agent.ID, { system_prompt: text }))).toMatchObject({
      blockCode: "SENSITIVE_DATA_BLOCKED",
    });
    const raw = (path: string, body: object) =>
      workspace.ask("POST", path, { headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    expect((await raw("/conversation", { message: text, ai_model_id: plain })).body).toMatchObject({
      error_code: "SENSITIVE_DATA_BLOCKED",
    });
    expect((await raw("/run", { prompt: text, ai_model_id: plain })).body).toMatchObject({ code: "SENSITIVE_DATA_BLOCKED" });
    expect((await raw("/agents", { name: "B", system_prompt: text })).body).toMatchObject({ code: "SENSITIVE_DATA_BLOCKED" });
    const [broken] = (await conversations.messages(failed.conversationId)).items;
    await rule({ sensitivePatterns: ["fail"] });
    expect(await faultOf(conversations.retry(failed.conversationId, broken!.ID))).toMatchObject({
      status: 400,
      blockCode: "SENSITIVE_DATA_BLOCKED",
    });
    expect((await conversations.list()).total).toBe(before.total);
    expect((await conversations.messages(conversationId)).total).toBe(2);
    expect(await conversations.followUpAndWait(conversationId, { message: "no numbers" })).toBeDefined();
  });
});

test("quota comes before the rules, and rules can be changed at any time", async () => {
  await rule({ deniedModels: ["test:plain"] });
  await setQuota(workspace.service.ctx, "owner", { reason: "subscription" });
  expect(await faultOf(workspace.owner.run("x", { modelId: plain }))).toMatchObject({ kind: "quota", reason: "subscription" });
  await setQuota(workspace.service.ctx, "owner", { reason: null });
  await rule({});
  expect(await workspace.owner.run("x", { modelId: plain })).toMatchObject({ error_text: null });
});
