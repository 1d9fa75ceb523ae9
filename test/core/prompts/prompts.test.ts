import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WorkspaceFault } from "../../../src/errors.ts";
import { fakePrompt } from "../../fakes/workspace.ts";
import { channel, commands, createWorld, presses, says, textOf, thread, type World } from "../engine.ts";
import type { Inbound } from "../../../src/core/inbound.ts";
import type { FormValues } from "../../../src/core/forms.ts";

const ann = { id: "u1", name: "Ann" };
/** As the embedded workspace's get_prompt answers, with fields that nobody asked for. */
const told = {
  name: "Weekly update",
  current_version: {
    content: "Write about {{topic}} in {{tone}}.",
    variables: [
      {
        ID: 12,
        slug: "tone",
        name: "Tone",
        data_type: "select",
        default_value: "calm",
        required: false,
        sort: 2,
        options: ["calm", "loud"],
      },
      { ID: 11, slug: "topic", name: "Topic", data_type: "text", default_value: "", required: true, sort: 1, options: [] },
    ],
  },
};
const getPrompt = (answer: unknown) => ({ name: "get_prompt", description: "", inputSchema: {}, answer: () => answer });

let world: World;
let sent = 0;
beforeEach(async () => {
  world = await createWorld();
  world.workspace.known.tools.push(getPrompt(told));
});
afterEach(() => world.close());

const whispered = () => world.platform.whispers.map(({ document }) => textOf(document));
const actions = () => world.platform.whispers.at(-1)?.document.actions ?? [];
const command = async (key: string, name: string, text: string, over = {}): Promise<void> => {
  await world.receive(commands(key, name, text, over));
  await world.run(500);
};
const submit = async (values: FormValues, key = `s${++sent}`): Promise<void> => {
  const form = actions().find((action) => action.form !== undefined)?.form ?? "none";
  await world.receive({ kind: "submission", key, place: thread("t1"), author: ann, at: 1, form, values } as Inbound);
  await world.run(1_000);
};
const runs = () => world.workspace.calls.filter(({ call }) => call === "runPrompt").map(({ body }) => body);
const filled = { v11: "tea", v12: "loud" };

describe("/prompt", () => {
  test("asks for the variables in a form, shows who runs what, and the answer; follow-ups go on there", async () => {
    await command("c1", "prompt", "weekly");
    expect(whispered()).toEqual(["Weekly update asks for Topic, Tone."]);
    const form = await world.engine.directory.form(actions()[0]?.form ?? "", ann);
    expect(form).toMatchObject({
      title: "Weekly update",
      submit: "Run",
      forEverybody: true,
      fields: [
        { label: "Topic", type: "text", required: true },
        { label: "Tone", type: "choice", required: false, value: "calm" },
      ],
    });
    await submit(filled);
    expect(runs()).toEqual([
      {
        id: 1,
        values: [
          { variable_id: 11, value: "tea" },
          { variable_id: 12, value: "loud" },
        ],
      },
    ]);
    expect(world.seen()).toEqual(["Ann runs Weekly update: Topic: tea Tone: loud", "ran Weekly update: tea, loud"]);
    await world.receive(says("m2", "and coffee?"));
    await world.run(500);
    const [conversation] = world.workspace.held.keys();
    expect(world.workspace.calls.filter(({ call }) => call === "followUp").map(({ body }) => body)).toMatchObject([
      { id: conversation, message: "and coffee?" },
    ]);
  });

  test("without variables runs at once, in a thread of its own in a channel", async () => {
    world.workspace.known.tools.splice(0, 1, getPrompt({ current_version: { content: "Say hello.", variables: [] } }));
    await command("c1", "prompt", "weekly", { place: channel });
    await world.run(1_000);
    expect(runs()).toEqual([{ id: 1, values: [] }]);
    const [parent, answer] = world.platform.messages;
    expect(answer?.posted.place).toEqual({ ...channel, thread: parent?.posted.id });
  });

  test("attaches the pictures and files that its answer made, once, also where there is nothing else of it", async () => {
    const path = "https://files.example/91/ship.png";
    world.workspace.media.bytes.set(path, new TextEncoder().encode("pixels"));
    world.workspace.runAnswer = { attachments: [{ type: "file", ID: 91, name: "ship.png", path }] };
    await command("c1", "prompt", "weekly");
    await submit(filled);
    world.workspace.runAnswer = { ...world.workspace.runAnswer, text: "" };
    world.workspace.runResult = { result: "" };
    await command("c2", "prompt", "weekly");
    await submit(filled);
    const attached = async (): Promise<unknown> => {
      await world.run(500);
      return world.platform.messages.flatMap(({ files }) => files.map(({ name, mediaType }) => [name, mediaType]));
    };
    await expect.poll(attached).toEqual([
      ["ship.png", "image/png"],
      ["ship.png", "image/png"],
    ]);
    expect(world.platform.messages.every(({ document }) => document.notice === null)).toBe(true);
    expect(world.workspace.calls.filter(({ call }) => call === "download")).toHaveLength(2);
  });

  test("what people typed into variables is literal text in the place", async () => {
    await command("c1", "prompt", "weekly");
    await submit({ ...filled, v11: "**bold** <!channel> [x](https://evil.example)\n# big" });
    expect(world.seen()[0]).toBe(
      "Ann runs Weekly update: Topic: **bold** <!channel> [x](https://evil.example)\n# big Tone: loud",
    );
  });

  test("knows its variables from an earlier run where the tool server tells nothing", async () => {
    await command("c1", "prompt", "weekly");
    await submit(filled);
    world.workspace.known.tools.length = 0;
    await command("c2", "prompt", "weekly");
    const form = await world.engine.directory.form(actions()[0]?.form ?? "", ann);
    expect(form?.fields).toMatchObject([
      { name: "v11", value: "tea" },
      { name: "v12", value: "loud" },
    ]);
  });

  test.each([[undefined], [{ content: "Write about {{topic}}" }], [{ variables: [{ slug: "topic" }] }], ["no JSON"]])(
    "says so where nothing tells of the variables: %j",
    async (answer) => {
      world.workspace.known.tools.splice(0, 1, ...(answer === undefined ? [] : [getPrompt(answer)]));
      await command("c1", "prompt", "weekly");
      expect(whispered()[0]).toContain("does not tell what “Weekly update” asks for");
      expect(runs()).toEqual([]);
    },
  );

  test("a name that is none of them says which there are", async () => {
    await command("c1", "prompt", "monthly");
    expect(whispered()).toEqual(["!There is no one prompt “monthly”. There are: Weekly update."]);
  });

  test("a failed run within a good answer is shown as failed, and run again on request", async () => {
    world.workspace.runResult = { run_status: "error", error_text: "model overloaded", error_id: "e-1" };
    await command("c1", "prompt", "weekly");
    await submit(filled);
    expect(world.seen()[1]).toBe("!The answer failed: model overloaded. Support reference: e-1.");
    world.workspace.runResult = {};
    const failed = world.platform.messages[1]?.document.actions[0];
    await world.receive(presses("a1", failed?.action ?? "", failed?.turn ?? ""));
    await world.run(1_000);
    expect(runs()).toHaveLength(2);
    expect(world.seen()[1]).toBe("ran Weekly update: tea, loud");
  });

  test("an answer that the key may not read is made of the run's HTML", async () => {
    world.workspace.fail("messages", { fault: new WorkspaceFault("forbidden", "no"), when: "before" });
    await command("c1", "prompt", "weekly");
    await submit(filled);
    // What reads HTML is loaded when it is first needed.
    await expect.poll(() => world.run(50).then(() => world.seen()[1])).toBe("ran Weekly update: tea, loud");
  });
});

describe("a run whose answer is lost", () => {
  const lost = { fault: new WorkspaceFault("lost", "connection reset"), when: "after" } as const;

  test("is found in the prompt's history, and not repeated", async () => {
    world.workspace.fail("runPrompt", lost);
    await command("c1", "prompt", "weekly");
    await submit(filled);
    expect(runs()).toHaveLength(1);
    expect(world.seen()[1]).toBe("ran Weekly update: tea, loud");
  });

  test("whose answer cannot be read for a moment is shown all the same", async () => {
    world.workspace.fail("promptHistory", { ...lost, when: "before" });
    world.workspace.fail("runPrompt", lost);
    world.workspace.fail("messages", { ...lost, when: "before" });
    await command("c1", "prompt", "weekly");
    await submit(filled);
    await world.run(15_000);
    expect(runs()).toHaveLength(1);
    expect(world.seen()[1]).toBe("ran Weekly update: tea, loud");
  });

  test("and not to be found is not repeated, until asked", async () => {
    world.workspace.fail("runPrompt", { ...lost, when: "before" });
    await command("c1", "prompt", "weekly");
    await submit(filled);
    await world.run(5_000);
    expect(runs()).toHaveLength(1);
    expect(world.seen()[1]).toBe("!Parley cannot tell whether the prompt was run, and runs nothing twice by itself.");
    const [again] = world.platform.messages[1]?.document.actions ?? [];
    expect(again?.label).toBe("Ask again");
    await world.receive(presses("a1", again?.action ?? "", again?.turn ?? ""));
    await world.run(1_000);
    expect(runs()).toHaveLength(2);
    expect(world.seen()[1]).toBe("ran Weekly update: tea, loud");
  });

  test("because the process died is found too", async () => {
    const before = world.workspace.prompts;
    const run = before.run.bind(before);
    let ran = 0;
    world.workspace.prompts.run = async (...args) => {
      const result = await run(...args);
      // The process dies before it hears of it.
      if (++ran === 1) await new Promise(() => {});
      return result;
    };
    await command("c1", "prompt", "weekly");
    await submit(filled);
    await world.crash();
    await world.run(60_000);
    expect(ran).toBe(1);
    expect(world.seen()).toEqual(["Ann runs Weekly update: Topic: tea Tone: loud", "ran Weekly update: tea, loud"]);
  });
});

describe("/prompts", () => {
  test("lists them, each with a button that runs it", async () => {
    world.workspace.known.prompts.push(fakePrompt(2, "Tea", { description: "All about *tea*", is_favorite: true }));
    await command("c1", "prompts", "");
    expect(whispered()[0]).toContain("Tea ★ All about *tea*");
    expect(actions().map(({ label }) => label)).toEqual(["Run Weekly update", "Run Tea"]);
    const [run] = actions();
    await world.receive(presses("a1", run?.action ?? "", run?.turn ?? ""));
    await world.run(500);
    expect(whispered().at(-1)).toBe("Weekly update asks for Topic, Tone.");
  });

  test("finds by words, and by list", async () => {
    world.workspace.known.prompts.push(fakePrompt(2, "Tea", { is_favorite: true }));
    await command("c1", "prompts", "tea");
    expect(actions().map(({ label }) => label)).toEqual(["Run Tea"]);
    await command("c2", "prompts", "show:favorites");
    expect(actions().map(({ label }) => label)).toEqual(["Run Tea"]);
    await command("c3", "prompts", "coffee");
    expect(whispered().at(-1)).toBe("No prompt has these words in its name or description.");
  });

  test("a button is nobody else's", async () => {
    await command("c1", "prompts", "");
    const [run] = actions();
    await world.receive({ ...presses("a1", run?.action ?? "", run?.turn ?? ""), author: { id: "u2", name: "Bob" } } as Inbound);
    await world.run(500);
    expect(whispered().at(-1)).toContain("!This button is another person's");
  });

  test("a key without the permission: operators are told which", async () => {
    const fault = new WorkspaceFault(
      "forbidden",
      "This api key does not have any of the required permissions. You need at least one of: prompts_get",
      { status: 403 },
    );
    world.workspace.fail("prompts", { fault, when: "before" });
    await command("c1", "prompts", "");
    expect(whispered()).toEqual(["!Saved prompts: not enabled. The workspace key lacks the permission prompts_get."]);
  });
});
