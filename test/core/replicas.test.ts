/** Two processes on one store: one message for each answer, whichever of them has the lane. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { laneLimit, tooMuch } from "../../src/core/busy.ts";
import type { Engine } from "../../src/core/engine.ts";
import { createWorld, presses, says, thread, type World } from "./engine.ts";

let world: World;
let other: Engine;
beforeEach(async () => {
  world = await createWorld();
  other = await world.beside();
});
afterEach(() => world.close());

const conversations = (): number[] => [...world.workspace.held.keys()];
const finish = async (text: string): Promise<void> => {
  world.workspace.answer(conversations()[0] ?? 0, { status: "finished", text });
  await world.run(3_000);
};

describe("two processes", () => {
  test("show one sign for each message that waits, whoever heard it, and answer in it", async () => {
    await world.receive(says("k1", "one"));
    await world.run();
    await other.inbox.receive(says("k2", "two"));
    await world.receive(says("k3", "three"));
    await world.run(200);
    expect(world.seen()).toEqual(["[Thinking…]", "[Next in line, after the answer above.]", "[2 messages before yours.]"]);
    for (const text of ["one", "two", "three"]) await finish(text);
    expect(world.seen()).toEqual(["one", "two", "three"]);
  });

  test("go on in each other's signs when one gives its turns back", async () => {
    for (const key of ["k1", "k2", "k3"]) await world.receive(says(key, key));
    await world.run(200);
    const before = world.platform.messages.map(({ posted }) => posted.id);
    await Promise.all([world.engine.drain(), world.run(2_000)]);
    await world.run(2_000);
    for (const text of ["one", "two", "three"]) await finish(text);
    expect(world.seen()).toEqual(["one", "two", "three"]);
    expect(world.platform.messages.map(({ posted }) => posted.id)).toEqual(before);
  });

  test("stop an answer that the other forms, at once, and take the sign of a waiting one away", async () => {
    for (const key of ["k1", "k2"]) await world.receive(says(key, key));
    await world.run(200);
    await other.inbox.receive(presses("p2", "stop", "k2"));
    await world.run(300);
    expect(world.seen()).toEqual(["[Thinking…]"]);
    await other.inbox.receive(presses("p1", "stop", "k1"));
    await world.run(500);
    expect(world.seen()[0]).toMatch(/Stopped\./);
  });

  test("refuse what is too much for one place, each asker told, and answer the others in order", async () => {
    const keys = Array.from({ length: laneLimit + 4 }, (_, index) => `k${index}`);
    for (const [index, key] of keys.entries()) await (index % 2 === 0 ? world.engine : other).inbox.receive(says(key, key));
    await world.run(60_000);
    const told = world.platform.whispers.map(({ document }) => document.notice);
    expect(told).toEqual([tooMuch.text, tooMuch.text, tooMuch.text]);
    expect(world.platform.messages).toHaveLength(laneLimit + 1);
    expect(world.seen().at(-1)).toBe(`[${laneLimit} messages before yours.]`);
    await other.inbox.receive(says("elsewhere", "hello", { place: thread("t2") }));
    await world.run(500);
    expect(world.seen().at(-1)).toBe("[Thinking…]");
  });
});
