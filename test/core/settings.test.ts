import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { followUpFields, startFields } from "../../src/core/settings.ts";
import { channel, commands, createWorld, says, textOf, thread, type World } from "./engine.ts";

const model = { id: 2, name: "M" };
const agent = { id: 7, name: "A" };
const project = { id: 9, name: "P" };

test.each([
  ["nothing", {}, { auto_model_type: "balanced" }],
  ["a model", { model, style: "brief", effort: "low" }, { ai_model_id: 2, ai_style: "brief", reasoning_effort: "low" }],
  ["an automatic mode", { auto: "best" as const, model }, { auto_model_type: "best" }],
  ["a project, whose own model counts", { project, style: "brief" }, { ai_style: "brief" }],
  ["a project and a model", { project, model }, { ai_model_id: 2 }],
  ["an agent, which has its own of everything", { agent, model, style: "brief", effort: "low" }, { agent_id: 7 }],
])("a start with %s chosen sends just that", (_name, settings, expected) => {
  expect(startFields(settings)).toEqual(expected);
});

test("what is not chosen is not sent with a message", () => {
  expect(followUpFields({})).toEqual({});
  expect(
    followUpFields({
      worldKnowledge: false,
      flashMode: true,
      tools: [{ name: "web_search", use: false }],
      knowledgeBaseIds: [3],
    }),
  ).toEqual({
    world_knowledge: false,
    flash_mode: true,
    tools: [{ name: "web_search", use: false }],
    knowledge_base_ids: [3],
  });
});

describe("choices of a thread and its channel", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.close());
  const starts = (): unknown[] => world.workspace.calls.filter(({ call }) => call === "start").map(({ body }) => body);

  test("a channel's count in its threads, and a thread's own come first", async () => {
    await world.receive(commands("c1", "model", "Thinker", { place: channel }));
    await world.receive(commands("c2", "effort", "high", { place: channel }));
    await world.run(300);
    await world.receive(says("k1", "one"));
    await world.receive(commands("c3", "model", "fastest", { place: thread("t2") }));
    await world.run(300);
    await world.receive(says("k2", "two", { place: thread("t2") }));
    await world.run(300);
    expect(starts()).toMatchObject([
      { ai_model_id: 2, reasoning_effort: "high" },
      { auto_model_type: "fastest", reasoning_effort: "high" },
    ]);
    expect(starts()[1]).not.toHaveProperty("ai_model_id");
  });

  test("/settings shows what is chosen, changes one thing, takes it back, and names what it expected", async () => {
    for (const [index, text] of [
      "web_search off",
      "flash_mode on",
      "knowledge_bases 3, 4",
      "",
      "web_search default",
      "dance on",
      "flash_mode maybe",
      "knowledge_bases all",
    ].entries()) {
      await world.receive(commands(`c${index}`, "settings", text));
      await world.run(200);
    }
    const told = world.platform.whispers.map(({ document }) => textOf(document));
    expect(told[3]).toMatch(/Chosen here:[\s\S]*flash_mode on[\s\S]*web_search off[\s\S]*knowledge_bases 3, 4/);
    expect(/As by default: (.*?)\./.exec(told[3] ?? "")?.[1]?.split(", ")).toEqual(
      expect.arrayContaining(["world_knowledge", "follow_ups", "streaming", "image_generation"]),
    );
    expect(/As by default: (.*?)\./.exec(told[3] ?? "")?.[1]).not.toMatch(/flash_mode|web_search|knowledge_bases/);
    expect(told.slice(5)).toEqual([
      expect.stringMatching(/^!There is no setting “dance”: expected world_knowledge/),
      "!`flash_mode` takes on, off or default.",
      "!`knowledge_bases` takes numbers with commas between them, or default.",
    ]);
    await world.receive(says("k1", "hello"));
    await world.run(300);
    expect(starts()).toMatchObject([{ flash_mode: true, knowledge_base_ids: [3, 4] }]);
    expect(starts()[0]).not.toHaveProperty("tools");
  });
});
