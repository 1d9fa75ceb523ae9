/** Saved prompts through the front door: writing, lists, copies, projects, shares, favourites, files, and every stated error. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorTexts } from "../../src/contract/errors.ts";
import type { PromptBody } from "../../src/contract/prompt-bodies.ts";
import type { Client } from "../../src/client/index.ts";
import { shareProject } from "../../src/service/projects/write.ts";
import { sharePrompt } from "../../src/service/prompts/sharing.ts";
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
/** A name that no other prompt has. */
const fresh = (): string => `Prompt ${++counter}`;
const create = (body: PromptBody = {}, client: Client = workspace.owner) => client.prompts.create({ name: fresh(), ...body });
/** A prompt with a content. */
async function written(content: string, client: Client = workspace.owner): Promise<number> {
  const { ID } = await create({}, client);
  await client.prompts.setContent({ prompt_id: ID, content });
  return ID;
}
const names = (list: ReadonlyArray<{ name: string }>): string[] => list.map(({ name }) => name);
const ids = (list: ReadonlyArray<{ ID: number }>): number[] => list.map(({ ID }) => ID);
const notFound = { kind: "not_found", status: 404, message: errorTexts.promptNotFound };
const noAccess = { kind: "forbidden", status: 403, message: errorTexts.promptNoAccess };

describe("creating", () => {
  test("has a name and no content; model, style and slug are the workspace's to choose, whatever the body says", async () => {
    const own = { ai_model_id: 99, ai_style: "dry", slug: "mine" };
    const prompt = await create({ name: "Minutes", description: "Of a meeting", example_output: "1. …", category_id: 4, ...own });
    expect(prompt).toMatchObject({
      name: "Minutes",
      description: "Of a meeting",
      example_output: "1. …",
      category_id: 4,
      category: null,
      ai_model_id: plain,
      ai_style: "prompty",
      project_id: null,
      shared_with_workspace_id: null,
      current_version_id: null,
      current_version: null,
      duplicated_from_id: null,
      file_data: null,
      tools: null,
      mcp_servers: [],
      is_favorite: false,
    });
    expect(prompt.slug).toMatch(/^(?!\d+$)[a-z0-9]{8}$/);
    expect(prompt).not.toHaveProperty("can_delete");
    const tools = [{ name: "web_search", use: true }];
    expect(await create({ tools, mcp_servers: [3] })).toMatchObject({ tools, mcp_servers: [3] });
  });

  test.for([{}, { name: "" }, { name: " \n" }, { name: null }])("%j: a name is required", async (body) => {
    expect(await faultOf(prompts().create(body))).toMatchObject({ status: 400, message: errorTexts.promptNameRequired });
  });

  test("the same name twice in one place is a conflict; elsewhere, or of somebody else, it is not", async () => {
    const name = fresh();
    await create({ name });
    expect(await faultOf(create({ name }))).toMatchObject({ status: 409, message: errorTexts.promptExists });
    const { ID: projectId } = await workspace.owner.projects.create({ name: "Elsewhere" });
    expect((await prompts().create({ name }, { projectId })).project_id).toBe(projectId);
    const { client } = await workspace.member("namesake");
    expect((await create({ name }, client)).name).toBe(name);
  });

  test("in a project needs the right to manage its prompts", async () => {
    const { ID: projectId } = await workspace.owner.projects.create({ name: "Guarded" });
    const { id, client } = await workspace.member("guest");
    const inProject = () => client.prompts.create({ name: fresh() }, { projectId });
    expect(await faultOf(inProject())).toMatchObject({ status: 403, message: errorTexts.projectPromptsForbidden });
    await shareProject(workspace.service.ctx, projectId, { userId: id });
    expect(await faultOf(inProject())).toMatchObject({ status: 403, message: errorTexts.projectPromptsForbidden });
    await shareProject(workspace.service.ctx, projectId, { userId: id }, { prompt_management: true });
    expect((await inProject()).project_id).toBe(projectId);
    expect(await faultOf(client.prompts.create({ name: "x" }, { projectId: 9999 }))).toMatchObject({
      status: 404,
      message: errorTexts.projectNotFound,
    });
  });
});

describe("changing", () => {
  test("overwrites everything but tools and servers: what is left out is emptied, the model too", async () => {
    const tools = [{ name: "web_search", use: true }];
    const { ID } = await create({ description: "d", example_output: "e", category_id: 2, tools, mcp_servers: [3] });
    const changed = await prompts().update(ID, { name: "Only a name" });
    expect(changed).toMatchObject({ name: "Only a name", description: "", example_output: "", category_id: null });
    expect(changed).toMatchObject({ ai_model_id: 0, ai_style: "", tools, mcp_servers: [3] });
    const all = { name: "All", description: "d", ai_model_id: plain, example_output: "e", category_id: 1, ai_style: "dry" };
    expect(await prompts().update(ID, { ...all, tools: [], mcp_servers: [] })).toMatchObject({
      ...all,
      tools: [],
      mcp_servers: [],
    });
  });

  test("needs a name, the numeric ID, and the owner", async () => {
    const { ID, slug } = await create();
    for (const body of [{}, { name: "  " }]) {
      expect(await faultOf(prompts().update(ID, body))).toMatchObject({ status: 400, message: errorTexts.promptNameRequired });
    }
    expect(await faultOf(prompts().update(slug as unknown as number, { name: "x" }))).toMatchObject(notFound);
    expect(await faultOf(prompts().update(9999, { name: "x" }))).toMatchObject(notFound);
    await prompts().shareWithWorkspace(ID, true);
    const { client } = await workspace.member("meddler");
    expect(await faultOf(client.prompts.update(ID, { name: "x" }))).toMatchObject(notFound);
    expect(await faultOf(client.prompts.setContent({ prompt_id: ID, content: "x" }))).toMatchObject(notFound);
    expect(await faultOf(client.prompts.shareWithWorkspace(ID, false))).toMatchObject(notFound);
    expect(await faultOf(client.prompts.attachFiles(ID, []))).toMatchObject(notFound);
  });

  test("there is one content: writing it again overwrites it, 201 both times, without variables", async () => {
    const { ID } = await create();
    const write = (content: string) =>
      workspace.ask("POST", "/prompt_version", { body: JSON.stringify({ prompt_id: ID, content }) });
    const [first, second] = [await write("One {{a}}"), await write("Two {{a}}")];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toMatchObject({ content: "Two {{a}}", prompt_id: ID, variables: null, current_instance_id: null });
    expect((second.body as { ID: number }).ID).toBe((first.body as { ID: number }).ID);
    expect((await prompts().list()).items[0]).toMatchObject({ current_version_id: (first.body as { ID: number }).ID });
  });
});

describe("deleting", () => {
  test("ends shares and favourites; what is not there, not numeric or not the caller's is 404 with an empty body", async () => {
    const { ID, slug } = await create();
    const { id, client } = await workspace.member("fan");
    await sharePrompt(workspace.service.ctx, ID, { userId: id });
    await client.prompts.addFavorite(ID);
    const refused = async (path: string, authorization?: string) => {
      const { status, body } = await workspace.ask("DELETE", path, authorization === undefined ? {} : { authorization });
      expect({ status, body }).toEqual({ status: 404, body: undefined });
    };
    await refused(`/prompt/${slug}`);
    await refused("/prompt/9999");
    const { key } = await workspace.keyWith(["prompts_delete"], "fan");
    await refused(`/prompt/${ID}`, `Bearer ${key}`);
    expect(await faultOf(client.prompts.remove(ID))).toMatchObject({ kind: "not_found", status: 404 });

    await prompts().remove(ID);
    await refused(`/prompt/${ID}`);
    expect(await client.prompts.favorites()).toEqual([]);
    expect(ids(await client.prompts.all())).not.toContain(ID);
    expect(ids((await prompts().list({ size: 100 })).items)).not.toContain(ID);
  });
});

describe("lists", () => {
  test("own ones outside projects come newest first, in pages, and are found by name and description in any case", async () => {
    const { client } = await workspace.member("lister");
    const { ID: projectId } = await client.projects.create({ name: "Apart" });
    await client.prompts.create({ name: "In a project" }, { projectId });
    for (const n of [1, 2, 3]) await client.prompts.create({ name: `Ärger ${n}`, description: n === 2 ? "Über Zölle" : "" });
    const page = await client.prompts.list({ size: 2 });
    expect([names(page.items), page.total]).toEqual([["Ärger 3", "Ärger 2"], 3]);
    expect(names((await client.prompts.list({ size: 2, page: 2 })).items)).toEqual(["Ärger 1"]);
    expect(names((await client.prompts.list({ search: "ärgER 1" })).items)).toEqual(["Ärger 1"]);
    expect(names((await client.prompts.list({ search: "zÖLLE" })).items)).toEqual(["Ärger 2"]);
    expect(names((await client.prompts.list({ projectId })).items)).toEqual(["In a project"]);
    expect(names(await client.prompts.recentlyAdded())).toEqual(["Ärger 3", "Ärger 2", "Ärger 1", "In a project"]);
  });

  test("a project's say who may delete: its manager, of their own", async () => {
    const { ID: projectId } = await workspace.owner.projects.create({ name: "Shared" });
    const { id, client } = await workspace.member("helper");
    await shareProject(workspace.service.ctx, projectId, { userId: id }, { prompt_management: true });
    const mine = await prompts().create({ name: fresh() }, { projectId });
    const theirs = await client.prompts.create({ name: fresh() }, { projectId });
    const seen = async (who: Client) =>
      (await who.prompts.list({ projectId })).items.map(({ ID, can_delete }) => [ID, can_delete]);
    expect(await seen(client)).toEqual([
      [theirs.ID, true],
      [mine.ID, false],
    ]);
    expect(await seen(workspace.owner)).toEqual([
      [theirs.ID, false],
      [mine.ID, true],
    ]);
    await shareProject(workspace.service.ctx, projectId, { userId: id });
    expect((await seen(client)).map(([, may]) => may)).toEqual([false, false]);

    expect(await faultOf(prompts().list({ projectId: 9999 }))).toMatchObject({
      status: 404,
      message: errorTexts.projectNotFound,
    });
    const { client: stranger } = await workspace.member("stranger");
    expect(await faultOf(stranger.prompts.list({ projectId }))).toMatchObject({
      status: 403,
      message: errorTexts.projectNoAccess,
    });
    // A header that is no number counts as absent.
    const { status } = await workspace.ask("GET", "/prompt", { headers: { "x-project-id": "abc" } });
    expect(status).toBe(200);
  });

  test("all has own, given and liked ones by their last run, with files, and the workspace's only when asked", async () => {
    const [reader, writer] = [await workspace.member("allreader"), await workspace.member("allwriter")];
    const [given, everyones, hidden] = [
      await written("a", writer.client),
      await written("b", writer.client),
      await written("c", writer.client),
    ];
    await sharePrompt(workspace.service.ctx, given, { userId: reader.id });
    await writer.client.prompts.shareWithWorkspace(everyones, true);
    const own = await written("mine", reader.client);
    const file = await uploadText(reader.client, "a.txt", "x");
    await reader.client.prompts.attachFiles(own, [file]);
    const { ID: projectId } = await reader.client.projects.create({ name: "Not here" });
    await reader.client.prompts.create({ name: "in project" }, { projectId });

    expect(ids(await reader.client.prompts.all())).toEqual([own, given]);
    expect((await reader.client.prompts.all())[0]?.file_data).toMatchObject([{ ID: file, name: "a.txt" }]);
    expect((await reader.client.prompts.all())[1]?.file_data).toEqual([]);
    const shared = await reader.client.prompts.all({ workspaceShared: true });
    expect(ids(shared)).toEqual(expect.arrayContaining([own, given, everyones]));
    expect(ids(shared)).not.toContain(hidden);
    await reader.client.prompts.run(given, []);
    expect(ids(await reader.client.prompts.all())).toEqual([given, own]);
    expect(names(await reader.client.prompts.all({ search: "nothing of the kind" }))).toEqual([]);
  });

  test("the short ones have 8 at most: the last run, the most run; paging headers on the first only, and ignored", async () => {
    const { client } = await workspace.member("runner");
    const made: number[] = [];
    for (let n = 0; n < 9; n++) made.push(await written(`text ${n}`, client));
    for (const id of made) await client.prompts.run(id, []);
    await client.prompts.run(made[2]!, []);
    await client.prompts.run(made[2]!, []);
    await client.prompts.run(made[4]!, []);
    expect(ids(await client.prompts.lastUsed())).toEqual([4, 2, 8, 7, 6, 5, 3, 1].map((n) => made[n]));
    expect(ids(await client.prompts.mostUsed()).slice(0, 3)).toEqual([2, 4, 8].map((n) => made[n]));
    expect(await client.prompts.mostUsed()).toHaveLength(8);
    expect(await client.prompts.recentlyAdded()).toHaveLength(8);

    const { key } = await workspace.keyWith(["prompts_get"], "runner");
    const ask = (path: string) => workspace.ask("GET", path, { authorization: `Bearer ${key}` });
    const last = await ask("/prompt/last_used?page=2&size=3");
    expect(last.body).toHaveLength(8);
    expect([last.header("x-page"), last.header("x-page-size"), last.header("x-total-count")]).toEqual(["2", "3", "8"]);
    const most = await ask("/prompt/most_used");
    expect(most.header("x-page")).toBeUndefined();
    expect(most.header("x-total-count")).toBeUndefined();
  });
});

describe("a copy", () => {
  test("has what the prompt says and its variables, but no servers, files or rules of files", async () => {
    const file = await uploadText(workspace.owner, "a.txt", "x");
    const tools = [{ name: "web_search", use: true }];
    const fields = { name: "Original", description: "d", example_output: "e", category_id: 3, tools };
    const { ID, slug } = await create({ ...fields, mcp_servers: [1] });
    await prompts().setContent({ prompt_id: ID, content: "Of {{topic}} and {{paper}}" });
    await prompts().attachFiles(ID, [file]);
    const topic = { name: "Topic", slug: "topic", description: "What of", data_type: "select", default_value: "ships" } as const;
    const traits = { required: true, sort: 2, is_primary: true, is_multi_select: true, options: ["ships", "tides"] };
    await prompts().createVariable({ prompt_id: ID, ...topic, ...traits });
    const rules = { file_types: ["pdf"], default_file_id: file };
    await prompts().createVariable({ prompt_id: ID, slug: "paper", data_type: "file", sort: 3, ...rules });

    const copy = await prompts().duplicate(slug);
    expect(copy).toMatchObject({ ...fields, name: "Original (copy)", duplicated_from_id: ID, mcp_servers: [], file_data: [] });
    expect(copy.current_version).toMatchObject({ content: "Of {{topic}} and {{paper}}", prompt_id: copy.ID });
    expect(copy.current_version?.variables).toMatchObject([
      { ...topic, ...traits },
      { slug: "paper", data_type: "file", file_types: [], default_file_id: null },
    ]);
    expect(copy.slug).not.toBe(slug);
    expect((await prompts().duplicate((await create()).ID)).current_version).toBeNull();
  });

  test("in a project keeps its name; it may be of another's prompt that one sees", async () => {
    const { ID: projectId } = await workspace.owner.projects.create({ name: "Copies" });
    const { client } = await workspace.member("source");
    const { ID, name } = await create({}, client);
    expect(await faultOf(prompts().duplicate(ID))).toMatchObject(noAccess);
    await client.prompts.shareWithWorkspace(ID, true);
    const copy = await prompts().duplicate(ID, { projectId });
    expect(copy).toMatchObject({ name, project_id: projectId, shared_with_workspace_id: null });
    expect(copy.user_id).not.toBe((await client.prompts.list()).items[0]?.user_id);

    expect(await faultOf(prompts().duplicate("nosuchid"))).toMatchObject(notFound);
    expect(await faultOf(prompts().duplicate(ID, { projectId: 9999 }))).toMatchObject({
      status: 404,
      message: errorTexts.projectNotFound,
    });
    expect(await faultOf(client.prompts.duplicate(ID, { projectId }))).toMatchObject({
      status: 403,
      message: errorTexts.projectPromptsForbidden,
    });
  });
});

describe("moving", () => {
  test("goes into a project, to another, and out again", async () => {
    const [one, two] = [
      await workspace.owner.projects.create({ name: "1" }),
      await workspace.owner.projects.create({ name: "2" }),
    ];
    const { ID, slug } = await create();
    expect(await faultOf(prompts().move(ID))).toMatchObject({ status: 400, message: errorTexts.promptNotInProject });
    expect((await prompts().move(ID, { projectId: one.ID })).project_id).toBe(one.ID);
    expect(await faultOf(prompts().move(ID, { projectId: one.ID }))).toMatchObject({
      status: 400,
      message: errorTexts.promptInProject,
    });
    expect((await prompts().move(slug, { projectId: two.ID })).project_id).toBe(two.ID);
    expect((await prompts().move(ID)).project_id).toBeNull();
    expect(await faultOf(prompts().move(9999, { projectId: one.ID }))).toMatchObject(notFound);
    expect(await faultOf(prompts().move(ID, { projectId: 9999 }))).toMatchObject({
      status: 404,
      message: errorTexts.projectNotFound,
    });
  });

  test("needs the right on every project involved, and into one only one's own may go", async () => {
    const { ctx } = workspace.service;
    const { id, client } = await workspace.member("mover");
    const [theirs, foreign] = [
      await client.projects.create({ name: "theirs" }),
      await workspace.owner.projects.create({ name: "mine" }),
    ];
    const own = await create({}, client);
    const forbidden = { status: 403, message: errorTexts.projectPromptsForbidden };
    expect(await faultOf(client.prompts.move(own.ID, { projectId: foreign.ID }))).toMatchObject(forbidden);
    const inForeign = await prompts().create({ name: fresh() }, { projectId: foreign.ID });
    expect(await faultOf(client.prompts.move(inForeign.ID))).toMatchObject(forbidden);
    expect(await faultOf(client.prompts.move(inForeign.ID, { projectId: theirs.ID }))).toMatchObject(notFound);
    await shareProject(ctx, foreign.ID, { userId: id }, { prompt_management: true });
    expect((await client.prompts.move(own.ID, { projectId: foreign.ID })).project_id).toBe(foreign.ID);
    expect((await client.prompts.move(inForeign.ID)).project_id).toBeNull();
    await shareProject(ctx, foreign.ID, { userId: id });
    expect(await faultOf(client.prompts.move(own.ID, { projectId: theirs.ID }))).toMatchObject(forbidden);
  });
});

describe("sharing and favourites", () => {
  test("with the workspace: everyone may read and run it until it is taken back", async () => {
    const id = await written("Hello");
    const { client } = await workspace.member("colleague");
    expect(await faultOf(client.prompts.run(id, []))).toMatchObject(noAccess);
    expect((await prompts().shareWithWorkspace(id, true)).shared_with_workspace_id).toBe(1);
    expect((await client.prompts.run(id, [])).run_status).toBe("success");
    expect(ids(await client.prompts.lastUsed())).toEqual([id]);
    expect((await prompts().shareWithWorkspace(id, false)).shared_with_workspace_id).toBeNull();
    expect(await faultOf(client.prompts.run(id, []))).toMatchObject(noAccess);
    expect(await client.prompts.lastUsed()).toEqual([]);
    const bad = await workspace.ask("PUT", `/prompt/${id}/share_with_workspace`, { body: "{}" });
    expect(bad).toMatchObject({ status: 400, body: { error: expect.stringContaining("shared") as string } });
  });

  test("favourites are own or given in person, once, oldest first; sharing with all is not enough", async () => {
    const { ctx } = workspace.service;
    const { id, client } = await workspace.member("liker");
    const [given, everyones] = [(await create()).ID, (await create()).ID];
    const own = await create({}, client);
    await sharePrompt(ctx, given, { userId: id });
    await sharePrompt(ctx, given, { userId: id });
    await prompts().shareWithWorkspace(everyones, true);
    expect(await client.prompts.addFavorite(own.ID)).toMatchObject({ user_id: id, prompt_id: own.ID, Prompt: null });
    await client.prompts.addFavorite(given);
    expect(await client.prompts.favorites()).toMatchObject([
      { ID: own.ID, is_favorite: true },
      { ID: given, is_favorite: true },
    ]);
    expect(await faultOf(client.prompts.addFavorite(own.ID))).toMatchObject({
      status: 409,
      message: errorTexts.promptAlreadyFavorite,
    });
    expect(await faultOf(client.prompts.addFavorite(everyones))).toMatchObject(noAccess);
    expect(await faultOf(client.prompts.addFavorite(9999))).toMatchObject(notFound);
    expect(await faultOf(client.prompts.addFavorite(own.slug as unknown as number))).toMatchObject(notFound);
    await client.prompts.removeFavorite(own.ID);
    expect(ids(await client.prompts.favorites())).toEqual([given]);
    for (const gone of [own.ID, 9999, "slug" as unknown as number]) {
      expect(await faultOf(client.prompts.removeFavorite(gone))).toMatchObject({
        status: 404,
        message: errorTexts.promptNotFavorite,
      });
    }
  });
});

describe("files", () => {
  test("are the caller's, and are added to those that are there", async () => {
    const { ID, slug } = await create();
    const [a, b] = [await uploadText(workspace.owner, "a.txt", "x"), await uploadText(workspace.owner, "b.txt", "x")];
    await prompts().attachFiles(ID, [a]);
    await prompts().attachFiles(slug, [b, a, b]);
    await prompts().attachFiles(ID, []);
    const listed = async () => (await prompts().all()).find((one) => one.ID === ID)?.file_data;
    expect(ids((await listed()) ?? [])).toEqual([a, b]);
    const { client } = await workspace.member("uploader");
    const foreign = await uploadText(client, "c.txt", "x");
    expect(await faultOf(prompts().attachFiles(ID, [a, foreign]))).toMatchObject({
      status: 404,
      message: errorTexts.fileNotFound,
    });
    await workspace.owner.files.remove(a);
    expect(ids((await listed()) ?? [])).toEqual([b]);
  });
});

describe("variables", () => {
  test("belong to a placeholder, each to one of its own; their order is the content's unless it is said", async () => {
    const id = await written("{{ first }} {{second}} {{third-one}}");
    const second = await prompts().createVariable({ prompt_id: id, slug: "second" });
    expect(second).toMatchObject({
      name: "second",
      description: "",
      data_type: "text",
      default_value: "",
      required: false,
      sort: 1,
      is_primary: false,
      is_multi_select: false,
      options: [],
      file_types: [],
      default_file_id: null,
    });
    await prompts().createVariable({ prompt_version_id: second.prompt_version_id, slug: "first" });
    await prompts().createVariable({ prompt_id: id, slug: "third-one", sort: -1 });
    const order = async () => (await prompts().duplicate(id)).current_version?.variables?.map(({ slug }) => slug);
    expect(await order()).toEqual(["third-one", "first", "second"]);
    // A variable whose placeholder is gone comes back with it.
    await prompts().setContent({ prompt_id: id, content: "{{first}}" });
    expect(await order()).toEqual(["first"]);
    await prompts().setContent({ prompt_id: id, content: "{{second}}, {{first}}" });
    expect(await order()).toEqual(["first", "second"]);
    await prompts().removeVariable(second.ID);
    expect(await order()).toEqual(["first"]);
  });

  test("what does not fit is refused with what was expected", async () => {
    const id = await written("{{a}} {{b}}");
    const [a, b] = [
      await prompts().createVariable({ prompt_id: id, slug: "a" }),
      await prompts().createVariable({ prompt_id: id, slug: "b" }),
    ];
    const refused = async (call: Promise<unknown>, text: string) =>
      expect(await faultOf(call)).toMatchObject({ status: 400, message: expect.stringContaining(text) as string });
    await refused(prompts().createVariable({ prompt_id: id }), "slug");
    await refused(prompts().createVariable({ slug: "a" }), "prompt_version_id or prompt_id");
    await refused(prompts().createVariable({ prompt_id: id, slug: "c" }), 'got "c"; there are a, b');
    await refused(prompts().createVariable({ prompt_id: id, slug: "a" }), "already has a variable a");
    await refused(prompts().updateVariable(b.ID, { slug: "a" }), "already has a variable a");
    await refused(prompts().updateVariable(b.ID, { default_file_id: 9999 }), "default_file_id");
    await refused(prompts().createVariable({ prompt_id: (await create()).ID, slug: "a" }), "no content yet");
    await refused(prompts().createVariable({ prompt_id: await written("none"), slug: "a" }), "there is none");

    await prompts().updateVariable(a.ID, { slug: "a", name: "A", required: true, is_primary: true });
    await prompts().updateVariable(b.ID, { is_primary: true });
    expect((await prompts().duplicate(id)).current_version?.variables).toMatchObject([
      { name: "A", required: true, is_primary: false },
      { name: "b", is_primary: true },
    ]);
  });

  test("are the owner's alone", async () => {
    const id = await written("{{a}}");
    await prompts().shareWithWorkspace(id, true);
    const { ID, prompt_version_id } = await prompts().createVariable({ prompt_id: id, slug: "a" });
    const { client } = await workspace.member("outsider");
    const unknown = { status: 404, message: errorTexts.variableNotFound };
    for (const variable of [ID, 9999]) {
      expect(await faultOf(client.prompts.updateVariable(variable, {}))).toMatchObject(unknown);
      expect(await faultOf(client.prompts.removeVariable(variable))).toMatchObject(unknown);
    }
    for (const named of [{ prompt_id: id }, { prompt_version_id }, { prompt_version_id: 9999 }]) {
      expect(await faultOf(client.prompts.createVariable({ ...named, slug: "a" }))).toMatchObject(notFound);
    }
    expect(await faultOf(prompts().removeVariable("a" as unknown as number))).toMatchObject(unknown);
  });
});
