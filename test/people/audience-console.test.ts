/** An answer that draws on its asker's own account, on the console: where others read along it is whispered, else it just grows. */
import { afterEach, expect, it } from "vitest";
import { openWorld, wordsOf, type World } from "../console/world.ts";
import { cited, keys, ownAnswer } from "./wire.ts";

const holder = { platform: "console", tenant: "local", person: "you" };
let world: World;
afterEach(() => world.close());

it("where others read along it is shown to its asker alone, until they share it", async () => {
  world = await openWorld({ access: { operators: [], sharedKey: [] } });
  const { until, soon, people } = world;
  await people.links.put(holder, keys.own, 1);
  const own = people.workspaceOf(keys.own);
  const thread = await world.says("@parley plans?");
  const conversation = await until(() => ownAnswer(own, { text: "canary-half" }));
  const place = async (words: string) => (await world.shown({ thread })).find((one) => wordsOf(one).includes(words));
  await soon(() => place("Answering You with their own account"));
  own.answer(conversation, { status: "finished", text: "canary-words", citations: [cited] });
  const notice = await soon(() => place("so only they are shown it"));
  const elsewhere = async (): Promise<string> =>
    JSON.stringify([await world.shown({ thread }), await world.shown({ channel: "general" })]);
  expect((await world.whispers()).map(wordsOf)).toEqual(["canary-words"]);
  expect(await elsewhere()).not.toContain("canary");
  expect(await world.dump()).not.toContain("canary");

  expect(await world.presses({ id: notice.id, document: notice.document! }, "Show me")).toBe(202);
  const again = await soon(async () => (await world.whispers())[1]);
  expect(wordsOf(again)).toBe("canary-words");
  expect(await elsewhere()).not.toContain("canary");
  expect(await world.presses(again, "Share here")).toBe(202);
  const shared = await soon(() => place("canary-words"));
  expect(shared.document?.footer).toContain("shared by You");
  expect(shared.document?.footnotes.map(({ title }) => title)).toEqual(["canary-title"]);
});

it("by itself the console has one reader: the answer grows before their eyes", async () => {
  world = await openWorld();
  await world.people.links.put(holder, keys.own, 1);
  const own = world.people.workspaceOf(keys.own);
  const thread = await world.says("@parley plans?");
  const shows = (words: string) =>
    world.soon(async () => (await world.shown({ thread })).find((one) => wordsOf(one).includes(words)));
  await world.until(() => ownAnswer(own, { text: "Half of it", citations: [cited] }));
  await shows("Half of it");
  await world.until(() => ownAnswer(own, { status: "finished", text: "All of it." }));
  await shows("All of it.");
  expect(await world.whispers()).toEqual([]);
});
