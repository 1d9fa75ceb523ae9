/** People read a place from the top: Parley's messages stand there in the order of the questions, however slow a post is. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { sleep } from "../../src/clock.ts";
import { WriteFault } from "../../src/errors.ts";
import { createRandom } from "../soak/random.ts";
import { createWorld, says, type World } from "./engine.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const keys = ["k1", "k2", "k3", "k4"];
const ask = async (): Promise<void> => {
  for (const key of keys) await world.receive(says(key, key));
};
/** Turns that have a message, as these stand. */
const standing = (): string[] => world.platform.messages.map(({ key }) => key.replace(/\/\d+$/, ""));
/** Holds the `number`th post until the promise resolves. */
const holdPost = (number: number, until: Promise<void>): void => {
  let posts = 0;
  world.holds = (_, moment) => (moment === "before post" && ++posts === number ? until : undefined);
};
const answerAll = (): void => {
  for (const [id, messages] of world.workspace.held)
    if (messages.at(-1)?.status !== "finished")
      world.workspace.answer(id, { status: "finished", text: `About ${messages.at(-2)?.text ?? ""}` });
};

test("nothing is posted for what waits before the running turn has its first message", async () => {
  const slow = Promise.withResolvers<void>();
  holdPost(1, slow.promise);
  await ask();
  await world.run(5_000);
  expect(standing()).toEqual([]);
  slow.resolve();
  await world.run(500);
  expect(standing()).toEqual(keys);
});

test("a sign is posted before those behind it, also where its post is lost and made again", async () => {
  const slow = Promise.withResolvers<void>();
  holdPost(2, slow.promise);
  await ask();
  await world.run(3_000);
  expect(standing()).toEqual(["k1"]);
  world.platform.order("post", "request_lost");
  slow.resolve();
  await world.run(10_000);
  expect(standing()).toEqual(keys);
});

test("a turn that ends without a message keeps none of those behind it back", async () => {
  world.platform.order("post", new WriteFault("gone", "no such place"));
  await ask();
  await world.run(500);
  expect(standing()).toEqual(keys.slice(1));
});

test("a sign that cannot be posted keeps none of those behind it back", async () => {
  const slow = Promise.withResolvers<void>();
  holdPost(2, slow.promise);
  await ask();
  await world.run(100);
  world.platform.order("post", new WriteFault("gone", "no such place"));
  slow.resolve();
  await world.run(500);
  expect(standing()).toEqual(["k1", "k3", "k4"]);
});

test.each([1, 2, 3, 4, 5, 6])(
  "the order holds through slow and lost posts, and two processes that change places (%i)",
  async (seed) => {
    const random = createRandom(seed);
    const other = await world.beside();
    world.holds = (_, moment) =>
      moment === "before post" ? sleep(world.clock, random.next() * 4_000, new AbortController().signal) : undefined;
    const asked = Array.from({ length: 12 }, (_, index) => `k${index}`);
    let most = 0;
    for (const key of asked) {
      await random.pick([world.engine, other] as [typeof other, typeof other]).inbox.receive(says(key, key));
      if (random.chance(0.3)) world.platform.order("post", random.chance(0.5) ? "answer_lost" : "request_lost");
      await world.run(random.next() * 1_000);
    }
    for (let ms = 0; ms < 400_000 && most < asked.length; ms += 1_000) {
      await world.run(1_000);
      if (random.chance(0.4)) answerAll();
      const order = standing().map((key) => asked.indexOf(key));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      most = world.seen().filter((text) => text.startsWith("About")).length;
    }
    expect(world.seen()).toEqual(asked.map((key) => `About ${key}`));
  },
);
