/** A failed answer is run again once for each time that somebody wants it, whatever dies or is lost. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WorkspaceFault } from "../../src/errors.ts";
import { createWorld, presses, says, type World } from "./engine.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.receive(says("k1", "hello"));
  await world.run(500);
  await fails("e1");
});
afterEach(() => world.close());

const retries = (): number => world.workspace.calls.filter(({ call }) => call === "retry").length;
const becomes = async (change: Parameters<World["workspace"]["answer"]>[1]): Promise<void> => {
  for (const id of world.workspace.held.keys()) world.workspace.answer(id, { status: "finished", ...change });
  await world.run(1_000);
};
const fails = (reference: string): Promise<void> => becomes({ error_text: "the provider failed", error_id: reference });
const tryAgain = async (key: string): Promise<void> => {
  const [button] = world.platform.messages[0]!.document.actions;
  await world.receive(presses(key, button!.action, button!.turn));
  await world.run(1_000);
};
/** The process dies at the moment, and the next one has its turns. */
const dies = async (moment: string): Promise<void> => {
  world.dies = (process, at) => process === 1 && at === moment;
  await tryAgain("p1");
  await world.crash();
};

describe("a process that dies", () => {
  test("before it has asked for another run leaves that to the next one", async () => {
    await dies("before retry");
    await world.run(3_000);
    expect(retries()).toBe(1);
    await becomes({ text: "Whole." });
    expect(world.seen()).toEqual(["Whole."]);
  });

  test("after it has asked is followed by one that asks no more, also where the answer has failed anew", async () => {
    await dies("after retry");
    await fails("e2");
    await world.run(3_000);
    expect(retries()).toBe(1);
    expect(world.seen()).toEqual([expect.stringContaining("Support reference: e2.")]);
    await tryAgain("p2");
    expect(retries()).toBe(2);
  });
});

describe("a request for another run whose answer is lost", () => {
  test("is not made again; what comes of it is shown", async () => {
    world.workspace.fail("retry", { when: "after", fault: new WorkspaceFault("lost", "no answer") });
    await tryAgain("p1");
    await world.run(2_000);
    await becomes({ text: "Whole." });
    expect(retries()).toBe(1);
    expect(world.seen()).toEqual(["Whole."]);
  });

  test("and that never arrived is made again", async () => {
    world.workspace.fail("retry", { when: "before", fault: new WorkspaceFault("lost", "no answer") });
    await tryAgain("p1");
    await world.run(2_000);
    await becomes({ text: "Whole." });
    expect(retries()).toBe(2);
    expect(world.seen()).toEqual(["Whole."]);
  });
});
