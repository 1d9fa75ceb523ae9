import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shareAgent } from "../../../src/service/agents/write.ts";
import { listModels, zeroModel } from "../../../src/service/models.ts";
import { writeRules } from "../../../src/service/rules.ts";
import { filesForm, openRooms, type Answer, type Member, type Rooms } from "../rooms.ts";

let rooms: Rooms;
let ada: Member;
let ben: Member;
beforeAll(async () => {
  rooms = await openRooms();
  ada = await rooms.member("ada");
  ben = await rooms.member("ben");
});
afterAll(() => rooms.close());

const create = async (who: Member, fields: object) => (await who.call("POST", "/agents", fields)).body;
const fileId = async (who: Member): Promise<number> => (await who.call("POST", "/file", filesForm({ "a.txt": "a" }))).body[0].ID;
const names = ({ body }: Answer): string[] => body.map((agent: { name: string }) => agent.name);

describe("creating an agent", () => {
  test("needs nothing but a name", async () => {
    const answer = await ada.call("POST", "/agents", { name: "Release Notes" });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      user_id: ada.id,
      name: "Release Notes",
      tag: "release-notes",
      slug: expect.stringMatching(/^[a-z0-9]{8}$/),
      icon: "cpu",
      color: "#F59E0B",
      description: null,
      system_prompt: "",
      ai_model_id: 0,
      tools: null,
      knowledge_base_limit_node_ids: null,
      world_knowledge: false,
      DeletedAt: null,
    });
    for (const absent of ["is_shared", "files", "mcp_servers", "knowledge_bases"]) expect(answer.body).not.toHaveProperty(absent);
  });

  test("takes every field, and of the files only the caller's own", async () => {
    const [model] = await listModels(rooms.ctx);
    const [own, foreign] = [await fileId(ada), await fileId(ben)];
    const fields = {
      name: "Full",
      tag: "full_1",
      icon: "rocket",
      color: "#000000",
      description: "All of it",
      system_prompt: "Be brief.",
      ai_model_id: model?.id,
      tools: [{ name: "web_search", use: true }],
      knowledge_base_limit_node_ids: [1],
      world_knowledge: true,
    };
    const agent = await create(ada, {
      ...fields,
      file_ids: [foreign, own, own, 12345],
      knowledge_base_ids: [9],
      mcp_server_ids: [9],
    });
    expect(agent).toMatchObject({ ...fields, ai_model: { ID: model?.id, name: model?.entry.name }, files: [{ ID: own }] });
    expect(agent.files).toHaveLength(1);
  });

  test("makes a derived tag unique among the owner's agents, and leaves @ai to the AI", async () => {
    const tags = [];
    for (const who of [ada, ada, ada, ben]) tags.push((await create(who, { name: "Twin" })).tag);
    expect(tags).toEqual(["twin", "twin-2", "twin-3", "twin"]);
    expect((await create(ada, { name: "AI" })).tag).toBe("ai-2");
  });

  test.each([
    ["no name", {}, "Agent name is required"],
    ["a blank name", { name: " \n" }, "Agent name is required"],
    ["a name that is too long", { name: "x".repeat(501) }, expect.stringContaining("name: expected at most 500")],
    ["a tag with capitals", { name: "x", tag: "Bad" }, expect.stringContaining("tag: expected")],
    ["an empty tag", { name: "x", tag: "" }, expect.stringContaining("tag: expected")],
    ["a tag that is too long", { name: "x", tag: "t".repeat(51) }, expect.stringContaining("tag: expected")],
    ["the tag of the AI", { name: "x", tag: "ai" }, expect.stringContaining("tag: expected")],
    ["a wrong type", { name: 5 }, expect.stringContaining("name")],
  ])("is refused with %s", async (_what, fields, error) => {
    expect(await ada.call("POST", "/agents", fields)).toMatchObject({ status: 400, body: { error } });
  });

  test("is refused with a tag that another of the owner's agents has", async () => {
    await create(ada, { name: "One", tag: "taken" });
    expect(await ada.call("POST", "/agents", { name: "Two", tag: "taken" })).toMatchObject({ status: 400 });
    expect((await ben.call("POST", "/agents", { name: "Two", tag: "taken" })).status).toBe(201);
  });

  test("is refused for a body that is not JSON", async () => {
    expect((await ada.call("POST", "/agents", "{name:", { "content-type": "application/json" })).status).toBe(400);
  });
});

describe("the workspace's rules for agents", () => {
  test("block sensitive prompts and models of the wrong residency, with a code", async () => {
    const [model] = await listModels(rooms.ctx);
    const agent = await create(ada, { name: "Ruled" });
    await writeRules(rooms.ctx.db, { sensitivePatterns: ["project x"], providers: [] });
    try {
      const secret = { system_prompt: "All about Project X" };
      const sensitive = { status: 400, body: { code: "SENSITIVE_DATA_BLOCKED", error: expect.any(String) } };
      expect(await ada.call("POST", "/agents", { name: "x", ...secret })).toMatchObject(sensitive);
      expect(await ada.call("PATCH", `/agents/${agent.ID}`, secret)).toMatchObject(sensitive);
      const residency = { status: 400, body: { code: "NO_PROVIDER_ASSIGNED", error: expect.any(String) } };
      expect(await ada.call("POST", "/agents", { name: "x", ai_model_id: model?.id })).toMatchObject(residency);
      expect(await ada.call("PATCH", `/agents/${agent.ID}`, { ai_model_id: model?.id })).toMatchObject(residency);
      // Whether the model exists is not checked.
      expect((await ada.call("POST", "/agents", { name: "x", ai_model_id: 4711 })).status).toBe(201);
    } finally {
      await writeRules(rooms.ctx.db, { sensitivePatterns: [], providers: null });
    }
  });
});

describe("reading an agent", () => {
  test("goes by ID or slug, and says whether it is another's", async () => {
    const agent = await create(ada, { name: "Seen" });
    for (const id of [agent.ID, agent.slug]) {
      expect(await ada.call("GET", `/agents/${id}`)).toMatchObject({ status: 200, body: { ID: agent.ID, is_shared: false } });
    }
    const refused = { status: 403, body: { error: "You don't have access to this agent" } };
    expect(await ben.call("GET", `/agents/${agent.slug}`)).toMatchObject(refused);
    await shareAgent(rooms.ctx, agent.ID, { userId: ben.id });
    expect(await ben.call("GET", `/agents/${agent.slug}`)).toMatchObject({ status: 200, body: { is_shared: true } });
  });

  test("that does not exist is not found", async () => {
    const notFound = { status: 404, body: { error: "Agent not found" } };
    for (const id of ["999999", "abcdefgh"]) expect(await ada.call("GET", `/agents/${id}`)).toMatchObject(notFound);
    await expect(shareAgent(rooms.ctx, 999999, "workspace")).rejects.toThrow("expected the ID of an agent");
  });
});

describe("the list of agents", () => {
  test("has own and shared ones, bare, with filters", async () => {
    const [cleo, dan] = [await rooms.member("cleo"), await rooms.member("dan")];
    const own = await create(cleo, { name: "Ärzte 100%", ai_model_id: 1, file_ids: [await fileId(cleo)] });
    const direct = await create(dan, { name: "Direct" });
    const everyone = await create(dan, { name: "Everyone" });
    await create(dan, { name: "Hidden" });
    await shareAgent(rooms.ctx, direct.ID, { userId: cleo.id });
    await shareAgent(rooms.ctx, everyone.ID, "workspace");
    await shareAgent(rooms.ctx, everyone.ID, "workspace");

    const all = await cleo.call("GET", "/agents?size=2");
    expect(all.headers.get("x-total-count")).toBe("3");
    expect(all.body).toMatchObject([
      { ID: own.ID, is_shared: false, ai_model_id: 1 },
      { ID: direct.ID, is_shared: true },
    ]);
    expect(all.body[0].ai_model).toEqual(zeroModel);
    expect(all.body[0]).not.toHaveProperty("files");
    expect(names(await cleo.call("GET", "/agents?shared=false"))).toEqual(["Ärzte 100%"]);
    expect(names(await cleo.call("GET", "/agents?shared=true"))).toEqual(["Direct", "Everyone"]);
    expect(names(await cleo.call("GET", `/agents?search=${encodeURIComponent("äRZTE 100%")}`))).toEqual(["Ärzte 100%"]);
    expect(names(await cleo.call("GET", "/agents?search=_"))).toEqual([]);
    // What is shared with everyone is the owner's own all the same.
    expect(names(await dan.call("GET", "/agents?shared=true"))).toEqual([]);
  });

  test("may begin with the most used", async () => {
    const eve = await rooms.member("eve");
    const [model] = await listModels(rooms.ctx);
    await create(eve, { name: "Idle" });
    const busy = await create(eve, { name: "Busy", ai_model_id: model?.id });
    await eve.call("POST", "/conversation", { message: "hello", agent_id: busy.ID });
    expect(names(await eve.call("GET", "/agents?usage_sort=true&shared=false"))).toEqual(["Busy", "Idle"]);
    expect(names(await eve.call("GET", "/agents?shared=false"))).toEqual(["Idle", "Busy"]);
  });
});

describe("changing an agent", () => {
  test("leaves what is omitted or null, and replaces what is an array", async () => {
    const file = await fileId(ada);
    const made = {
      name: "Before",
      description: "kept",
      tools: [{ name: "web_search", use: true }],
      file_ids: [file],
      world_knowledge: true,
    };
    const agent = await create(ada, made);
    const renamed = await ada.call("PATCH", `/agents/${agent.slug}`, { name: "After", description: null, file_ids: null });
    expect(renamed).toMatchObject({
      status: 200,
      body: {
        name: "After",
        tag: "before",
        description: "kept",
        tools: made.tools,
        world_knowledge: true,
        files: [{ ID: file }],
      },
    });
    expect(renamed.body).not.toHaveProperty("is_shared");
    const emptied = await ada.call("PATCH", `/agents/${agent.ID}`, { file_ids: [], tools: [], world_knowledge: false });
    expect(emptied.body).toMatchObject({ tools: [], world_knowledge: false });
    expect(emptied.body).not.toHaveProperty("files");
  });

  test("holds to the rules of creation", async () => {
    const agent = await create(ada, { name: "Strict", tag: "strict" });
    await create(ada, { name: "Other", tag: "strict-other" });
    const patch = (fields: object) => ada.call("PATCH", `/agents/${agent.ID}`, fields);
    expect(await patch({ name: " " })).toMatchObject({ status: 400, body: { error: "Agent name is required" } });
    expect((await patch({ tag: "No Good" })).status).toBe(400);
    expect((await patch({ tag: "strict-other" })).status).toBe(400);
    expect((await patch({ tag: "strict" })).status).toBe(200);
  });

  test("is the owner's alone, also where it is shared", async () => {
    const agent = await create(ada, { name: "Owned" });
    await shareAgent(rooms.ctx, agent.ID, "workspace");
    expect(await ben.call("PATCH", `/agents/${agent.ID}`, { name: "Mine" })).toMatchObject({
      status: 403,
      body: { error: "You are not authorized to update this agent" },
    });
    expect(await ben.call("DELETE", `/agents/${agent.ID}`)).toMatchObject({
      status: 403,
      body: { error: "You are not authorized to delete this agent" },
    });
    expect((await ada.call("PATCH", "/agents/999999", {})).status).toBe(404);
  });
});

describe("deleting an agent", () => {
  test("goes by slug too, frees its tag and leaves its files", async () => {
    const file = await fileId(ada);
    const agent = await create(ada, { name: "Short", tag: "short", file_ids: [file] });
    expect((await ada.call("DELETE", `/agents/${agent.slug}`)).status).toBe(204);
    expect((await ada.call("GET", `/agents/${agent.ID}`)).status).toBe(404);
    expect((await ada.call("DELETE", `/agents/${agent.ID}`)).status).toBe(404);
    expect((await ada.call("POST", "/agents", { name: "Again", tag: "short" })).status).toBe(201);
    expect((await ada.call("DELETE", `/file/${file}`)).status).toBe(204);
  });

  test("a deleted file is no longer the agent's", async () => {
    const file = await fileId(ada);
    const agent = await create(ada, { name: "Reader", file_ids: [file] });
    await ada.call("DELETE", `/file/${file}`);
    expect((await ada.call("GET", `/agents/${agent.ID}`)).body).not.toHaveProperty("files");
  });
});
