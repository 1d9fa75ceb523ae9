/** A process that gives its turns up, by itself or too late. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, says, textOf, thread, type World } from "./engine.ts";

let world: World;
beforeEach(async () => {
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

test("a write that reaches the platform after its lease has ended is written over by whoever has the lane", async () => {
  await world.beside();
  await world.receive(says("k1", "hello"));
  await world.run(500);
  answerAll("generating", "First");
  await world.run(500);

  // The process freezes with an edit on its way.
  const frozen = Promise.withResolvers<void>();
  world.holds = (process) => (process === 1 ? frozen.promise : undefined);
  answerAll("generating", "Second");
  await world.run(40_000);
  answerAll("generating", "Third");
  await world.run(2_000);
  expect(world.seen()).toEqual([expect.stringMatching(/^Third/)]);

  world.holds = () => undefined;
  frozen.resolve();
  await world.run(2_000);
  const edits = world.platform.log.map(({ document }) => (document === null ? "" : textOf(document).split(" ")[0]));
  expect(edits.slice(-3)).toEqual(["Third", "Second", "Third"]);
  answerAll("finished", "Whole");
  await world.run(12_000);
  expect(world.seen()).toEqual([expect.stringMatching(/^Whole/)]);
  expect(world.workspace.calls.filter(({ call }) => call === "start")).toHaveLength(1);
});
