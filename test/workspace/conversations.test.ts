/** Conversations through the front door: who answers, what a follow-up may change, and every error of a send. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FollowUpBody, StartBody } from "../../src/contract/bodies.ts";
import { errorTexts, quotaReasons } from "../../src/contract/errors.ts";
import { parseMoney } from "../../src/contract/money.ts";
import type { Message } from "../../src/contract/records.ts";
import { setQuota } from "../../src/service/admin.ts";
import { addProjectFile, setProjectInstructions } from "../../src/service/projects/write.ts";
import { shareAgent } from "../../src/service/agents/write.ts";
import { faultOf, startWorkspace, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
let plain: number;
let thinking: number;
beforeAll(async () => {
  workspace = await startWorkspace();
  plain = await workspace.modelId("test:plain");
  thinking = await workspace.modelId("test:thinking");
});
afterAll(() => workspace.close());

const conversations = () => workspace.owner.conversations;
const exchange = async (body: StartBody, options?: { projectId?: number }): Promise<Message> => {
  const { message } = await conversations().startAndWait({ message: "hello", ...body }, options);
  expect(message).toBeDefined();
  return message!;
};
const lastRequest = () => workspace.provider.requests.at(-1)!;
const count = async (): Promise<number> => (await conversations().list()).total!;

describe("an exchange", () => {
  test("answers in full; reads have both messages, newest first, and the text as it was written", async () => {
    const { conversationId, message } = await conversations().startAndWait({ message: "hello", ai_model_id: plain });
    expect(message).toMatchObject({
      conversation_context_id: conversationId,
      ai_model_id: plain,
      ai_model: { name: "Plain" },
      agent_id: null,
      is_auto_model: false,
      text: "You said: hello",
      isUser: false,
      status: "finished",
      error_text: null,
      ai_style: "prompty",
      type: "normal",
      attachments: [],
    });
    expect(message).not.toHaveProperty("raw_text");
    const { items, total } = await conversations().messages(conversationId);
    expect(total).toBe(2);
    expect(items.map(({ isUser, text, status }) => ({ isUser, text, status }))).toEqual([
      { isUser: false, text: "You said: hello", status: "finished" },
      { isUser: true, text: "hello", status: "finished" },
    ]);
    expect(items[0]!.raw_text).toBe("You said: hello");
    expect(items[0]!.parts).toEqual([expect.objectContaining({ type: "text", text_part: { text: "You said: hello" } })]);
  });

  test("costs tokens by their price and the model's multiplier, exactly, and is counted on message, conversation and account", async () => {
    const message = await exchange({ ai_model_id: plain });
    // (10 x 0.001 + 4 x 0.0025) x 2
    expect(message.credits_used).toBe("0.04");
    const { items } = await conversations().list();
    expect(items[0]).toMatchObject({ ID: message.conversation_context_id, credits_used: "0.04" });
    expect(parseMoney(message.credits_used)).toBeDefined();
  });

  test("is named after the first exchange, and found by its slug", async () => {
    const { conversation_context_id: id } = await exchange({ message: "How tall is the lighthouse?", ai_model_id: plain });
    const [listed] = (await conversations().list({ size: 1 })).items;
    expect(listed).toMatchObject({
      ID: id,
      name: expect.stringContaining("lighthouse") as string,
      next_message_ai_model_id: plain,
    });
    expect(listed!.slug).toMatch(/^(?!\d+$)[a-z0-9]{8}$/);
    expect((await conversations().messages(listed!.slug)).total).toBe(2);
    await conversations().followUpAndWait(listed!.slug, { message: "And how old?" });
    expect((await conversations().messages(id!)).total).toBe(4);
    expect(lastRequest().turns.map(({ text }) => text)).toEqual([
      "How tall is the lighthouse?",
      "You said: How tall is the lighthouse?",
      "And how old?",
    ]);
  });

  test("thinking is a part and a field of its own, citations are listed", async () => {
    const thought = await exchange({ message: "think", ai_model_id: thinking });
    expect(thought.thinking).toBe("Let me see.");
    expect(thought.parts.map(({ type }) => type)).toEqual(["thinking", "text"]);
    const cited = await exchange({ message: "cite", ai_model_id: plain });
    expect(cited.citations).toEqual([expect.objectContaining({ url: "https://example.org/a", citation_index: 1 })]);
  });

  test("pages of messages and of conversations have their headers", async () => {
    const id = (await exchange({ ai_model_id: plain })).conversation_context_id!;
    const page = await workspace.ask("GET", `/conversation/${id}?page=2&size=1`);
    expect(page.body).toMatchObject([{ isUser: true }]);
    expect([page.header("x-page"), page.header("x-page-size"), page.header("x-total-count")]).toEqual(["2", "1", "2"]);
    const list = await workspace.ask("GET", "/conversation");
    expect([list.header("x-page"), list.header("x-page-size")]).toEqual(["1", "10"]);
    expect((list.body as unknown[]).length).toBeLessThanOrEqual(10);
  });
});

describe("which model answers", () => {
  test("automatic choice beats a chosen model", async () => {
    expect(await exchange({ auto_model_type: "best", ai_model_id: plain })).toMatchObject({
      ai_model_id: thinking,
      is_auto_model: true,
    });
    const quick = await workspace.modelId("test:quick");
    expect(await exchange({ auto_model_type: "fastest" })).toMatchObject({ ai_model_id: quick, is_auto_model: true });
    expect(await exchange({ auto_model_type: "balanced" })).toMatchObject({ ai_model_id: plain, is_auto_model: true });
  });

  test("a chosen model beats the project's, which counts where nothing is chosen", async () => {
    const project = await workspace.owner.projects.create({ name: "Defaults" });
    await workspace.service.ctx.db
      .updateTable("projects")
      .set({ ai_model_id: thinking, auto_model_type: null })
      .where("id", "=", project.ID)
      .execute();
    expect(await exchange({}, { projectId: project.ID })).toMatchObject({ ai_model_id: thinking, is_auto_model: false });
    expect(await exchange({ ai_model_id: plain }, { projectId: project.ID })).toMatchObject({ ai_model_id: plain });
    expect(await exchange({ auto_model_type: "balanced" }, { projectId: project.ID })).toMatchObject({ is_auto_model: true });
    expect((await conversations().list()).items[0]).toMatchObject({ projectId: project.ID });
  });

  test("without any it is 503, and the conversation exists all the same", async () => {
    const before = await count();
    const fault = await faultOf(conversations().start({ message: "hello" }));
    expect(fault).toMatchObject({ kind: "unavailable", status: 503, message: errorTexts.noModel });
    expect(await count()).toBe(before + 1);
    const [orphan] = (await conversations().list()).items;
    expect(orphan!.next_message_ai_model_id).toBe(0);
    await conversations().changeModel(orphan!.ID, { ai_model_id: plain });
    expect((await conversations().followUpAndWait(orphan!.ID, { message: "now" }))?.text).toBe("You said: now");
  });

  test("a model that is not in the catalogue is 503", async () => {
    expect(await faultOf(conversations().start({ message: "hello", ai_model_id: 999 }))).toMatchObject({ status: 503 });
  });

  test("an effort that the model has not falls back to its default; a model that does not think has none; a style is kept", async () => {
    await exchange({ ai_model_id: thinking, reasoning_effort: "high" });
    expect(lastRequest().reasoningEffort).toBe("high");
    await exchange({ ai_model_id: thinking, reasoning_effort: "extreme" });
    expect(lastRequest().reasoningEffort).toBe("low");
    await exchange({ ai_model_id: plain, reasoning_effort: "high" });
    expect(lastRequest().reasoningEffort).toBeNull();
    expect((await exchange({ ai_model_id: plain, ai_style: "dry" })).ai_style).toBe("dry");
    expect(lastRequest().system).toContain("dry");
  });

  test("PATCH changes model, style and effort of later turns", async () => {
    const id = (await exchange({ ai_model_id: plain })).conversation_context_id!;
    await conversations().changeModel(id, { ai_model_id: thinking, ai_style: "warm", reasoning_effort: "high" });
    const message = await conversations().followUpAndWait(id, { message: "again" });
    expect(message).toMatchObject({ ai_model_id: thinking, ai_style: "warm" });
    expect(lastRequest().reasoningEffort).toBe("high");
    expect(await faultOf(conversations().changeModel(id, { ai_model_id: 999 }))).toMatchObject({ status: 503 });
    expect(await faultOf(conversations().changeModel(999_999, { ai_style: "x" }))).toMatchObject({ kind: "not_found" });
  });
});

describe("a follow-up", () => {
  test("ignores silently what only a start may set", async () => {
    const agent = await workspace.owner.agents.create({ name: "Ignored", ai_model_id: thinking });
    const project = await workspace.owner.projects.create({ name: "Ignored" });
    const id = (await exchange({ ai_model_id: plain })).conversation_context_id!;
    const body = {
      message: "more",
      ai_model_id: thinking,
      auto_model_type: "best",
      ai_style: "dry",
      reasoning_effort: "high",
      agent_id: agent.ID,
      invited_agent_ids: [agent.ID],
      team_id: 7,
      project_id: project.ID,
    } as FollowUpBody;
    const message = await conversations().followUpAndWait(id, body);
    expect(message).toMatchObject({ ai_model_id: plain, agent_id: null, ai_style: "prompty", is_auto_model: false });
    expect((await conversations().list()).items.find(({ ID }) => ID === id)).toMatchObject({ projectId: null });
  });

  test("PATCH ends the automatic choice of a conversation that began with it", async () => {
    const id = (await exchange({ auto_model_type: "best" })).conversation_context_id!;
    await conversations().changeModel(id, { ai_model_id: plain });
    const message = await conversations().followUpAndWait(id, { message: "more" });
    expect(message).toMatchObject({ ai_model_id: plain, is_auto_model: false });
  });

  test("takes the fields that are marked for it", async () => {
    const id = (await exchange({ ai_model_id: plain })).conversation_context_id!;
    const file = await uploadText(workspace.owner, "notes.txt", "The lamp is lit at dusk.");
    await conversations().followUpAndWait(id, {
      message: "read",
      attachments: [{ id: file }],
      world_knowledge: true,
      flash_mode: true,
      tools: [{ name: "web_search", use: false }],
    });
    const [answer, question] = (await conversations().messages(id, { size: 2 })).items;
    expect(question).toMatchObject({
      world_knowledge: true,
      tools: [{ name: "web_search", use: false }],
      attachments: [{ ID: file }],
    });
    expect(answer!.world_knowledge).toBe(true);
    expect(lastRequest().flash).toBe(true);
    expect(
      lastRequest()
        .turns.at(-1)!
        .documents?.map(({ text }) => text.trim()),
    ).toEqual(["The lamp is lit at dusk."]);
  });
});

describe("attachments", () => {
  test("go on in later turns; a temporary one is for its turn only and is not recorded", async () => {
    const kept = await uploadText(workspace.owner, "kept.txt", "kept text");
    const passing = await uploadText(workspace.owner, "passing.txt", "passing text");
    const documents = () => lastRequest().turns.flatMap((turn) => (turn.documents ?? []).map(({ name }) => name));
    const { conversation_context_id: id } = await exchange({
      ai_model_id: plain,
      attachments: [
        { id: kept, type: "file" },
        { id: passing, temp: true },
      ],
    });
    expect(documents().toSorted()).toEqual(["kept.txt", "passing.txt"]);
    expect((await conversations().messages(id!)).items[1]!.attachments.map(({ name }) => name)).toEqual(["kept.txt"]);
    await conversations().followUpAndWait(id!, { message: "again" });
    expect(documents()).toEqual(["kept.txt"]);
    await conversations().followUpAndWait(id!, { message: "and", attachments: [{ id: passing, temp: true }] });
    expect(documents()).toEqual(["kept.txt", "passing.txt"]);
  });

  test("that are not the caller's, or unknown, are refused before anything is created", async () => {
    const { client } = await workspace.member("stranger");
    const foreign = await uploadText(client, "theirs.txt", "secret");
    const before = await count();
    for (const attachment of [{ id: foreign }, { id: 999_999 }, { id: 1, type: "transcription" as const }]) {
      const fault = await faultOf(conversations().start({ message: "x", ai_model_id: plain, attachments: [attachment] }));
      expect(fault).toMatchObject({ status: 503 });
    }
    expect(await count()).toBe(before);
  });

  test("that the model does not take are named to it as not read", async () => {
    const sheets = await workspace.modelId("test:sheets");
    const text = await uploadText(workspace.owner, "a.txt", "text");
    const table = await uploadText(workspace.owner, "a.csv", "x,y\n1,2\n");
    await exchange({ ai_model_id: sheets, attachments: [{ id: text }, { id: table }] });
    const turn = lastRequest().turns.at(-1)!;
    expect(turn.unread?.map(({ name }) => name)).toEqual(["a.txt"]);
    expect(turn.documents?.map(({ name }) => name)).toEqual(["a.csv"]);
  });
});

describe("agents in conversations", () => {
  test("an agent chat uses the agent's model, prompt and files on every turn, in the default style, without effort", async () => {
    const file = await uploadText(workspace.owner, "chart.txt", "reef at 3 m");
    const agent = await workspace.owner.agents.create({
      name: "Pilot",
      ai_model_id: thinking,
      system_prompt: "You know these waters.",
      file_ids: [file],
    });
    const message = await exchange({ agent_id: agent.ID, ai_model_id: plain, ai_style: "dry", reasoning_effort: "high" });
    expect(message).toMatchObject({ agent_id: agent.ID, agent: { name: "Pilot" }, ai_model_id: thinking, ai_style: "prompty" });
    expect(lastRequest()).toMatchObject({ system: "You know these waters.", reasoningEffort: null });
    await conversations().followUpAndWait(message.conversation_context_id!, { message: "and now?" });
    expect(lastRequest().system).toBe("You know these waters.");
    expect(
      lastRequest()
        .turns.flatMap(({ documents }) => documents ?? [])
        .map(({ name }) => name),
    ).toContain("chart.txt");
  });

  test("a mention routes one turn; it is a word of its own, of the caller's own agents", async () => {
    const agent = await workspace.owner.agents.create({ name: "Night watch", tag: "night-watch", ai_model_id: thinking });
    const other = await workspace.member("other owner");
    await other.client.agents.create({ name: "Theirs", tag: "theirs", ai_model_id: thinking });
    const id = (await exchange({ ai_model_id: plain, message: "@night-watch, all well?" })).conversation_context_id!;
    expect((await conversations().messages(id)).items[0]).toMatchObject({
      agent_id: agent.ID,
      ai_model_id: thinking,
      ai_style: "prompty",
    });
    for (const text of ["mail me@night-watch", "@night-watcher", "@theirs hello", "night-watch", "@NIGHT-WATCH?", "@night"]) {
      expect((await conversations().followUpAndWait(id, { message: text }))?.agent_id).toBeNull();
    }
  });

  test("only invited agents may be mentioned where some were invited; foreign ones are nobody", async () => {
    const invited = await workspace.owner.agents.create({ name: "Invited", tag: "invited", ai_model_id: plain });
    await workspace.owner.agents.create({ name: "Not invited", tag: "uninvited", ai_model_id: plain });
    const id = (await exchange({ ai_model_id: plain, invited_agent_ids: [invited.ID, 999_999] })).conversation_context_id!;
    expect((await conversations().followUpAndWait(id, { message: "@invited hi" }))?.agent_id).toBe(invited.ID);
    expect((await conversations().followUpAndWait(id, { message: "@uninvited hi" }))?.agent_id).toBeNull();
  });

  test("an agent that is unknown or only shared cannot be chatted with", async () => {
    const lender = await workspace.member("lender");
    const shared = await lender.client.agents.create({ name: "Lent", ai_model_id: plain });
    await shareAgent(workspace.service.ctx, shared.ID, "workspace");
    for (const agent_id of [999_999, shared.ID]) {
      const fault = await faultOf(conversations().start({ message: "hi", agent_id }));
      expect(fault).toMatchObject({ status: 503, message: errorTexts.conversationNotCreated });
    }
  });
});

describe("projects in conversations", () => {
  test("instructions and files join every turn; a slug in the header counts as absent; an unknown project is refused", async () => {
    const { ctx } = workspace.service;
    const project = await workspace.owner.projects.create({ name: "Harbour" });
    await setProjectInstructions(ctx, project.ID, "Speak of tides.");
    const [file] = [await uploadText(workspace.owner, "tides.txt", "High water at noon.")];
    const { id: ownerId } = await ctx.db.selectFrom("users").select("id").where("name", "=", "owner").executeTakeFirstOrThrow();
    await addProjectFile(ctx, project.ID, { userId: ownerId, fileId: file });
    const { conversation_context_id: id } = await exchange({ ai_model_id: plain }, { projectId: project.ID });
    for (const check of [1, 2]) {
      expect(lastRequest().system).toContain("Speak of tides.");
      expect(
        lastRequest()
          .turns.at(-1)!
          .documents?.map(({ name }) => name),
      ).toEqual(["tides.txt"]);
      if (check === 1) await conversations().followUpAndWait(id!, { message: "again" });
    }
    const headers = { "x-project-id": project.slug, "content-type": "application/json" };
    const body = JSON.stringify({ message: "hi", ai_model_id: plain, project_id: project.ID });
    const slugged = await workspace.ask("POST", "/conversation", { headers, body });
    expect(slugged.status).toBe(200);
    expect((await conversations().list()).items[0]).toMatchObject({ projectId: null });
    expect(await faultOf(conversations().start({ message: "hi", ai_model_id: plain }, { projectId: 999_999 }))).toMatchObject({
      status: 503,
      message: errorTexts.conversationNotCreated,
    });
  });

  test("the free-text run gets none of it", async () => {
    await workspace.owner.run("plain text", { modelId: plain });
    expect(lastRequest()).toMatchObject({ system: null, turns: [{ role: "user", text: "plain text" }] });
  });
});

describe("refusals of a send", () => {
  beforeEach(() => setQuota(workspace.service.ctx, "owner", { reason: null, limit: null }));

  test.for(quotaReasons)("quota: %s, before anything is created, on starts, follow-ups, retries and runs", async (reason) => {
    const { ctx } = workspace.service;
    const id = (await exchange({ ai_model_id: plain })).conversation_context_id!;
    const before = await count();
    await setQuota(ctx, "owner", { reason });
    const calls = [
      () => conversations().start({ message: "x", ai_model_id: plain }),
      () => conversations().startAndWait({ message: "x" }),
      () => conversations().followUp(id, { message: "x" }),
      () => conversations().followUpAndWait(id, { message: "x" }),
      () => conversations().retry(id, 1),
      () => workspace.owner.run("x", { modelId: plain }),
    ];
    for (const call of calls) {
      expect(await faultOf(call())).toMatchObject({ kind: "quota", status: 429, message: errorTexts.quota, reason });
    }
    await setQuota(ctx, "owner", { reason: null });
    expect(await count()).toBe(before);
    expect((await conversations().messages(id)).total).toBe(2);
  });

  test("credits that are used up are a quota, counted in exact decimals", async () => {
    const { ctx } = workspace.service;
    await setQuota(ctx, "owner", { used: "0.1", limit: "0.14" });
    await exchange({ ai_model_id: plain });
    expect(await faultOf(conversations().start({ message: "x", ai_model_id: plain }))).toMatchObject({ reason: "credit_count" });
    await setQuota(ctx, "owner", { limit: "0.15" });
    await exchange({ ai_model_id: plain });
  });

  test("an unknown knowledge base is 400; so is a remote tool server that is not there", async () => {
    const refused = (body: FollowUpBody) => faultOf(conversations().start({ message: "x", ai_model_id: plain, ...body }));
    expect(await refused({ knowledge_base_ids: [5] })).toMatchObject({ status: 400, message: errorTexts.knowledgeBaseNotFound });
    expect(await refused({ tools: [{ name: "remote_mcp", use: true, mcp_tool_id: 5 }] })).toMatchObject({
      status: 400,
      blockCode: expect.any(String) as string,
    });
  });

  test("an unknown team is 503", async () => {
    const fault = await faultOf(conversations().start({ message: "x", ai_model_id: plain, team_id: 4 }));
    expect(fault).toMatchObject({ status: 503, message: errorTexts.conversationNotCreated });
  });

  test("conversations of others, and deleted ones, are not found on any route", async () => {
    const { client } = await workspace.member("neighbour");
    const id = (await exchange({ ai_model_id: plain })).conversation_context_id!;
    const all = (asked: typeof client) => [
      () => asked.conversations.messages(id),
      () => asked.conversations.followUp(id, { message: "x" }),
      () => asked.conversations.followUpAndWait(id, { message: "x" }),
      () => asked.conversations.changeModel(id, { ai_style: "x" }),
      () => asked.conversations.retry(id, 1),
      () => asked.conversations.follow(id),
      () => asked.conversations.remove(id),
    ];
    for (const call of all(client)) expect(await faultOf(call())).toMatchObject({ kind: "not_found" });
    await conversations().remove(id);
    for (const call of all(workspace.owner)) expect(await faultOf(call())).toMatchObject({ kind: "not_found" });
    expect((await conversations().list()).items.map(({ ID }) => ID)).not.toContain(id);
  });

  test("deletion and the live channel take the numeric ID only", async () => {
    await exchange({ ai_model_id: plain });
    const { slug, ID } = (await conversations().list()).items[0]!;
    expect((await workspace.ask("DELETE", `/conversation/${slug}`)).status).toBe(400);
    expect(await faultOf(conversations().follow(slug as unknown as number))).toMatchObject({ status: 400 });
    await conversations().remove(ID);
  });
});

describe("a reply that fails", () => {
  test("waited for, it is 503; on reads it is finished, with a text and a reference of ten characters; a retry makes it again in its place", async () => {
    const fault = await faultOf(conversations().startAndWait({ message: "fail once", ai_model_id: plain }));
    expect(fault).toMatchObject({ kind: "unavailable", status: 503, message: "The test provider broke off." });
    const id = (await conversations().list()).items[0]!.ID;
    const [failed] = (await conversations().messages(id)).items;
    expect(failed).toMatchObject({ status: "finished", error_text: "The test provider broke off.", isUser: false });
    expect(failed!.error_id).toMatch(/^[a-z0-9]{10}$/);
    await conversations().retry(id, failed!.ID);
    const answer = await finished(id);
    expect(answer).toMatchObject({ ID: failed!.ID, text: "You said: fail once", error_text: null, error_id: null });
    expect((await conversations().messages(id)).total).toBe(2);
  });

  test("only a failed message can be retried, of its own conversation", async () => {
    const message = await exchange({ ai_model_id: plain });
    const id = message.conversation_context_id!;
    expect(await faultOf(conversations().retry(id, message.ID))).toMatchObject({ status: 400 });
    expect(await faultOf(conversations().retry(id, 999_999))).toMatchObject({ status: 404 });
    const elsewhere = await exchange({ ai_model_id: plain });
    expect(await faultOf(conversations().retry(id, elsewhere.ID))).toMatchObject({ status: 404 });
  });

  test("an empty answer is a failure too, and a failed one is no part of what is said next", async () => {
    await faultOf(conversations().startAndWait({ message: "empty", ai_model_id: plain }));
    const id = (await conversations().list()).items[0]!.ID;
    expect((await finished(id)).error_text).not.toBeNull();
    await conversations().followUpAndWait(id, { message: "then?" });
    expect(lastRequest().turns.filter(({ role }) => role === "assistant")).toEqual([]);
  });
});

/** The newest message, once it is finished. */
async function finished(id: number): Promise<Message> {
  for (;;) {
    const [newest] = (await conversations().messages(id, { size: 1 })).items;
    if (newest?.status === "finished") return newest;
  }
}
