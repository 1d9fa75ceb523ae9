/** Thousands of turns of one person: whoever else asks is answered at once. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { personTurns, spareOfPerson, spareTurns, tooMuch, turnsLimit } from "../../src/core/busy.ts";
import type { Command } from "../../src/core/commands/table.ts";
import type { Inbound } from "../../src/core/inbound.ts";
import { WriteFault } from "../../src/errors.ts";
import { commands, createWorld, presses, says, textOf, thread, type World } from "./engine.ts";

let world: World;
let done: number;
const spend: Command = {
  name: "spend",
  help: "Spend",
  options: [],
  order: "now",
  deed: null,
  run() {
    done++;
    return Promise.resolve({ tell: "Done." });
  },
};
beforeEach(async () => {
  done = 0;
  world = await createWorld({}, [], [spend]);
});
afterEach(() => world.close());

/** One that is stored is counted once it is begun: the next may be judged in between. */
const late = 1;
const mostCommands = personTurns + spareOfPerson + late;
const zoe = { id: "u9", name: "Zoe" };
const elsewhere = (key: string) => ({ ...thread(key), channel: key });
/** The platform tells nobody anything, and names a short pause each time. */
const tellsNobody = (): void =>
  world.platform.order(
    "whisper",
    ...Array.from({ length: 100_000 }, () => new WriteFault("rate_limited", "too many", { retryAfterMs: 1_000 })),
  );
const running = async (): Promise<number> =>
  ((await world.rows("turns")) as ReadonlyArray<{ readonly owner: string | null }>).filter(({ owner }) => owner !== null).length;
const receiveAll = async (count: number, inbound: (key: string) => Inbound): Promise<void> => {
  for (let index = 0; index < count; index++) await world.receive(inbound(`k${index}`));
};
const annIsAnswered = async (): Promise<void> => {
  await world.receive(says("ann", "hello", { place: elsewhere("ann") }));
  await world.run(200);
  const asked = [...world.workspace.held].find(([, messages]) => messages.some(({ text }) => text === "hello"));
  world.workspace.answer(asked?.[0] ?? 0, { status: "finished", text: "There." });
  await world.run(1_500);
  expect(world.seen()).toContain("There.");
};

test("one person's commands whose answers their platform does not take", async () => {
  tellsNobody();
  await receiveAll(turnsLimit + spareTurns, (key) => commands(key, "spend", "", { author: zoe }));
  await world.run(1_000);
  // One more tells of the refusals.
  expect(await running()).toBeLessThanOrEqual(mostCommands + 1);
  await annIsAnswered();
  expect(done).toBeLessThanOrEqual(mostCommands);
}, 240_000);

test("one person's questions in as many places, each of which waits for its answer", async () => {
  const all = personTurns + 30;
  await receiveAll(all, (key) => says(key, key, { author: zoe, place: elsewhere(key) }));
  await world.run(500);
  const refused = world.platform.whispers.filter(({ document }) => document.notice === tooMuch.text);
  // None is dropped in silence.
  expect(refused).toHaveLength(all - world.workspace.held.size);
  expect(world.workspace.held.size).toBeLessThanOrEqual(personTurns + late);
  expect(refused.every(({ person }) => person.id === zoe.id)).toBe(true);
  await annIsAnswered();
  // Whoever asks too much stops what runs of it, all the same.
  await world.receive({ ...presses("s1", "stop", "k0"), author: zoe, place: elsewhere("k0") });
  await world.run(500);
  expect(world.seen().some((text) => text.includes("!Stopped."))).toBe(true);
}, 240_000);

test("who is refused for too much is told in the order in which they asked", async () => {
  world.platform.order("whisper", new WriteFault("rate_limited", "too many", { retryAfterMs: 1_000 }));
  const receive = (name: string): Promise<unknown> => world.receive(says(name, name));
  for (let index = 0; index < 24; index++) await receive(`k${index}`);
  await world.run(100);
  // The first of them waits for the platform, and those behind it wait for the first: they take no room.
  expect(world.platform.whispers).toEqual([]);
  expect(await running()).toBe(1);
  await world.run(5_000);
  expect(world.platform.whispers.map(({ document }) => textOf(document))).toEqual(
    Array.from({ length: 3 }, () => `!${tooMuch.text}`),
  );
});
