import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addProjectFile, pinProject, setProjectInstructions, shareProject } from "../../../src/service/projects/write.ts";
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

const none = { prompt_management: false, file_management: false, project_management: false };
const create = async (who: Member, fields: object) => (await who.call("POST", "/project", fields)).body;
const names = ({ body }: Answer): string[] => body.map((project: { name: string }) => project.name);

describe("creating a project", () => {
  test("gives it the platform's default model", async () => {
    const answer = await ada.call("POST", "/project", { name: "Moon", description: "to the", color: "anything", icon: "rocket" });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      slug: expect.stringMatching(/^[a-z0-9]{8}$/),
      name: "Moon",
      description: "to the",
      color: "anything",
      icon: "rocket",
      instructions: "",
      user_id: ada.id,
      ai_model_id: null,
      auto_model_type: "balanced",
      is_pinned: false,
      current_user_permission: none,
      workspace_share: false,
      user_shares: null,
      team_shares: null,
    });
    expect(answer.body).not.toHaveProperty("has_files");
  });

  test.each([
    ["no name", {}, "Project name is required"],
    ["a blank name", { name: "  " }, "Project name is required"],
    ["an unknown icon", { name: "x", icon: "skull" }, "Invalid project icon"],
    ["a wrong type", { name: "x", color: 7 }, expect.stringContaining("color")],
  ])("is refused with %s", async (_what, fields, error) => {
    expect(await ada.call("POST", "/project", fields)).toMatchObject({ status: 400, body: { error } });
  });

  test("cannot set instructions", async () => {
    expect((await create(ada, { name: "x", instructions: "obey" })).instructions).toBe("");
  });
});

describe("the list of projects", () => {
  test("is newest first, searched in name and description", async () => {
    const cleo = await rooms.member("cleo");
    for (const fields of [{ name: "First" }, { name: "Second", description: "with Äpfel" }]) await create(cleo, fields);
    expect(names(await cleo.call("GET", "/project?is_shared=false"))).toEqual(["Second", "First"]);
    expect(names(await cleo.call("GET", `/project?is_shared=false&search=${encodeURIComponent("äPF")}`))).toEqual(["Second"]);
    expect(names(await cleo.call("GET", "/project?is_shared=false&search=fIRS"))).toEqual(["First"]);
  });

  test("looks at access after paging: a short page is not the last one", async () => {
    const other = await openRooms();
    try {
      const [dan, eve] = [await other.member("dan"), await other.member("eve")];
      await create(dan, { name: "Oldest" });
      const shared = await create(eve, { name: "Shared" });
      await create(eve, { name: "Hidden" });
      await shareProject(other.ctx, shared.ID, { userId: dan.id });
      const first = await dan.call("GET", "/project?size=2");
      expect(names(first)).toEqual(["Shared"]);
      expect(first.headers.get("x-total-count")).toBe("3");
      expect(names(await dan.call("GET", "/project?size=2&page=2"))).toEqual(["Oldest"]);
      expect(names(await dan.call("GET", "/project?is_shared=true"))).toEqual(["Shared"]);
      expect(names(await dan.call("GET", "/project?is_shared=false"))).toEqual(["Oldest"]);
    } finally {
      await other.close();
    }
  });

  test("refuses an is_shared that is neither true nor false", async () => {
    const refused = { status: 400, body: { error: "Invalid is_shared parameter" } };
    expect(await ada.call("GET", "/project?is_shared=maybe")).toMatchObject(refused);
  });
});

describe("pinned projects", () => {
  test("come oldest pin first, with the pin, and only while they can be seen", async () => {
    const fay = await rooms.member("fay");
    const [one, two] = [await create(fay, { name: "One" }), await create(fay, { name: "Two" })];
    const foreign = await create(ada, { name: "Foreign" });
    for (const id of [two.ID, one.ID, two.ID, foreign.ID]) await pinProject(rooms.ctx, fay.id, id);
    const { body } = await fay.call("GET", "/project/pinned");
    expect(body).toMatchObject([
      { name: "Two", is_pinned: true, pin: { user_id: fay.id, project_id: two.ID } },
      { name: "One", is_pinned: true },
    ]);
    expect(body).toHaveLength(2);
    expect((await fay.call("GET", "/project?is_shared=false")).body[0]).toMatchObject({ is_pinned: false });
  });
});

describe("reading a project", () => {
  test("goes by ID or slug, with files when asked for", async () => {
    const project = await create(ada, { name: "Files" });
    const [file] = (await ada.call("POST", "/file", filesForm({ "plan.txt": "plan" }))).body;
    await addProjectFile(rooms.ctx, project.ID, { userId: ada.id, fileId: file.ID });
    await setProjectInstructions(rooms.ctx, project.ID, "Answer in verse.");
    const bare = await ada.call("GET", `/project/${project.slug}`);
    expect(bare.body).toMatchObject({
      ID: project.ID,
      instructions: "Answer in verse.",
      has_files: true,
      current_user_permission: none,
      user_shares: [],
      team_shares: [],
    });
    expect(bare.body).not.toHaveProperty("files");
    const full = await ada.call("GET", `/project/${project.ID}?include_files=true`);
    expect(full.body.files).toMatchObject([{ ID: file.ID, project_id: project.ID }]);
  });

  test("shows what shares grant together, to those who have one", async () => {
    const project = await create(ada, { name: "Shared" });
    expect((await ben.call("GET", `/project/${project.ID}`)).status).toBe(403);
    await shareProject(rooms.ctx, project.ID, "workspace", { file_management: true });
    await shareProject(rooms.ctx, project.ID, { userId: ben.id }, { project_management: true });
    await shareProject(rooms.ctx, project.ID, { userId: ben.id }, { prompt_management: true });
    expect((await ben.call("GET", `/project/${project.ID}`)).body).toMatchObject({
      current_user_permission: { prompt_management: true, file_management: true, project_management: false },
      workspace_share: true,
      workspace_share_flags: { ...none, file_management: true },
      user_shares: [{ user_id: ben.id, user: { ID: ben.id, name: "ben" }, flags: { ...none, prompt_management: true } }],
    });
  });

  test("that does not exist is not found", async () => {
    const notFound = { status: 404, body: { error: "Project not found" } };
    for (const id of ["999999", "abcdefgh"]) expect(await ada.call("GET", `/project/${id}`)).toMatchObject(notFound);
  });
});

test("changes to what does not exist are refused, and change nothing", async () => {
  const project = await create(ada, { name: "Guarded" });
  const [file] = (await ben.call("POST", "/file", filesForm({ "b.txt": "b" }))).body;
  await expect(addProjectFile(rooms.ctx, project.ID, { userId: ada.id, fileId: file.ID })).rejects.toThrow(
    "expected the ID of a file",
  );
  await expect(setProjectInstructions(rooms.ctx, 999999, "x")).rejects.toThrow("expected the ID of a project");
  expect((await ada.call("GET", `/project/${project.ID}`)).body).toMatchObject({ has_files: false, instructions: "" });
});
