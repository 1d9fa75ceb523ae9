/** The walk over the tool table against the real tool server: every served tool works, and nobody learns of what they may not call. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorTexts, toolNotFound } from "../../src/contract/errors.ts";
import { permissions } from "../../src/contract/permissions.ts";
import { servedTools, tools as table, type ServedTool } from "../../src/contract/tools.ts";
import type { Message, WorkspaceTool } from "../../src/contract/records.ts";
import { addProjectFile, shareAgent, shareProject } from "../../src/service/admin.ts";
import { mediaToolsWork } from "./media-tools.ts";
import { faultOf, startWorkspace, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

/** Tools that have answered with more than a no. */
const answered = new Set<ServedTool>();
const call = async (name: ServedTool, args: Record<string, unknown> = {}): Promise<unknown> => {
  const answer = await workspace.owner.tools.call(name, args);
  answered.add(name);
  return answer;
};
/** What the tool says when it says no. */
const refusal = async (asked: Promise<unknown>): Promise<string> => {
  const fault = await faultOf(asked);
  expect(fault.kind).toBe("rejected");
  return fault.message;
};
/** A conversation of the owner's that begins with `message`. */
const talk = async (message: string): Promise<{ ID: number }> => {
  const { conversationId } = await workspace.owner.conversations.startAndWait({ message, ai_model_id: 1 });
  return { ID: conversationId };
};
const send = async (args: Record<string, unknown>): Promise<Message> => (await call("send_message", args)) as Message;
const permissionOf = (name: string) => table.find((row) => row.name === name)!.permission;
const namesOf = (offered: readonly WorkspaceTool[]): string[] => offered.map(({ name }) => name).toSorted();

type MediaTool = Extract<
  ServedTool,
  | `${string}_${"image" | "generation" | "transcription" | "generation_status" | "transcription_status"}`
  | `generate_${string}`
  | "transcribe"
>;
/** A prompt with a variable, and its IDs. */
async function prompt(): Promise<{ id: number; variable: number }> {
  const { prompts } = workspace.owner;
  const { ID } = await prompts.create({ name: `About ${++made}` });
  await prompts.setContent({ prompt_id: ID, content: "Write of {{topic}}" });
  return { id: ID, variable: (await prompts.createVariable({ prompt_id: ID, slug: "topic", default_value: "ships" })).ID };
}
let made = 0;

/** For each served tool a call that succeeds, and a look at its answer. */
const works: Readonly<Record<ServedTool, () => Promise<void>>> = {
  list_ai_models: async () => {
    expect(await call("list_ai_models", { search: "plain", legacy: false })).toMatchObject({
      items: [{ ID: 1, name: "Plain", selectable: true }],
      total_count: 1,
    });
    const all = await workspace.owner.models.list();
    expect(await call("list_ai_models", { limit: 2, offset: 1 })).toEqual({ items: all.slice(1, 3), total_count: all.length });
  },
  custom_run: async () => {
    expect(await call("custom_run", { prompt: "hi", ai_model_id: 1 })).toMatchObject({ ID: 0, text: "You said: hi" });
    expect(await refusal(call("custom_run", { prompt: " ", ai_model_id: 1 }))).toContain("prompt: expected a text");
  },
  list_conversations: async () => {
    const { ID } = await talk("first of the list");
    const listedNow = await workspace.owner.conversations.list({ size: 1 });
    expect(await call("list_conversations", { limit: 1 })).toEqual({ items: listedNow.items, total_count: listedNow.total });
    expect(listedNow.items[0]?.ID).toBe(ID);
  },
  get_conversation: async () => {
    const { ID } = await talk("to be read");
    const { items, total } = await workspace.owner.conversations.messages(ID, { size: 1 });
    expect(await call("get_conversation", { id: ID, limit: 1 })).toMatchObject({
      conversation: { ID, name: "to be read" },
      items,
      total_count: total,
    });
    const { client } = await workspace.member("stranger");
    for (const id of [ID, "nothing"])
      expect(await refusal(client.tools.call("get_conversation", { id }))).toBe(errorTexts.conversationNotFound);
  },
  send_message: async () => {
    const file = await uploadText(workspace.owner, "note.txt", "the note");
    const project = await workspace.owner.projects.create({ name: "Letters" });
    const first = await send({ message: "hello", ai_model_id: 1, file_ids: [file], project_id: project.ID });
    expect(first).toMatchObject({ text: expect.stringContaining("hello") as string, isUser: false, status: "finished" });
    const id = first.conversation_context_id ?? 0;
    expect(await send({ message: "more", conversation_id: id })).toMatchObject({
      conversation_context_id: id,
      text: "You said: more",
    });
    const { items } = await workspace.owner.conversations.messages(id);
    expect(items.at(-1)?.attachments).toMatchObject([{ type: "file", ID: file }]);
    expect((await workspace.owner.conversations.list()).items[0]).toMatchObject({ ID: id, projectId: project.ID });
    expect(await refusal(send({ message: "more", conversation_id: id, ai_model_id: 1 }))).toContain("ai_model_id: expected only");
    expect(await refusal(send({ message: "more", conversation_id: 999_999 }))).toBe(errorTexts.conversationNotFound);
    expect(await refusal(send({ message: "hello" }))).toBe(errorTexts.noModel);
    expect(await refusal(send({ message: "fail", ai_model_id: 1 }))).not.toBe("");
  },
  delete_conversation: async () => {
    const { ID } = await talk("to be deleted");
    const { client } = await workspace.member("stranger");
    expect(await refusal(client.tools.call("delete_conversation", { id: ID }))).toBe(errorTexts.conversationNotFound);
    expect(await call("delete_conversation", { id: ID })).toEqual({ deleted: ID });
    expect(await faultOf(workspace.owner.conversations.messages(ID))).toMatchObject({ kind: "not_found" });
  },
  list_files: async () => {
    const { client } = await workspace.member("keeper");
    const ids = [await uploadText(client, "a.txt", "a"), await uploadText(client, "b.txt", "b")];
    expect(await client.tools.call("list_files", { limit: 1, offset: 1 })).toMatchObject({
      items: [{ ID: ids[1], name: "b.txt", fileType: "file_search" }],
      total_count: 2,
    });
    await uploadText(workspace.owner, "mine.txt", "c");
    const mine = await workspace.owner.files.list({ size: 100 });
    expect(await call("list_files", { limit: 100 })).toEqual({ items: mine.items, total_count: mine.total });
  },
  get_file: async () => {
    const id = await uploadText(workspace.owner, "c.txt", "c");
    expect(await call("get_file", { id })).toMatchObject({ ID: id, name: "c.txt" });
    const { client } = await workspace.member("stranger");
    expect(await refusal(client.tools.call("get_file", { id }))).toBe(errorTexts.fileNoAccess);
    expect(await refusal(call("get_file", { id: 999_999 }))).toBe(errorTexts.fileNotFound);
  },
  list_projects: async () => {
    const made = await workspace.owner.projects.create({ name: "Lighthouse", description: "On the rock" });
    expect(await call("list_projects", { search: "ROCK", is_shared: false })).toMatchObject({
      items: [{ ID: made.ID, name: "Lighthouse" }],
      total_count: 1,
    });
    expect(await call("list_projects", { search: "rock", is_shared: true })).toEqual({ items: [], total_count: 0 });
  },
  get_project: async () => {
    const made = await workspace.owner.projects.create({ name: "Pier" });
    expect(await call("get_project", { id: made.slug, include_files: true })).toMatchObject({ ID: made.ID, files: [] });
    const { client } = await workspace.member("stranger");
    expect(await refusal(client.tools.call("get_project", { id: made.ID }))).toBe(errorTexts.projectNoAccess);
    expect(await refusal(call("get_project", { id: 999_999 }))).toBe(errorTexts.projectNotFound);
  },
  create_project: async () => {
    const made = (await call("create_project", { name: "Quay", icon: "rocket", description: null })) as { ID: number };
    expect(await workspace.owner.projects.get(made.ID)).toMatchObject({ name: "Quay", icon: "rocket", description: "" });
    expect(await refusal(call("create_project", { name: " " }))).toBe(errorTexts.projectNameRequired);
    expect(await refusal(call("create_project", { name: "x", icon: "nothing" }))).toContain("icon:");
  },
  delete_project: async () => {
    const { ctx } = workspace.service;
    const { ID } = await workspace.owner.projects.create({ name: "Short-lived" });
    const file = await uploadText(workspace.owner, "kept.txt", "kept");
    const owner = (await workspace.owner.projects.get(ID)).user_id;
    await addProjectFile(ctx, ID, { userId: owner, fileId: file });
    const { id: guest, client } = await workspace.member("guest");
    await shareProject(ctx, ID, { userId: guest }, { project_management: true });
    expect(await refusal(client.tools.call("delete_project", { id: ID }))).toBe(errorTexts.projectDeleteForbidden);
    expect(await call("delete_project", { id: ID })).toEqual({ deleted: ID });
    expect(await refusal(call("get_project", { id: ID }))).toBe(errorTexts.projectNotFound);
    expect(await call("get_file", { id: file })).toMatchObject({ project_id: null });
  },
  list_agents: async () => {
    const { agents } = workspace.owner;
    const ada = await agents.create({ name: "Ada", ai_model_id: 1 });
    const other = await workspace.member("lender");
    const lent = await other.client.agents.create({ name: "Ada lent", ai_model_id: 1 });
    await shareAgent(workspace.service.ctx, lent.ID, "workspace");
    // Only the caller's own, though the route lists the shared one too.
    expect((await agents.list({ search: "ada" })).total).toBe(2);
    expect(await call("list_agents", { search: "ada" })).toMatchObject({ items: [{ ID: ada.ID }], total_count: 1 });
  },
  get_agent: async () => {
    const made = await workspace.owner.agents.create({ name: "Eve", ai_model_id: 1 });
    for (const id of [made.ID, made.slug, String(made.ID)])
      expect(await call("get_agent", { id })).toMatchObject({ ID: made.ID, ai_model: { name: "Plain" }, is_shared: false });
    const { client } = await workspace.member("stranger");
    expect(await faultOf(client.tools.call("get_agent", { id: made.ID }))).toMatchObject({ message: errorTexts.agentNoAccess });
    expect(await faultOf(call("get_agent", { id: "nobody" }))).toMatchObject({ message: errorTexts.agentNotFound });
  },
  ...(mediaToolsWork(() => workspace, call) as Record<MediaTool, () => Promise<void>>),
  list_prompts: async () => {
    const { prompts } = workspace.owner;
    const made = await prompts.create({ name: "Minutes", description: "Of a meeting" });
    const lender = await workspace.member("prompter");
    const lent = await lender.client.prompts.create({ name: "Minutes, shared" });
    await lender.client.prompts.shareWithWorkspace(lent.ID, true);
    expect(await call("list_prompts", { search: "MINUTES" })).toMatchObject({ items: [{ ID: made.ID }], total_count: 1 });
    const both = { search: "minutes", workspace_shared: true };
    expect(await call("list_prompts", { ...both, limit: 1, offset: 1 })).toMatchObject({
      items: [{ ID: made.ID, file_data: [] }],
      total_count: 2,
    });
  },
  get_prompt: async () => {
    const { id, variable } = await prompt();
    const read = { ID: id, current_version: { content: "Write of {{topic}}", variables: [{ ID: variable, slug: "topic" }] } };
    expect(await call("get_prompt", { id })).toMatchObject(read);
    const { slug } = (await workspace.owner.prompts.all())[0]!;
    expect(await call("get_prompt", { id: slug })).toMatchObject({ slug });
    const { client } = await workspace.member("unprompted");
    expect(await faultOf(client.tools.call("get_prompt", { id }))).toMatchObject({ message: errorTexts.promptNoAccess });
    expect(await faultOf(call("get_prompt", { id: "nobody" }))).toMatchObject({ message: errorTexts.promptNotFound });
  },
  run_prompt: async () => {
    const { id } = await prompt();
    const ran = await call("run_prompt", { id, variables: { topic: "tides" } });
    expect(ran).toMatchObject({ run_status: "success", raw_text: "You said: Write of tides" });
    expect((await workspace.owner.prompts.runHistory(id)).items[0]).toMatchObject({ variables: [{ value: "tides" }] });
    expect(await call("run_prompt", { id })).toMatchObject({ raw_text: "You said: Write of ships" });
    for (const slug of ["colour", "constructor"]) {
      expect(await faultOf(call("run_prompt", { id, variables: { [slug]: "x" } }))).toMatchObject({
        kind: "rejected",
        message: `variables: the prompt has no variable ${slug}`,
      });
    }
  },
};

describe("every served tool", () => {
  test.for(servedTools)("%s works", async (name) => {
    await works[name]();
    expect(answered).toContain(name);
  });

  test.for(servedTools)("%s takes an object of described arguments, and says what is wrong with others", async (name) => {
    const offered = (await workspace.owner.tools.list()).find((tool) => tool.name === name)!;
    expect(offered.description).toMatch(/^[A-Z].*\.$/);
    expect(offered.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    const described = Object.values(offered.inputSchema["properties"] as Record<string, { description?: string }>);
    expect(described.filter(({ description = "" }) => description === "")).toEqual([]);
    const fault = await faultOf(call(name, { no_such_argument: 1 }));
    expect(fault).toMatchObject({ kind: "rejected", status: 200 });
    expect(fault.message).not.toBe("");
  });

  test.for(servedTools)("%s is not there for a key without its permission", async (name) => {
    const { client } = await workspace.keyWith(permissions.filter((permission) => permission !== permissionOf(name)));
    expect(await faultOf(client.tools.call(name, {}))).toMatchObject({ kind: "not_found", message: toolNotFound(name) });
    expect(namesOf(await client.tools.list())).not.toContain(name);
  });

  test.for(servedTools)("%s is all that a key has with its permission alone", async (name) => {
    const permission = permissionOf(name);
    const { client } = await workspace.keyWith([permission]);
    const expected = servedTools.filter((other) => permissionOf(other) === permission);
    expect(namesOf(await client.tools.list())).toEqual(expected.toSorted());
  });
});

describe("a tool that is not served", () => {
  test.for(["no_such_tool", ...table.filter(({ status }) => status === "planned").map(({ name }) => name)])(
    "%s is unknown, whatever the key holds",
    async (name) => {
      const fault = await faultOf(workspace.owner.tools.call(name, {}));
      expect(fault).toMatchObject({ kind: "not_found", message: toolNotFound(name) });
    },
  );
});
