/** Saved prompts and tools on Discord: from the command by the modal to what people see. */
import { afterEach, describe, expect, it } from "vitest";
import { createProject, getPrompt } from "../fakes/prompt-tools.ts";
import { openWorld, type World } from "./world.ts";

describe("on Discord", () => {
  let world: World;
  afterEach(() => world.close());
  const open = async (): Promise<World> => {
    world = await openWorld({ access: { operators: null } });
    world.workspace.known.tools.push(getPrompt, createProject);
    return world;
  };
  const called = (name: string) => world.workspace.calls.filter(({ call }) => call === name).map(({ body }) => body);
  const told = (words: string) =>
    world.until(() => world.fake.whispers(world.ann).find(({ content }) => content.includes(words)));

  it("asks for a prompt's variables in a modal, and its conversation goes on in the thread", async () => {
    const { fake, general, ann, shows, until } = await open();
    ann.runs(general, "prompt", { name: "weekly" });
    const asked = await told("asks for Topic, Tone");
    const opened = await fake.acknowledged(ann.presses(asked, "Fill in and run"));
    expect(opened.modal).toMatchObject({ title: "Weekly update", components: [{ label: "Topic" }, { label: "Tone" }] });
    await fake.acknowledged(ann.submits(opened, { v11: "tea @everyone", v12: "loud" }));
    const parent = await shows(general, "Weekly update");
    expect(parent.content).toMatch(/Ann[^]*runs[^]*tea/);
    await shows(parent.id, "Weekly update: tea");
    expect(called("runPrompt")).toHaveLength(1);
    ann.says(fake.channel(parent.id)!, "shorter?");
    await until(() => called("followUp").length > 0);
    expect(called("followUp")).toMatchObject([{ message: "shorter?" }]);
    expect(called("start")).toEqual([]);
  });

  it("asks for a tool's arguments in a modal, then whether it is to be done, and shows what came of it in private", async () => {
    const { fake, general, ann } = await open();
    ann.runs(general, "tool", { name: "create_project" });
    const opened = await fake.acknowledged(ann.presses(await told("Makes a project"), "Fill in"));
    await fake.acknowledged(ann.submits(opened, { a0: "Tea", a1: "yes", a2: "3\n4" }));
    const asked = await told("may change something");
    expect(called("callTool")).toEqual([]);
    await fake.acknowledged(ann.presses(asked, "Do it"));
    await told("5");
    expect(called("callTool")).toEqual([{ name: "create_project", args: { name: "Tea", public: true, members: [3, 4] } }]);
    expect(fake.messages(general).filter(({ onlyFor }) => onlyFor === null)).toEqual([]);
  });
});
