/** Projects through the front door: creation, lists that filter after paging, pins, and what a share shows. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorTexts } from "../../src/contract/errors.ts";
import { addProjectFile, pinProject, setProjectInstructions, shareProject } from "../../src/service/projects/write.ts";
import { faultOf, startWorkspace, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

const none = { prompt_management: false, file_management: false, project_management: false };

describe("creating", () => {
  test("takes name, description, colour and icon, and has a default model", async () => {
    const project = await workspace.owner.projects.create({
      name: "Harbour",
      description: "Ships",
      color: "#123456",
      icon: "plane",
    });
    expect(project).toMatchObject({
      name: "Harbour",
      description: "Ships",
      color: "#123456",
      icon: "plane",
      instructions: "",
      ai_model_id: null,
      auto_model_type: "balanced",
      is_pinned: false,
      user_shares: null,
      team_shares: null,
      workspace_share: false,
    });
    expect(project).not.toHaveProperty("has_files");
    expect(project.slug).toMatch(/^(?!\d+$)[a-z0-9]{8}$/);
    expect((await workspace.owner.projects.create({ name: "Plain", icon: "" })).icon).toBe("");
  });

  test.for([
    [{}, errorTexts.projectNameRequired],
    [{ name: " " }, errorTexts.projectNameRequired],
    [{ name: "x", icon: "anchor" }, errorTexts.invalidProjectIcon],
  ] as const)("%j is refused: %s", async ([body, message]) => {
    expect(await faultOf(workspace.owner.projects.create(body))).toMatchObject({ status: 400, message });
  });
});

describe("seeing", () => {
  test("access is looked at after paging: short and empty pages before the last, and the client reads them all", async () => {
    const [reader, writer] = [await workspace.member("reader"), await workspace.member("writer")];
    const mine = await reader.client.projects.create({ name: "Oldest of all" });
    for (let n = 0; n < 24; n++) await writer.client.projects.create({ name: `Theirs ${n}` });
    const newest = await reader.client.projects.create({ name: "Newest of all" });
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await reader.client.projects.list({ page }));
    expect(pages.map(({ items }) => items.map(({ ID }) => ID))).toEqual([[newest.ID], [], [mine.ID]]);
    expect(pages[0]!.total).toBeGreaterThan(25);
    expect((await reader.client.projects.all()).map(({ ID }) => ID)).toEqual([newest.ID, mine.ID]);
  });

  test("search looks at name and description in any case; is_shared takes two values", async () => {
    const { client } = await workspace.member("searcher");
    await client.projects.create({ name: "Éclair", description: "pastry" });
    expect((await client.projects.all({ search: "éCLAIR" })).length).toBe(1);
    expect((await client.projects.all({ search: "PASTRY" })).length).toBe(1);
    expect((await client.projects.all({ search: "%" })).length).toBe(0);
    expect(await workspace.ask("GET", "/project?is_shared=maybe")).toMatchObject({
      status: 400,
      body: { error: errorTexts.invalidIsShared },
    });
  });

  test("a share shows the project, its flags are the union, and the owner sees who has one", async () => {
    const { ctx } = workspace.service;
    const [owner, guest] = [await workspace.member("host"), await workspace.member("guest")];
    const project = await owner.client.projects.create({ name: "Shared" });
    expect(await faultOf(guest.client.projects.get(project.ID))).toMatchObject({ kind: "forbidden" });
    await shareProject(ctx, project.ID, { userId: guest.id }, { file_management: true });
    await shareProject(ctx, project.ID, "workspace", { prompt_management: true });
    expect(await guest.client.projects.get(project.slug)).toMatchObject({
      current_user_permission: { prompt_management: true, file_management: true, project_management: false },
      workspace_share: true,
    });
    const listed = await guest.client.projects.all({ shared: true });
    expect(listed).toMatchObject([{ ID: project.ID, current_user_permission: none, user_shares: null }]);
    expect(await guest.client.projects.all({ shared: false })).toEqual([]);
    const seen = await owner.client.projects.get(project.ID);
    expect(seen.user_shares).toEqual([
      { user_id: guest.id, user: expect.anything() as unknown, flags: { ...none, file_management: true } },
    ]);
    expect(seen.current_user_permission.file_management).toBe(false);
  });

  test("the single read is full, with files on demand; the pinned list has oldest pins first", async () => {
    const { ctx } = workspace.service;
    const { client, id } = await workspace.member("pinner");
    const [first, second] = [await client.projects.create({ name: "First" }), await client.projects.create({ name: "Second" })];
    await setProjectInstructions(ctx, first.ID, "Be brief.");
    await addProjectFile(ctx, first.ID, { userId: id, fileId: await uploadText(client, "plan.txt", "x") });
    await pinProject(ctx, id, second.ID);
    await pinProject(ctx, id, first.ID);
    const full = await client.projects.get(first.ID);
    expect(full).toMatchObject({ instructions: "Be brief.", has_files: true, is_pinned: true });
    expect(full).not.toHaveProperty("files");
    expect((await client.projects.get(first.ID, { files: true })).files?.map(({ name }) => name)).toEqual(["plan.txt"]);
    expect(await client.projects.pinned()).toMatchObject([
      { ID: second.ID, is_pinned: true, pin: { project_id: second.ID, user_id: id } },
      { ID: first.ID, is_pinned: true },
    ]);
    expect((await client.projects.list()).items.every(({ is_pinned }) => !is_pinned)).toBe(true);
  });

  test.for([999_999, "zzzzzzzz"])("%s is not found", async (id) => {
    expect(await faultOf(workspace.owner.projects.get(id))).toMatchObject({
      kind: "not_found",
      message: errorTexts.projectNotFound,
    });
  });
});
