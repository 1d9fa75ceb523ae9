/** Agents, projects and prompts from the command line: what the workspace's interface has no route for. */
import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { newFolder, parley, serve } from "./parley.ts";

describe("beside a running server", () => {
  test("agents are shared, projects instructed, pinned, filled and shared", async ({ onTestFinished }) => {
    const folder = await newFolder();
    const { url } = await serve(folder);
    const keyOf = async (...user: string[]) =>
      (await parley(["keys", "create", "--name", "k", "--permissions", "all", ...user], folder)).out.trim();
    const owner = createClient({ baseUrl: `${url}/api/v1`, apiKey: await keyOf() });
    const ann = createClient({ baseUrl: `${url}/api/v1`, apiKey: await keyOf("--user", "ann") });
    onTestFinished(async () => void (await Promise.all([owner.close(), ann.close()])));

    expect((await owner.agents.all({ shared: false })).map(({ tag }) => tag).toSorted()).toEqual(["editor", "librarian"]);
    const agent = (await owner.agents.all()).find(({ tag }) => tag === "editor");
    expect(await ann.agents.all()).toEqual([]);
    expect(await parley(["agents", "share", String(agent?.ID), "--with", "ann"], folder)).toMatchObject({ code: 0 });
    expect(await ann.agents.all()).toMatchObject([{ tag: "editor", is_shared: true }]);
    expect((await parley(["agents", "list"], folder)).out).toMatch(
      /^ID +TAG +NAME\n1 +@librarian +Librarian\n2 +@editor +Editor\n$/,
    );

    const [sample] = await owner.prompts.all();
    expect(await ann.prompts.all()).toEqual([]);
    expect(await parley(["prompts", "share", String(sample?.ID), "--with", "ann"], folder)).toMatchObject({ code: 0 });
    expect((await ann.prompts.all()).map(({ ID }) => ID)).toEqual([sample?.ID]);
    expect((await parley(["prompts", "list"], folder)).out).toMatch(
      /^ID +NAME +SHARED\n1 +Weekly update +no\n2 +Reply to a message +no\n$/,
    );

    const project = await owner.projects.create({ name: "Mill" });
    const id = String(project.ID);
    expect(await parley(["projects", "instructions", id, "Be", "brief."], folder)).toMatchObject({ code: 0 });
    expect(await parley(["projects", "pin", id], folder)).toMatchObject({ code: 0 });
    expect(await parley(["projects", "share", id, "--with", "workspace", "--may", "files"], folder)).toMatchObject({ code: 0 });
    expect((await owner.projects.pinned()).map(({ ID }) => ID)).toEqual([project.ID]);
    expect(await ann.projects.get(project.ID)).toMatchObject({
      instructions: "Be brief.",
      current_user_permission: { file_management: true, project_management: false },
    });
    expect((await parley(["projects", "list"], folder)).out).toMatch(/1 +Mill +yes/);
  });
});

test("what cannot be understood says what was expected", async () => {
  const folder = await newFolder();
  expect((await parley(["agents", "share", "x", "--with", "workspace"], folder)).err).toBe(
    "expected an agent as a number, got x\n",
  );
  expect((await parley(["agents", "share", "9", "--with", "workspace"], folder)).err).toBe(
    "expected the ID of an agent, got 9\n",
  );
  expect((await parley(["projects", "share", "9", "--with", "nobody"], folder)).err).toMatch(/expected the name of a user/);
  expect((await parley(["projects", "share", "9", "--with", "workspace", "--may", "all"], folder)).err).toMatch(
    /--may: expected prompts, files and project, got all/,
  );
  expect((await parley(["prompts", "share", "9", "--with", "workspace"], folder)).err).toBe(
    "expected the ID of a prompt, got 9\n",
  );
  expect((await parley(["projects", "dance"], folder)).err).toMatch(/expected one of:\n {2}agents list/);
});
