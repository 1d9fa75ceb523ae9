/** Limits for people and channels: turns a minute, credits a day, also over restarts. */
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCounters } from "../../src/store/allowances.ts";
import { fakeClock } from "../fakes/clock.ts";
import { noLimits } from "../fakes/allowances.ts";
import { createAllowances } from "../../src/core/allowances.ts";
import { overBoth, type Opened } from "../store/open.ts";
import { channel, commands, createWorld, says, textOf, thread, type World } from "./engine.ts";

const answersAll = async (world: World, credits?: string): Promise<void> => {
  for (const id of world.workspace.held.keys())
    world.workspace.answer(id, { status: "finished", text: "Yes.", ...(credits === undefined ? {} : { credits_used: credits }) });
  await world.run(300);
};
const asks = async (world: World, key: string, over: Parameters<typeof says>[2] = {}): Promise<void> => {
  await world.receive(says(key, "hello", { place: thread(key), ...over }));
  await world.run(300);
};
const outcomes = async (world: World) => Object.fromEntries((await world.audited()).map(({ turn, outcome }) => [turn, outcome]));
const lastWhisper = (world: World): string => textOf(world.platform.whispers.at(-1)!.document);
const ben = { author: { id: "u2", name: "Ben" } };

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());
const limitedTo = (limits: Partial<World["limits"]>): void => void Object.assign(world.limits, limits);

test("a person over their turns is told so alone, in words that say when it ends; others are not held up", async () => {
  limitedTo({ personTurns: 2 });
  for (const key of ["k1", "k2", "k3"]) await asks(world, key);
  await asks(world, "b1", ben);
  await answersAll(world);
  expect(await outcomes(world)).toEqual({ k1: "answered", k2: "answered", k3: "refused", b1: "answered" });
  expect(world.platform.whispers.map(({ person }) => person.id)).toEqual(["u1"]);
  expect(lastWhisper(world)).toMatch(
    /^!You have asked as often as is allowed in a minute: 2 times\. Ask again in \d+ seconds?\.$/,
  );
  expect(world.platform.messages).toHaveLength(3);
  await world.run(60_000);
  await asks(world, "k4");
  await answersAll(world);
  expect(await outcomes(world)).toMatchObject({ k4: "answered" });
});

test("a channel over its turns keeps its people back, and no other channel's", async () => {
  limitedTo({ channelTurns: 1 });
  await asks(world, "k1");
  await asks(world, "b1", ben);
  await asks(world, "b2", { ...ben, place: { ...thread("x"), channel: "c2" } });
  await asks(world, "b3", { ...ben, place: { ...channel, channel: "direct" }, direct: true });
  await answersAll(world);
  expect(await outcomes(world)).toEqual({ k1: "answered", b1: "refused", b2: "answered", b3: "answered" });
  expect(lastWhisper(world)).toContain("This channel has asked as often as is allowed in a minute: 1 time.");
});

test("credits that answers cost are summed over restarts; the turn that goes over is finished, the next refused until midnight", async () => {
  limitedTo({ personCredits: new Decimal("0.3") });
  for (const key of ["k1", "k2"]) {
    await asks(world, key);
    await answersAll(world, "0.1");
    await world.crash();
  }
  await asks(world, "k3");
  await answersAll(world, "0.15");
  await asks(world, "k4");
  await asks(world, "b1", ben);
  await answersAll(world, "0.1");
  expect(await outcomes(world)).toEqual({ k1: "answered", k2: "answered", k3: "answered", k4: "refused", b1: "answered" });
  expect(lastWhisper(world)).toMatch(
    /^!Your credits of today are used up: 0\.35 of 0\.3\. There are new ones at 00:00 UTC, in \d+ (hour|minute)s?\.$/,
  );
});

test("what costs nothing is not counted", async () => {
  limitedTo({ personTurns: 1 });
  for (const key of ["h1", "h2", "h3"]) {
    await world.receive(commands(key, "help"));
    await world.run(100);
  }
  expect(Object.values(await outcomes(world))).toEqual(["done", "done", "done"]);
});

test("a turn that goes on after a crash is counted once", async () => {
  limitedTo({ personTurns: 1 });
  await asks(world, "k1");
  await world.crash();
  await world.run(2_000);
  await answersAll(world);
  expect(await outcomes(world)).toEqual({ k1: "answered" });
});

overBoth((openStore) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await openStore();
  });
  afterEach(() => opened.close());
  const spender = { place: channel, author: { id: "u1", name: "Ann" } };

  test("sums of credits are exact to a millionth, whatever their order", async () => {
    const counters = createCounters(opened.db);
    let day = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { maxLength: 8 }), async (millionths) => {
        const counter = { platform: "p", tenant: "t", subject: "person:u", period: "day", startsAt: ++day } as const;
        for (const part of millionths) await counters.addCredits(counter, new Decimal(part).div(1_000_000));
        const sum = millionths.reduce((all, part) => all + part, 0);
        expect((await counters.credits(counter)).times(1_000_000).toNumber()).toBe(sum);
      }),
      { numRuns: 20 },
    );
  });

  test("of turns that are taken at once, exactly as many as are allowed are", async () => {
    const clock = fakeClock();
    const replicas = [1, 2].map(() => createAllowances(createCounters(opened.db), { ...noLimits, personTurns: 7 }, clock));
    const taken = await Promise.all(Array.from({ length: 20 }, (_, at) => replicas[at % 2]!.take(spender)));
    expect(taken.filter((refused) => refused === null)).toHaveLength(7);
  });

  test("old counters are deleted", async () => {
    const counters = createCounters(opened.db);
    for (const startsAt of [1, 2, 3])
      await counters.addTurn({ platform: "p", tenant: "t", subject: "person:u", period: "minute", startsAt });
    expect(await counters.prune(3)).toBe(2);
    expect(await counters.top("minute", 3, 10)).toMatchObject([{ subject: "person:u", turns: 1 }]);
  });
});
