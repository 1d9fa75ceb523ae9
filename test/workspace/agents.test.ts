/** Agents through the front door: their fields and defaults, their lists, and who may do what with them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentBody } from "../../src/contract/bodies.ts";
import { errorTexts } from "../../src/contract/errors.ts";
import { shareAgent } from "../../src/service/agents/write.ts";
import { faultOf, startWorkspace, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
let plain: number;
beforeAll(async () => {
  workspace = await startWorkspace();
  plain = await workspace.modelId("test:plain");
});
afterAll(() => workspace.close());

const agents = () => workspace.owner.agents;
const create = (body: AgentBody) => agents().create({ ai_model_id: plain, ...body });

describe("creating", () => {
  test("has the interface's defaults, a tag from the name and a slug that is no number", async () => {
    const agent = await create({ name: "Tide & Weather" });
    expect(agent).toMatchObject({
      icon: "cpu",
      color: "#F59E0B",
      tag: "tide---weather",
      description: null,
      world_knowledge: false,
    });
    expect(agent.slug).toMatch(/^(?!\d+$)[a-z0-9]{8}$/);
    expect(agent).not.toHaveProperty("is_shared");
    expect(agent).not.toHaveProperty("files");
    expect(agent.ai_model.name).toBe("Plain");
    expect((await create({ name: "???" })).tag).toBe("agent");
    expect((await create({ name: "x".repeat(80) })).tag).toBe("x".repeat(50));
  });

  test.for([{}, { name: "" }, { name: "  \n" }, { name: null }])("%j: a name is required", async (body) => {
    expect(await faultOf(agents().create(body))).toMatchObject({ status: 400, message: errorTexts.agentNameRequired });
  });

  test.for(["Upper", "with space", "-dash", "_line", "ü", "x".repeat(51), "", "@x"])("%j is no tag", async (tag) => {
    expect(await faultOf(create({ name: "Tagged", tag }))).toMatchObject({ status: 400 });
  });

  test("a name of 500 characters is one, of 501 is not; a model that is not known passes", async () => {
    expect((await create({ name: "n".repeat(500) })).name).toHaveLength(500);
    expect(await faultOf(create({ name: "n".repeat(501) }))).toMatchObject({ status: 400 });
    expect((await create({ name: "Unknown model", ai_model_id: 999 })).ai_model_id).toBe(999);
  });

  test("two derived tags differ; a chosen one that is taken is refused", async () => {
    const [first, second] = [await create({ name: "Twin" }), await create({ name: "Twin" })];
    expect(first.tag).not.toBe(second.tag);
    expect(await faultOf(create({ name: "Third", tag: first.tag }))).toMatchObject({ status: 400 });
  });

  test("only the caller's files attach; others, knowledge bases and servers are dropped without a word", async () => {
    const { client } = await workspace.member("filer");
    const foreign = await uploadText(client, "theirs.txt", "x");
    const own = await uploadText(workspace.owner, "own.txt", "x");
    const body = { name: "Filed", file_ids: [foreign, own, 999_999], mcp_server_ids: [5], knowledge_base_ids: [6] };
    expect((await create(body)).files?.map(({ ID }) => ID)).toEqual([own]);
  });
});

describe("reading and changing", () => {
  test("by ID and by slug, loaded in full, saying whether it is somebody else's", async () => {
    const agent = await create({ name: "Named", description: "One line", tools: [{ name: "web_search", use: true }] });
    for (const id of [agent.ID, agent.slug]) {
      expect(await agents().get(id)).toMatchObject({
        ID: agent.ID,
        description: "One line",
        tools: [{ name: "web_search", use: true }],
        ai_model: { name: "Plain" },
        is_shared: false,
      });
    }
    for (const id of [999_999, "zzzzzzzz"]) {
      expect(await faultOf(agents().get(id))).toMatchObject({ kind: "not_found", message: errorTexts.agentNotFound });
    }
  });

  test("a change leaves what is left out or null; arrays replace the whole set", async () => {
    const [one, two] = [await uploadText(workspace.owner, "1.txt", "1"), await uploadText(workspace.owner, "2.txt", "2")];
    const agent = await create({ name: "Changing", description: "kept", system_prompt: "kept too", file_ids: [one] });
    const renamed = await agents().update(agent.ID, { name: "Changed", description: null });
    expect(renamed).toMatchObject({ name: "Changed", description: "kept", system_prompt: "kept too", tag: agent.tag });
    expect(renamed.files?.map(({ ID }) => ID)).toEqual([one]);
    expect((await agents().update(agent.slug, { file_ids: [two] })).files?.map(({ ID }) => ID)).toEqual([two]);
    expect(await agents().update(agent.ID, { file_ids: [] })).not.toHaveProperty("files");
    expect(await faultOf(agents().update(agent.ID, { name: "  " }))).toMatchObject({
      status: 400,
      message: errorTexts.agentNameRequired,
    });
    expect(await faultOf(agents().update(999_999, { name: "x" }))).toMatchObject({ kind: "not_found" });
  });

  test("deletes by slug too, and its files stay", async () => {
    const file = await uploadText(workspace.owner, "stays.txt", "x");
    const agent = await create({ name: "Going", file_ids: [file] });
    await agents().remove(agent.slug);
    expect(await faultOf(agents().get(agent.ID))).toMatchObject({ kind: "not_found" });
    expect(await faultOf(agents().remove(agent.ID))).toMatchObject({ kind: "not_found" });
    expect((await workspace.owner.files.list({ size: 100 })).items.map(({ ID }) => ID)).toContain(file);
    expect((await create({ name: "Going" })).tag).toBe(agent.tag);
  });
});

describe("sharing", () => {
  test("gives the right to read and to see in the list, none to change or delete", async () => {
    const { client, id } = await workspace.member("borrower");
    const agent = await create({ name: "Shared one" });
    expect(await faultOf(client.agents.get(agent.ID))).toMatchObject({ kind: "forbidden", message: errorTexts.agentNoAccess });
    await shareAgent(workspace.service.ctx, agent.ID, { userId: id });
    expect(await client.agents.get(agent.ID)).toMatchObject({ is_shared: true, name: "Shared one" });
    expect(await faultOf(client.agents.update(agent.ID, { name: "Mine" }))).toMatchObject({
      kind: "forbidden",
      message: errorTexts.agentUpdateForbidden,
    });
    expect(await faultOf(client.agents.remove(agent.ID))).toMatchObject({
      kind: "forbidden",
      message: errorTexts.agentDeleteForbidden,
    });
    const own = await client.agents.create({ name: "Own one", ai_model_id: plain });
    const listed = async (query: { shared?: boolean }) => (await client.agents.all(query)).map(({ ID }) => ID);
    expect(new Set(await listed({}))).toEqual(new Set([agent.ID, own.ID]));
    expect(await listed({ shared: false })).toEqual([own.ID]);
    expect(await listed({ shared: true })).toEqual([agent.ID]);
  });
});

describe("the list", () => {
  test("does not load model and sets, searches names in any case, pages, and can go by use", async () => {
    const { client } = await workspace.member("lister");
    const file = await uploadText(client, "f.txt", "x");
    const made = [];
    for (const name of ["Ärztin", "Bote", "Chor"])
      made.push(await client.agents.create({ name, ai_model_id: plain, file_ids: [file] }));
    const { items, total } = await client.agents.list();
    expect(total).toBe(3);
    for (const row of items) {
      expect(row).toMatchObject({ ai_model_id: plain, ai_model: { ID: 0, name: "" }, is_shared: false });
      for (const name of ["files", "mcp_servers", "knowledge_bases"]) expect(row).not.toHaveProperty(name);
    }
    expect((await client.agents.list({ search: "ÄRZT" })).items.map(({ name }) => name)).toEqual(["Ärztin"]);
    expect((await client.agents.list({ search: "%" })).items).toEqual([]);
    expect((await client.agents.list({ page: 2, size: 2 })).items).toHaveLength(1);
    await client.conversations.startAndWait({ message: "sing", agent_id: made[2]!.ID });
    expect((await client.agents.list({ usageSort: true })).items[0]!.name).toBe("Chor");
    const page = await workspace.ask("GET", "/agents?page=1&size=2");
    expect([page.header("x-page"), page.header("x-page-size")]).toEqual(["1", "2"]);
    expect(Number(page.header("x-total-count"))).toBeGreaterThan(2);
  });
});
