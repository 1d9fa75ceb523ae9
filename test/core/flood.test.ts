/** Far more messages than can be answered: each is answered or its asker told, and the work for each stays the same. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { laneLimit, tooMuch, turnsLimit } from "../../src/core/busy.ts";
import type { Place } from "../../src/core/place.ts";
import { createWorld, says, textOf, thread, type World } from "./engine.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

/** The model answers whatever it is asked. */
const answerAll = (): void => {
  for (const [id, messages] of world.workspace.held) {
    const newest = messages.at(-1);
    if (newest?.status === "finished") continue;
    world.workspace.answer(id, { status: "finished", text: `The answer to ${messages.at(-2)?.text ?? ""}` });
  }
};
const questions = (): string[] =>
  [...world.workspace.held.values()].flatMap((messages) => messages.filter(({ isUser }) => isUser).map(({ text }) => text));
const open = async (): Promise<number> => {
  const turns = (await world.rows("turns")) as ReadonlyArray<{ readonly closed_at: number | null }>;
  return turns.filter(({ closed_at: closedAt }) => closedAt === null).length;
};

test("10,000 messages to one place: a few wait, every other asker is told at once, and each costs the same", async () => {
  const all = 10_000;
  const batch = 500;
  let calls = 0;
  world.dies = () => {
    calls++;
    return false;
  };
  const costs: number[] = [];
  const keys = Array.from({ length: all }, (_, index) => `k${index}`);
  for (let from = 0; from < all; from += batch) {
    const before = calls;
    for (const key of keys.slice(from, from + batch)) await world.receive(says(key, key));
    await world.clock.advance(100);
    costs.push(calls - before);
  }
  await world.run(1_000);
  const told = world.platform.whispers.filter(({ document }) => document.notice === tooMuch.text);
  expect(told).toHaveLength(all - laneLimit - 1);
  expect(world.platform.whispers).toHaveLength(told.length);
  expect(await open()).toBe(laneLimit + 1);
  // The first batch has those that wait in it, too.
  const [, second = 0, ...later] = costs;
  expect(Math.max(...later)).toBeLessThanOrEqual(second * 1.1);

  for (let turn = 0; turn <= laneLimit; turn++) {
    answerAll();
    await world.run(3_000);
  }
  expect(questions()).toEqual(keys.slice(0, laneLimit + 1));
  expect(world.seen()).toEqual(keys.slice(0, laneLimit + 1).map((key) => `The answer to ${key}`));
  expect(await open()).toBe(0);
}, 900_000);

test("to a thousand places at once: all are answered, in order, each in its place", async () => {
  const places = Array.from({ length: 1_000 }, (_, index) => ({ ...thread(`t${index}`), channel: `c${index}` }));
  const twice = 100;
  // Somebody else asks in each: of one person's, a thousand would be too many.
  const asks = (round: string, index: number, place: Place) =>
    world.receive(
      says(`${round}-${index}`, `${round} ${index}`, { place, author: { id: `u${index}`, name: `Person ${index}` } }),
    );
  for (const [index, place] of places.entries()) await asks("first", index, place);
  for (const [index, place] of places.slice(0, twice).entries()) await asks("second", index, place);
  for (let ms = 0; ms < 120_000 && (await open()) > 0; ms += 1_000) {
    await world.clock.advance(1_000);
    answerAll();
  }
  expect(await open()).toBe(0);
  expect(world.platform.whispers).toEqual([]);
  const shown = new Map<string, string[]>();
  for (const { posted, document } of world.platform.messages)
    shown.set(posted.place.channel, [...(shown.get(posted.place.channel) ?? []), textOf(document)]);
  const expected = places.map(({ channel }, index) => [
    channel,
    (index < twice ? ["first", "second"] : ["first"]).map((round) => `The answer to ${round} ${index}`),
  ]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
}, 900_000);

test("beyond 2,000 turns of a process: every asker is told at once, and one is taken again when there is room", async () => {
  expect(turnsLimit).toBe(2_000);
  const ask = (key: string): Promise<unknown> =>
    world.receive(says(key, key, { place: { ...thread(key), channel: key }, author: { id: `of ${key}`, name: "Zoe" } }));
  const refused = (): string[] =>
    world.platform.whispers.filter(({ document }) => document.notice === tooMuch.text).map(({ person }) => person.id);
  const keys = Array.from({ length: turnsLimit }, (_, index) => `k${index}`);
  for (const key of keys) await ask(key);
  await world.run(100);
  expect(await open()).toBe(turnsLimit);
  expect(world.platform.whispers).toEqual([]);

  for (const key of ["a", "b", "c"]) await ask(key);
  await world.run(100);
  expect(refused()).toEqual(["of a", "of b", "of c"]);
  expect(world.platform.whispers).toHaveLength(3);
  expect(await open()).toBe(turnsLimit);

  world.workspace.answer(world.workspace.held.keys().next().value ?? 0, { status: "finished", text: "There." });
  await world.run(1_000);
  expect(await open()).toBe(turnsLimit - 1);
  await ask("d");
  await world.run(100);
  expect(await open()).toBe(turnsLimit);
  expect(refused()).toHaveLength(3);
});
