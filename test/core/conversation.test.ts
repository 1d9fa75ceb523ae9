import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "../../src/contract/records.ts";
import { WorkspaceFault, WriteFault } from "../../src/errors.ts";
import { channel, commands, createWorld, presses, says, textOf, thread, type World } from "./engine.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ f1: new TextEncoder().encode("file text") });
});
afterEach(() => world.close());

const conversations = (): number[] => [...world.workspace.held.keys()];
const callsOf = (name: string): unknown[] => world.workspace.calls.filter(({ call }) => call === name).map(({ body }) => body);
const finish = async (text: string): Promise<void> => {
  world.workspace.answer(conversations()[0]!, { status: "finished", text });
  await world.run(200);
};

describe("a mention", () => {
  test("is answered in one message that grows, and goes on in its thread", async () => {
    expect(await world.receive(says("k1", "hello"))).toBe("new");
    await world.run();
    expect(world.seen()).toEqual(["[Thinking…]"]);
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Hello th" });
    await world.run(200);
    expect(world.seen()).toEqual(["Hello th"]);
    await finish("Hello there.");
    expect(world.seen()).toEqual(["Hello there."]);
    expect(world.platform.messages[0]?.document).toMatchObject({
      state: "done",
      status: null,
      actions: [],
      footer: "Test model",
    });
    expect(callsOf("start")).toEqual([
      { message: "hello", auto_model_type: "balanced", invited_agent_ids: [7], projectId: undefined },
    ]);

    await world.receive(says("k2", "and then?"));
    await world.run(200);
    expect(callsOf("followUp")).toEqual([{ id: conversations()[0], message: "and then?" }]);
    await finish("Then more.");
    expect(world.seen()).toEqual(["Hello there.", "Then more."]);
    expect(conversations()).toHaveLength(1);
  });

  test("comes twice, ten times, and is one turn", async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => world.receive(says("k1", "hello"))));
    expect(results.filter((result) => result === "new")).toHaveLength(1);
    await world.run();
    expect(callsOf("start")).toHaveLength(1);
    expect(world.platform.messages).toHaveLength(1);
  });

  test("of a bot is never answered", async () => {
    expect(await world.receive(says("k1", "hello", { author: { id: "b", name: "Bot", bot: true } }))).toBe("known");
    await world.run(2_000);
    expect(world.platform.messages).toHaveLength(0);
  });

  test("addresses an agent that was typed, and nobody by a name", async () => {
    await world.receive(says("k1", "", { runs: [{ typed: "@research ask " }, { name: "@research" }] }));
    await world.run();
    expect(callsOf("start")).toMatchObject([{ message: "@research ask @\u2060research" }]);
  });

  test("takes its files and the thread's earlier messages along", async () => {
    const file = { id: "f1", name: "notes.TXT", mediaType: "text/plain", bytes: 9 };
    await world.receive(says("k1", "read this", { files: [file], context: [{ author: "Bob", text: "earlier", at: 0 }] }));
    await world.run();
    const [first, second] = [...world.workspace.uploads];
    expect([first?.[1].text, second?.[1].name]).toEqual(["file text", "earlier-messages.md"]);
    expect(callsOf("start")).toMatchObject([
      {
        attachments: [
          { id: first?.[0], type: "file" },
          { id: second?.[0], type: "file", temp: true },
        ],
      },
    ]);
  });
});

describe("the lane", () => {
  test("answers one message at a time and shows the others their place", async () => {
    for (const key of ["k1", "k2", "k3"]) await world.receive(says(key, key));
    await world.run(100);
    expect(world.seen()).toEqual(["[Thinking…]", "[Next in line, after the answer above.]", "[2 messages before yours.]"]);
    expect(callsOf("start")).toHaveLength(1);
    await finish("one");
    expect(world.seen()).toEqual(["one", "[Thinking…]", "[Next in line, after the answer above.]"]);
    await finish("two");
    await finish("three");
    expect(world.seen()).toEqual(["one", "two", "three"]);
    expect(callsOf("followUp")).toMatchObject([{ message: "k2" }, { message: "k3" }]);
  });

  test("lets other places go on meanwhile", async () => {
    await world.receive(says("k1", "here"));
    await world.receive(says("k2", "there", { place: thread("t2") }));
    await world.run();
    expect(callsOf("start")).toHaveLength(2);
  });

  test("forgets a message that is deleted, and answers an edited one as it is now", async () => {
    for (const key of ["k1", "k2", "k3"]) await world.receive(says(key, key));
    await world.run(100);
    const { place, author, at } = says("", "");
    await world.receive({ kind: "delete", key: "d", place, author, at, target: "k2" });
    await world.receive({ kind: "edit", key: "e", place, author, at, target: "k3", runs: [{ typed: "k3, but better" }] });
    await world.run(200);
    expect(world.seen()).toEqual(["[Thinking…]", "[Next in line, after the answer above.]"]);
    await finish("one");
    await finish("three");
    expect(callsOf("followUp")).toMatchObject([{ message: "k3, but better" }]);
  });
});

describe("Stop", () => {
  test("ends the reply at once, tells the workspace, and holds the lane until it has ended", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "A long ans" });
    await world.run(200);
    expect(world.platform.messages[0]?.document.actions).toEqual([{ action: "stop", label: "Stop", turn: "k1" }]);
    await world.receive(presses("p1", "stop", "k1"));
    await world.run(500);
    expect(world.seen()[0]).toMatch(/^A long ans !Stopped\./);
    expect(callsOf("stop")).toHaveLength(1);
    await world.receive(says("k2", "next"));
    await world.run(500);
    expect(callsOf("followUp")).toHaveLength(1);
  });

  test("leaves the next answer to the next question, also when both have the same words", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Never seen to its end" });
    await world.run(200);
    await world.receive(presses("p1", "stop", "k1"));
    await world.receive(says("k2", "hello"));
    await world.run(500);
    await finish("The second answer.");
    expect(world.seen()[1]).toBe("The second answer.");
  });

  test("by command does the same, and says so when nothing runs", async () => {
    await world.receive(commands("c0", "stop"));
    await world.run(200);
    expect(textOf(world.platform.whispers[0]!.document)).toBe("!Nothing is running here.");
    await world.receive(says("k1", "hello"));
    await world.run();
    await world.receive(commands("c1", "stop"));
    await world.run(500);
    expect(world.seen()[0]).toMatch(/Stopped/);
  });
});

describe("a failure", () => {
  test("of the model is shown with its reference, and Try again runs the same message again", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, {
      status: "finished",
      text: "Half",
      error_text: "the provider failed",
      error_id: "ab12cd34ef",
    });
    await world.run(300);
    expect(world.seen()).toEqual(["Half !The answer failed: the provider failed. Support reference: ab12cd34ef."]);
    expect(world.platform.messages[0]?.document.actions).toEqual([{ action: "retry", label: "Try again", turn: "k1" }]);
    await world.receive(presses("p1", "retry", "k1"));
    await world.run(300);
    expect(callsOf("retry")).toHaveLength(1);
    await finish("Whole.");
    expect(world.seen()).toEqual(["Whole."]);
    await world.receive(presses("p1", "retry", "k1"));
    await world.run(300);
    expect(callsOf("retry")).toHaveLength(1);
  });

  test("by quota says which, and is not tried again by itself", async () => {
    world.workspace.fail("start", {
      fault: new WorkspaceFault("quota", "Quota exceeded", { status: 429, reason: "trial_expired" }),
      when: "before",
    });
    await world.receive(says("k1", "hello"));
    await world.run(5_000);
    expect(world.seen()).toEqual(["!The workspace's trial has ended."]);
    expect(callsOf("start")).toHaveLength(1);
    await world.receive(commands("c1", "retry"));
    await world.run(300);
    await finish("Now.");
    expect(world.seen()).toEqual(["Now."]);
  });

  test("to reach the workspace is shown while Parley goes on trying", async () => {
    const down = { fault: new WorkspaceFault("unreachable", "connection refused"), when: "before" as const };
    world.workspace.fail("start", down, down, down);
    await world.receive(says("k1", "hello"));
    await world.run(200);
    expect(world.seen()).toEqual(["[The workspace cannot be reached; trying again…]"]);
    await world.run(5_000);
    await finish("There.");
    expect(world.seen()).toEqual(["There."]);
    expect(conversations()).toHaveLength(1);
  });

  test("where the workspace is asked too often is shown as such", async () => {
    world.workspace.fail("start", { fault: new WorkspaceFault("rate_limited", "too many"), when: "before" });
    await world.receive(says("k1", "hello"));
    await world.run(200);
    expect(world.seen()).toEqual(["[The workspace is asked too often; trying again soon…]"]);
    await world.run(5_000);
    await finish("There.");
    expect(world.seen()).toEqual(["There."]);
  });

  test("to read the answer for longer than it takes to know that there is none costs nobody the answer", async () => {
    world.workspace.live = false;
    await world.receive(says("k1", "hello"));
    const away = { fault: new WorkspaceFault("rate_limited", "too many"), when: "before" as const };
    for (let reads = 0; reads < 200; reads++) world.workspace.fail("messages", away);
    await world.run(75_000);
    expect(callsOf("start")).toHaveLength(1);
    expect(world.seen()).toEqual(["[Thinking…]"]);
    await world.run(200_000);
    await finish("There.");
    await world.run(5_000);
    expect(world.seen()).toEqual(["There."]);
  });
});

describe("what nobody foresaw", () => {
  const away = { fault: new Error("the store is away"), when: "before" as const };

  test("is tried again, and the answer comes all the same, once", async () => {
    for (let times = 0; times < 3; times++) world.workspace.fail("start", away);
    await world.receive(says("k1", "hello"));
    await world.run(15_000);
    await finish("There.");
    expect(world.seen()).toEqual(["There."]);
    expect(conversations()).toHaveLength(1);
  });

  test("again and again ends after some minutes with saying so, and the lane goes on", async () => {
    for (let times = 0; times < 7; times++) world.workspace.fail("start", away);
    await world.receive(says("k1", "hello"));
    await world.run(40_000);
    expect(world.seen()[0]).not.toMatch(/Something went wrong/);
    await world.run(120_000);
    expect(world.seen()[0]).toMatch(/Something went wrong in Parley/);
    expect(world.platform.messages[0]?.document.actions).toMatchObject([{ action: "retry" }]);
    await world.receive(says("k2", "and now?"));
    await world.run();
    await finish("Now.");
    expect(world.seen()[1]).toBe("Now.");
  });
});

describe("a lost answer", () => {
  const lost = { fault: new WorkspaceFault("lost", "no answer"), when: "after" as const };

  test("to a start is found among the new conversations, and nothing is asked twice", async () => {
    world.workspace.fail("start", lost);
    await world.receive(says("k1", "hello"));
    await world.run(3_000);
    await finish("Found.");
    expect(world.seen()).toEqual(["Found."]);
    expect(conversations()).toHaveLength(1);
  });

  test("to a follow-up is found in its conversation", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    await finish("One.");
    world.workspace.fail("followUp", lost);
    await world.receive(says("k2", "hello"));
    await world.run(3_000);
    await finish("Two.");
    expect(callsOf("followUp")).toHaveLength(1);
    expect(world.seen()).toEqual(["One.", "Two."]);
  });

  test("behind a proxy's page is found too", async () => {
    const page = new WorkspaceFault("unavailable", "Bad gateway", { status: 502, foreign: true });
    world.workspace.fail("start", { fault: page, when: "after" });
    await world.receive(says("k1", "hello"));
    await world.run(3_000);
    await finish("Found.");
    expect(world.seen()).toEqual(["Found."]);
    expect(conversations()).toHaveLength(1);
  });

  test("again and again ends visibly after a minute, with a way to ask again", async () => {
    for (let times = 0; times < 100; times++) world.workspace.fail("start", { ...lost, when: "before" });
    await world.receive(says("k1", "hello"));
    await world.run(45_000);
    expect(world.seen()[0]).not.toMatch(/did not answer/);
    await world.run(30_000);
    expect(world.seen()[0]).toMatch(/The workspace did not answer/);
    expect(world.platform.messages[0]?.document.actions).toMatchObject([{ action: "retry" }]);
  });

  test("whose search fails too is looked for again later, and nothing is asked twice", async () => {
    world.workspace.fail("start", lost);
    world.workspace.fail("list", { ...lost, when: "before" }, { ...lost, when: "before" });
    await world.receive(says("k1", "hello"));
    await world.run(15_000);
    await finish("Found.");
    expect(world.seen()).toEqual(["Found."]);
    expect(conversations()).toHaveLength(1);
  });

  test("to a request that never arrived is sent again", async () => {
    world.workspace.fail("start", { ...lost, when: "before" });
    await world.receive(says("k1", "hello"));
    await world.run(4_000);
    expect(conversations()).toHaveLength(1);
    await finish("Sent.");
    expect(world.seen()).toEqual(["Sent."]);
  });

  test("with two conversations that it could be ends visibly as unknown, and can be asked again", async () => {
    await world.workspace.conversations.start({ message: "hello" });
    world.workspace.fail("start", lost);
    await world.receive(says("k1", "hello"));
    await world.run(4_000);
    expect(world.seen()[0]).toMatch(/cannot tell whether the workspace has your message/);
    expect(world.platform.messages[0]?.document.actions).toMatchObject([{ action: "retry", label: "Ask again" }]);
  });
});

test("a follow-up to a conversation that was deleted begins a new one", async () => {
  await world.receive(says("k1", "hello"));
  await world.run();
  await finish("One.");
  world.workspace.fail("followUp", {
    fault: new WorkspaceFault("not_found", "conversation not found", { status: 404 }),
    when: "before",
  });
  await world.receive(says("k2", "still there?"));
  await world.run(3_000);
  expect(callsOf("start")).toHaveLength(2);
  world.workspace.answer(conversations()[1]!, { status: "finished", text: "Here." });
  await world.run(300);
  expect(world.seen()).toEqual(["One.", "Here."]);
});

test("a question that the workspace's rules have changed is found all the same", async () => {
  await world.receive(says("k1", "hello"));
  await world.run();
  await finish("One.");
  const list = world.workspace.held.get(conversations()[0]!) as Message[];
  await world.receive(says("k2", "my number is 123"));
  await world.run();
  const at = list.findIndex(({ text }) => text.includes("123"));
  list[at] = { ...list[at]!, text: "my number is [removed]" };
  await finish("Two.");
  expect(world.seen()).toEqual(["One.", "Two."]);
});

describe("the live channel", () => {
  test("may never deliver: reading finishes the answer", async () => {
    world.workspace.live = false;
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Half" });
    await world.run(1_500);
    expect(world.seen()).toEqual(["Half"]);
    world.workspace.answer(conversations()[0]!, { status: "finished", text: "Whole" });
    await world.run(1_500);
    expect(world.seen()).toEqual(["Whole"]);
  });

  const pieces = ["A", "A b", "A bit", "A bit of", "A bit of every", "A bit of everything", "A bit of everything."];

  test.for(Array.from({ length: pieces.length + 2 }, (_, index) => index))(
    "may break before any of its events, and what was missed is read: event %i",
    async (broken) => {
      await world.receive(says("k1", "hello"));
      const live: (() => void)[] = [
        ...pieces.map((text) => () => world.workspace.answer(conversations()[0]!, { status: "generating", text })),
        () => world.workspace.answer(conversations()[0]!, { status: "finished", text: pieces.at(-1)! }),
      ];
      for (const [index, happen] of live.entries()) {
        if (index === 0) await world.run();
        if (index === broken) world.workspace.live = false;
        happen();
        if (index === broken) {
          // The connection ends with what was on its way in it.
          world.workspace.dropLive();
          world.workspace.live = true;
        }
        await world.run(200);
      }
      await world.run(3_000);
      expect(world.seen()).toEqual([pieces.at(-1)]);
      expect(world.platform.messages).toHaveLength(1);
      expect(world.platform.messages[0]?.document.state).toBe("done");
      expect(callsOf("start")).toHaveLength(1);
    },
  );

  test("without any AI message, as in a team's conversation, leaves nothing behind", async () => {
    world.workspace.answers = false;
    await world.receive(says("k1", "hello"));
    await world.run(70_000);
    expect(world.platform.messages).toHaveLength(0);
    expect(world.outcomes.get("message")).toBe("no_answer");
  });

  test("whose answer does not change for five minutes is given up visibly", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Half" });
    await world.clock.advance(320_000);
    await world.run(500);
    expect(world.seen()[0]).toMatch(/^Half !The workspace stopped answering/);
  });
});

describe("a crash", () => {
  test("at any moment leaves one message that is gone on with, and one question", async () => {
    for (const [index, ms] of [0, 10, 50, 100, 150, 250].entries()) {
      const place = thread(`crash-${index}`);
      await world.receive(says(`k${index}`, `question ${index}`, { place }));
      await world.run(ms);
      await world.crash();
      await world.run(3_500);
    }
    const asked = callsOf("start") as Array<{ message: string }>;
    expect(asked.map(({ message }) => message).toSorted()).toEqual([0, 1, 2, 3, 4, 5].map((index) => `question ${index}`));
    for (const id of conversations()) world.workspace.answer(id, { status: "finished", text: `answer ${id}` });
    await world.run(12_000);
    expect(world.seen().toSorted()).toEqual(
      conversations()
        .map((id) => `answer ${id}`)
        .toSorted(),
    );
  });

  test("in the middle of an answer goes on in the same message", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Half" });
    await world.run(200);
    const [before] = world.platform.messages;
    await world.crash();
    await world.run(200);
    await finish("Whole.");
    expect(world.platform.messages).toHaveLength(1);
    expect(world.platform.messages[0]?.posted).toEqual(before?.posted);
    expect(world.seen()).toEqual(["Whole."]);
    expect(callsOf("start")).toHaveLength(1);
  });

  test("of the workspace in the middle of an answer has it run again once", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, {
      status: "finished",
      text: "Half",
      error_text: "interrupted",
      error_id: "1234567890",
      error_code: "INTERRUPTED",
    });
    await world.run(300);
    expect(callsOf("retry")).toHaveLength(1);
    await finish("Whole.");
    expect(world.seen()).toEqual(["Whole."]);
  });

  test("while messages wait answers each of them once, in order", async () => {
    for (const key of ["k1", "k2", "k3"]) await world.receive(says(key, key));
    await world.run(100);
    await world.crash();
    await world.run(500);
    for (const text of ["one", "two", "three"]) await finish(text);
    expect(world.seen()).toEqual(["one", "two", "three"]);
  });
});

describe("the platform", () => {
  test("loses the answer to a post: the message is found, not posted again", async () => {
    world.platform.order("post", "answer_lost");
    await world.receive(says("k1", "hello"));
    await world.run(5_000);
    await finish("Once.");
    await world.run(5_000);
    expect(world.seen()).toEqual(["Once."]);
  });

  test("has lost the message: the turn ends, and the lane goes on", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.platform.order("edit", new WriteFault("gone", "the message was deleted"));
    await finish("Nobody sees this.");
    expect(world.outcomes.get("message")).toBe("gone");
    expect(world.platform.whispers).toMatchObject([{ document: { notice: expect.stringContaining("could not be shown") } }]);
    await world.receive(says("k2", "next"));
    await world.run(300);
    expect(callsOf("followUp")).toHaveLength(1);
  });
});

describe("commands", () => {
  const whispers = (): string[] => world.platform.whispers.map(({ document }) => textOf(document));

  test("/ask posts a parent that names asker and question literally, and answers in its thread", async () => {
    await world.receive(commands("c1", "ask", "what *is* <this>?", { place: channel }));
    await world.run(500);
    await finish("That.");
    expect(world.seen()).toEqual(["Ann asks: what *is* <this>?", "That."]);
    const [parent, answer] = world.platform.messages;
    expect(answer?.posted.place).toEqual({ ...channel, thread: parent?.posted.id });
    await world.receive(says("k2", "more", { place: answer!.posted.place }));
    await world.run(300);
    expect(callsOf("followUp")).toHaveLength(1);
  });

  test("/ask survives a crash at any moment with one parent and one answer", async () => {
    for (const [index, ms] of [0, 50, 100].entries()) {
      await world.receive(commands(`c${index}`, "ask", `q${index}`, { place: channel }));
      await world.run(ms);
      await world.crash();
      await world.run(3_500);
    }
    expect(world.seen().filter((text) => text.startsWith("Ann asks:"))).toHaveLength(3);
    expect(callsOf("start")).toHaveLength(3);
  });

  test("/once answers in the place and keeps nothing", async () => {
    await world.receive(commands("c1", "once", "model:Thinker six times seven?"));
    await world.run(500);
    expect(world.seen()).toEqual(["ran: six times seven?"]);
    expect(callsOf("run")).toEqual([{ prompt: "six times seven?", modelId: 2 }]);
    expect(conversations()).toHaveLength(0);
  });

  test("/model changes a running conversation by PATCH and the next start by its field", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    await finish("Hi.");
    await world.receive(commands("c1", "model", "thinker"));
    await world.run(300);
    expect(whispers()).toEqual(["Thinker now answers in this thread."]);
    expect(callsOf("changeModel")).toMatchObject([{ ai_model_id: 2 }]);
    await world.receive(commands("c2", "new"));
    await world.receive(says("k2", "again"));
    await world.run(500);
    expect(callsOf("start")).toMatchObject([{}, { ai_model_id: 2 }]);
  });

  test("/agent begins a new conversation in the same thread and says so", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    await finish("Hi.");
    await world.receive(commands("c1", "agent", "@research"));
    await world.receive(says("k2", "again"));
    await world.run(500);
    expect(whispers()[0]).toMatch(/The agent research now answers.*needs a new conversation/);
    expect(callsOf("start")[1]).toEqual({ message: "again", agent_id: 7, projectId: undefined });
  });

  test("wrong ones say what was expected, privately", async () => {
    await world.receive(commands("c1", "dance"));
    await world.receive(commands("c2", "model", ""));
    await world.receive(commands("c3", "model", "Blocked"));
    await world.receive(commands("c4", "model", "nothing like this"));
    await world.run(500);
    expect(whispers().toSorted()).toEqual(
      [
        "!There is no command /dance. /help shows all there are.",
        "!`/model` needs a model's name, or best, balanced or fastest: `/model <model>`.",
        "!Blocked cannot be chosen: not in the EU.",
        "!There is no one model “nothing like this”. There are: Test model, Thinker, Blocked.",
      ].toSorted(),
    );
    expect(world.platform.messages).toHaveLength(0);
  });

  test("/help, /models, /agents and /status answer privately", async () => {
    for (const name of ["help", "models", "agents", "status"]) await world.receive(commands(name, name));
    await world.run(500);
    expect(whispers()).toHaveLength(4);
    // Each goes its own way: which is there first is nobody's promise.
    for (const words of ["Mention @parley", "Thinker", "@research", "Workspacereachable"])
      expect(whispers().filter((told) => told.includes(words))).toHaveLength(1);
  });
});

test("a drain hands running turns over, and the next process goes on at once", async () => {
  await world.receive(says("k1", "hello"));
  await world.run();
  world.workspace.answer(conversations()[0]!, { status: "generating", text: "Half" });
  await world.run(200);
  const drained = world.engine.drain();
  await world.run(500);
  await drained;
  await world.crash();
  await world.run(200);
  await finish("Whole.");
  expect(world.seen()).toEqual(["Whole."]);
  expect(callsOf("start")).toHaveLength(1);
});
