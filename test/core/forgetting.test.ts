/** Deletion, removal and `/forget`, also in the middle of a turn: what is left after a minute is nothing. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WorkspaceFault } from "../../src/errors.ts";
import type { Inbound } from "../../src/core/inbound.ts";
import { channel, commands, createWorld, presses, says, textOf, thread, type World } from "./engine.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const conversations = (): number[] => [...world.workspace.held.keys()];
const finish = async (): Promise<void> => {
  world.workspace.answer(conversations().at(-1)!, { status: "finished", text: "Hello there." });
  await world.run(200);
};
const deletes = (target: string): Inbound => ({
  kind: "delete",
  key: `${target}/delete`,
  place: thread("t1"),
  author: { id: "u1", name: "Ann" },
  at: 2,
  target,
});
/** Says yes with the button of this name to what Parley asked last. */
const yes = async (label: string, key: string, over: object = {}): Promise<void> => {
  const button = world.platform.whispers.at(-1)!.document.actions.find((action) => action.label === label);
  if (button === undefined) throw new Error(`there is no button ${label}`);
  await world.receive({ ...presses(key, button.action, button.turn), place: channel, ...over } as Inbound);
};
const forget = async (): Promise<void> => {
  await world.receive(commands("f", "forget", "", { place: channel }));
  await world.run(200);
  await yes("Forget me", "fy");
};
const kinds = async () => (await world.audited()).map(({ kind, outcome }) => `${kind} ${outcome}`);

describe("a deleted message", () => {
  test("takes the answer along that was posted, its files too, and leaves a key that is known", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    await finish();
    await world.receive(presses("p", "helpful", "k1"));
    await world.run(100);
    expect(world.seen()).toEqual(["Hello there."]);
    await world.receive(deletes("k1"));
    await world.run(1_000);
    expect(world.seen()).toEqual([]);
    expect(await world.rows("turns", "k1")).toMatchObject([
      { asker: "", body: null, progress: expect.not.stringContaining("m1") as string },
    ]);
    expect(await world.rows("ratings")).toEqual([]);
    expect(await world.receive(says("k1", "hello"))).toBe("known");
  });

  test("whose answer forms ends it, and nothing is shown any more", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Hello th" });
    await world.run(200);
    expect(world.seen()).toEqual(["Hello th"]);
    await world.receive(deletes("k1"));
    await world.run(1_000);
    expect(world.seen()).toEqual([]);
    await world.run(59_000);
    expect(world.seen()).toEqual([]);
    expect(await world.rows("turns", "k1")).toMatchObject([{ asker: "", body: null, outcome: "cancelled" }]);
    expect((await kinds()).toSorted()).toEqual(["delete done", "message cancelled"]);
  });

  test("whose answer forms in a process that dies is ended by the next", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Hello th" });
    await world.run(200);
    const received = world.receive(deletes("k1"));
    await world.crash();
    await Promise.race([received, world.run(100)]);
    await world.receive(deletes("k1"));
    await world.run(60_000);
    expect(world.seen()).toEqual([]);
    expect(await world.rows("turns", "k1")).toMatchObject([{ asker: "", body: null }]);
  });

  test("that waits never begins", async () => {
    await world.receive(says("k1", "one"));
    await world.run();
    await world.receive(says("k2", "two"));
    await world.run(100);
    await world.receive(deletes("k2"));
    await world.run(1_000);
    expect(world.seen()).toEqual(["[Thinking…]"]);
    expect(await kinds()).toEqual(expect.arrayContaining(["message cancelled", "delete done"]));
    expect(await world.rows("turns", "k2")).toMatchObject([{ asker: "", body: null }]);
  });

  test("whose answer was tried again takes the second try along", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "finished", text: "", error_text: "broken", error_id: "e1" });
    await world.run(200);
    await world.receive(presses("p", "retry", "k1"));
    await world.run(500);
    await finish();
    expect(world.platform.messages).toHaveLength(1);
    await world.receive(deletes("k1"));
    await world.run(60_000);
    expect(world.seen()).toEqual([]);
  });

  test("of which nothing is known is nothing to do", async () => {
    await world.receive(deletes("never seen"));
    await world.run(1_000);
    expect(world.seen()).toEqual([]);
    expect(await kinds()).toEqual(["delete done"]);
  });
});

describe("/forget", () => {
  test("leaves no row of the asker after a minute, and says so to them alone", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    await finish();
    await world.receive(presses("p", "helpful", "k1"));
    await world.receive(commands("s", "footer", "off", { direct: true, place: { ...channel, channel: "direct" } }));
    await world.run(100);
    await forget();
    await world.run(60_000);
    expect(await world.rows("turns")).toEqual([]);
    expect(await world.rows("ratings")).toEqual([]);
    expect(JSON.stringify(await world.rows("audit"))).not.toContain("u1");
    const said = textOf(world.platform.whispers.at(-1)!.document);
    expect(said).toContain("Parley has deleted what it held of you: 4 messages with what belonged to them, 1 rating");
    const line = (await world.audited()).find(({ kind }) => kind === "button /forget");
    expect(line).toMatchObject({
      outcome: "done",
      person: expect.stringMatching(/^forgotten-/) as string,
      channel: null,
      turn: null,
    });
    expect(line?.counts).toMatchObject({ turns: 4, ratings: 1 });
  });

  test("in the middle of an answer ends it, and what waits behind it; others' go on", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Hello th" });
    await world.receive(says("k2", "more"));
    await world.receive(says("k3", "mine", { author: { id: "u2", name: "Ben" }, place: thread("t2") }));
    await world.run(200);
    await forget();
    await world.run(60_000);
    const rows = (await world.rows("turns")) as readonly { key: string }[];
    expect(rows.map(({ key }) => key)).toEqual(["k3"]);
    expect(world.seen()).toEqual(["[Thinking…]"]);
  });

  describe("with an account of their own", () => {
    const key = "ann's key";
    const direct = { direct: true, place: { ...channel, channel: "direct" } };
    const asked = async (): Promise<void> => {
      await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
      await world.receive(says("k1", "hello", direct));
      await world.run(500);
      const own = world.people.workspaceOf(key);
      own.answer([...own.held.keys()][0]!, { status: "finished", text: "Hello there." });
      await world.run(500);
      await world.receive(commands("f", "forget", "", direct));
      await world.run(500);
    };
    const answersWith = async (label: string): Promise<void> => {
      await yes(label, "b", direct);
      await world.run(60_000);
    };
    const lastWords = (): string => textOf(world.platform.whispers.at(-1)!.document);

    test("is asked first about the conversations at the workspace, and nothing is deleted before", async () => {
      await asked();
      expect(lastWords()).toContain("1 conversation in the workspace was begun here with your own account.");
      expect(world.platform.whispers.at(-1)!.document.actions.map(({ label }) => label)).toEqual([
        "Forget me, keep them",
        "Forget me and delete them",
      ]);
      await world.run(60_000);
      expect(await world.rows("links")).toHaveLength(1);
      expect(await world.rows("turns")).toHaveLength(2);
    });

    test("and keeps them", async () => {
      await asked();
      await answersWith("Forget me, keep them");
      expect(world.people.workspaceOf(key).held.size).toBe(1);
      for (const table of ["turns", "links", "key_values"] as const) expect(await world.rows(table)).toEqual([]);
      expect(lastWords()).toContain("your linked account");
    });

    test("and has them deleted with their key; what fails is counted", async () => {
      await asked();
      await answersWith("Forget me and delete them");
      expect(world.people.workspaceOf(key).held.size).toBe(0);
      for (const table of ["turns", "links", "key_values"] as const) expect(await world.rows(table)).toEqual([]);
      expect(lastWords()).toContain("1 conversation in the workspace was deleted.");
      expect((await world.audited()).at(-1)?.counts).toMatchObject({ conversations: 1, failed: 0, links: 1 });
    });

    test("and is told of what the workspace would not delete", async () => {
      await asked();
      const fault = new WorkspaceFault("unavailable", "not now", { status: 503 });
      world.people.workspaceOf(key).fail("remove", { when: "before", fault });
      await answersWith("Forget me and delete them");
      expect(lastWords()).toContain("1 conversation could not be deleted");
      expect(await world.rows("links")).toEqual([]);
    });
  });

  test("is for those, too, who are refused anything else", async () => {
    world.refuses = true;
    await world.receive(says("k1", "hello"));
    await world.run(200);
    await forget();
    await world.run(60_000);
    expect(await world.rows("turns")).toEqual([]);
    expect(await kinds()).toEqual(expect.arrayContaining(["message refused", "button /forget done"]));
  });

  test("goes on after a crash", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    await forget();
    await world.crash();
    await world.run(90_000);
    expect(await world.rows("turns")).toEqual([]);
  });
});

describe("a tenant that Parley was removed from", () => {
  test("is gone after a minute, with what was forming, and the audit log says so", async () => {
    await world.receive(says("k1", "hello"));
    await world.run();
    world.workspace.answer(conversations()[0]!, { status: "generating", text: "Hello th" });
    await world.receive(says("k2", "elsewhere", { place: { ...thread("t1"), tenant: "t2" } }));
    await world.run(200);
    const place = { platform: "fake", tenant: "t", channel: "app", thread: null };
    await world.receive({ kind: "notice", notice: "removed", key: "r", place, author: { id: "bot", name: "Parley" }, at: 1 });
    await world.run(60_000);
    const rows = (await world.rows("turns")) as readonly { key: string }[];
    expect(rows.map(({ key }) => key)).toEqual(["k2"]);
    expect(JSON.stringify(await world.rows("key_values"))).not.toContain("fake:t:");
    expect((await world.audited()).find(({ kind }) => kind === "purge")).toMatchObject({
      outcome: "done",
      tenant: "t",
      person: null,
    });
  });
});
