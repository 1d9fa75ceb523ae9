/** Saved prompts and tools in Slack: from the command by the modal to what people see, in both transports. */
import { afterEach, describe, expect, it } from "vitest";
import { createProject, getPrompt } from "../fakes/prompt-tools.ts";
import { openWorld, shownOf, transports, type World } from "./world.ts";

describe.each(transports)("by %s", (transport) => {
  let world: World;
  afterEach(() => world.close());
  const open = async () => {
    world = await openWorld(transport, { access: { operators: ["U0ANN"] } });
    world.workspace.known.tools.push(getPrompt, createProject);
    return { ...world, ann: world.slack.person("U0ANN") };
  };
  const told = (words: string) => world.until(() => world.slack.state.ephemerals.find((one) => shownOf(one).includes(words)));
  const called = (name: string) => world.workspace.calls.filter(({ call }) => call === name).map(({ body }) => body);

  it("asks for a prompt's variables in a modal, and its conversation goes on in the thread", async () => {
    const { ann, slack, until, answers, answered } = await open();
    await ann.slash("C0GENERAL", "prompt weekly");
    await told("asks for Topic, Tone");
    await ann.clicksPrivately("parley_form_");
    const modal = await until(() => ann.modal());
    expect(modal).toMatchObject({ title: { text: "Weekly update" }, submit: { text: "Run" } });
    await ann.submits({ v11: "tea <!channel>", v12: "loud" });
    const parent = await until(() => slack.answers("C0GENERAL").find(({ thread_ts: thread }) => thread === undefined));
    expect(shownOf(parent)).toMatch(/Ann[^]*runs[^]*Weekly update[^]*Topic: tea <!channel>/);
    await answered("C0GENERAL", parent.ts, "Weekly update: tea");
    expect(called("runPrompt")).toHaveLength(1);
    await ann.says("C0GENERAL", "shorter?", { thread: parent.ts });
    expect(await answers("Tea.")).toBe("shorter?");
    expect(called("start")).toEqual([]);
  });

  it("asks for a tool's arguments in a modal, then whether it is to be done, and shows what came of it in private", async () => {
    const { ann, slack, until } = await open();
    await ann.slash("C0GENERAL", "tool create_project");
    await told("create_project");
    await ann.clicksPrivately("parley_form_");
    await until(() => ann.modal());
    await ann.submits({ a0: "Tea", a2: "3\n4" });
    await told("may change something");
    expect(called("callTool")).toEqual([]);
    await ann.clicksPrivately("parley_run-");
    await until(() => slack.state.ephemerals.find((one) => /create_project[^]*ID[^]*5[^]*name[^]*Tea/.test(shownOf(one))));
    expect(called("callTool")).toEqual([{ name: "create_project", args: { name: "Tea", members: [3, 4] } }]);
    expect(slack.answers("C0GENERAL")).toEqual([]);
  });
});
