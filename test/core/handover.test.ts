/** A process that gives its turns up, by itself or too late. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../src/core/engine.ts";
import { createWorld, presses, says, textOf, thread, type World } from "./engine.ts";

let world: World;
let frozen: PromiseWithResolvers<void>;
beforeEach(async () => {
  frozen = Promise.withResolvers();
  world = await createWorld();
});
afterEach(() => world.close());

const answerAll = (status: "generating" | "finished", text: string): void => {
  for (const id of world.workspace.held.keys()) world.workspace.answer(id, { status, text: `${text} ${id}` });
};

test("a drain gives a hundred answers back within 25 s, and another process goes on in the same messages", async () => {
  await world.beside();
  const keys = Array.from({ length: 100 }, (_, index) => `k${index}`);
  for (const key of keys) await world.receive(says(key, key, { place: { ...thread(key), channel: `c-${key}` } }));
  await world.run(1_000);
  answerAll("generating", "Half");
  await world.run(1_000);
  expect(world.seen().filter((text) => text.startsWith("Half"))).toHaveLength(100);
  const before = world.platform.messages.map(({ posted }) => posted.id);

  const began = world.clock.now();
  let drainedAt = Infinity;
  void world.engine.drain().then(() => (drainedAt = world.clock.now()));
  await world.run(2_000);
  expect(drainedAt - began).toBeLessThan(25_000);
  const owners = (await world.rows("turns")) as ReadonlyArray<{ readonly owner: string | null }>;
  expect(owners.filter(({ owner }) => owner?.startsWith("process-2/") === true)).toHaveLength(100);

  answerAll("finished", "Whole");
  await world.run(12_000);
  expect(world.seen().toSorted()).toEqual([...world.workspace.held.keys()].map((id) => `Whole ${id}`).toSorted());
  expect(world.platform.messages.map(({ posted }) => posted.id)).toEqual(before);
  expect(world.workspace.calls.filter(({ call }) => call === "start")).toHaveLength(100);
});

const editsOf = (id: string): (string | undefined)[] =>
  world.platform.log
    .filter((write) => write.id === id)
    .map(({ document }) => (document === null ? "removed" : textOf(document).split(" ")[0]));
/** What the first process has under way goes on. */
const wakes = async (): Promise<void> => {
  world.holds = () => undefined;
  frozen.resolve();
  await world.run(5_000);
};
/** The first process freezes with an edit on its way; the other, which this gives, takes its turn over. */
const takenOver = async (): Promise<Engine> => {
  const other = await world.beside();
  await world.receive(says("k1", "hello"));
  await world.run(500);
  answerAll("generating", "First");
  await world.run(500);
  world.holds = (process) => (process === 1 ? frozen.promise : undefined);
  answerAll("generating", "Second");
  await world.run(40_000);
  return other;
};
/** The other's answer then failed. */
const failed = async (): Promise<Engine> => {
  const other = await takenOver();
  for (const id of world.workspace.held.keys())
    world.workspace.answer(id, { status: "finished", text: "Half", error_text: "overloaded", error_id: "e1" });
  await world.run(20_000);
  expect(editsOf("m1").at(-1)).toBe("Half");
  return other;
};

test("a write that reaches the platform after its lease has ended is written over by whoever has the lane", async () => {
  await takenOver();
  answerAll("generating", "Third");
  await world.run(2_000);
  expect(world.seen()).toEqual([expect.stringMatching(/^Third/)]);
  await wakes();
  expect(editsOf("m1").slice(-3)).toEqual(["Third", "Second", "Third"]);
  answerAll("finished", "Whole");
  await world.run(12_000);
  expect(world.seen()).toEqual([expect.stringMatching(/^Whole/)]);
  expect(world.workspace.calls.filter(({ call }) => call === "start")).toHaveLength(1);
});

test("a write that reaches the platform after another process has closed the turn is written over, once", async () => {
  await takenOver();
  answerAll("finished", "Whole");
  await world.run(20_000);
  const [turn] = await world.rows("turns");
  expect(turn).toMatchObject({ outcome: "answered", body: null });
  await wakes();
  expect(editsOf("m1").slice(-3)).toEqual(["Whole", "Second", "Whole"]);
  const writes = world.platform.log.length;
  await world.run(400_000);
  expect(world.platform.log).toHaveLength(writes);
});

test.each(["post", "edit"])("an owner that wakes before a %s leaves its turn, and says nothing of a fault", async (write) => {
  const other = await world.beside();
  await world.receive(says("k1", "hello"));
  if (write === "edit") await world.run(500);
  world.holds = (process) => (process === 1 ? frozen.promise : undefined);
  await world.run(40_000);
  expect(world.workspace.calls.filter(({ call }) => call === "start")).toHaveLength(1);
  await wakes();
  answerAll("finished", "Whole");
  await world.run(20_000);
  expect(world.seen()).toEqual([expect.stringMatching(/^Whole/)]);
  const lines = world.log.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(lines).toContain("a turn was left to its next owner");
  expect(lines.filter((line) => line.includes("fault of Parley"))).toEqual([]);
  await other.drain();
});

test("a late write over an answer that failed is written over, too", async () => {
  await failed();
  await wakes();
  expect(editsOf("m1").slice(-3)).toEqual(["Half", "Second", "Half"]);
});

test("a late write over an answer that was tried again shows that try's", async () => {
  const other = await failed();
  await other.inbox.receive(presses("p1", "retry", "k1"));
  await world.run(1_000);
  answerAll("finished", "Better");
  await world.run(12_000);
  expect(world.seen()).toEqual([expect.stringMatching(/^Better/)]);
  await wakes();
  expect(world.seen()).toEqual([expect.stringMatching(/^Better/)]);
});

test("a sign that a frozen process writes late is written over by whoever shows it now", async () => {
  const other = await world.beside();
  for (const key of ["k1", "k2", "k3", "k4"]) await world.receive(says(key, key));
  await world.run(500);
  world.holds = (process, moment) => (process === 1 && moment === "before edit" ? frozen.promise : undefined);
  await other.inbox.receive(presses("p2", "stop", "k2"));
  await world.run(500);
  world.holds = (process) => (process === 1 ? frozen.promise : undefined);
  await world.run(40_000);
  await other.inbox.receive(presses("p3", "stop", "k3"));
  await world.run(1_000);
  const shown = ["[Thinking…]", "[Next in line, after the answer above.]"];
  expect(world.seen()).toEqual(shown);
  await wakes();
  expect(editsOf("m4").slice(-3)).toEqual(["[Next", "[2", "[Next"]);
  expect(world.seen()).toEqual(shown);
});
