/** An answer that draws on its asker's own account, in a channel of Discord: nobody else is ever shown a word of it. */
import { afterEach, expect, it } from "vitest";
import type { FakeChannel, FakeMessage, Person } from "../fakes/discord/discord.ts";
import { openWorld, type World } from "../discord/world.ts";
import { cited, keys, ownAnswer } from "./wire.ts";

let world: World;
afterEach(() => world.close());

it("is shown to its asker alone, in their direct messages or where they press, until they share it", async () => {
  world = await openWorld({ access: { sharedKey: [] } });
  const { fake, general, ann, ben, until, people, shows } = world;
  await people.links.put({ platform: "discord", tenant: "@me", person: ann.user.id }, keys.own, 1);
  const own = people.workspaceOf(keys.own);
  const direct: FakeChannel = fake.direct(ann);
  /** Messages that others than Ann can read, as they are and as they were written. */
  const elsewhere = (rooms: readonly string[]): string =>
    JSON.stringify([
      rooms.map((id) => fake.messages(id).filter(({ onlyFor }) => onlyFor !== ann.user.id)),
      fake.commits.filter(({ path }) => rooms.some((id) => path.startsWith(`/channels/${id}`))),
      fake.whispers(ben),
      fake.messages(fake.direct(ben)),
    ]);
  const shownTo = (person: Person): FakeMessage[] => [...fake.whispers(person), ...fake.messages(fake.direct(person))];

  const said = ann.says(general, `${fake.mention} plans?`);
  const rooms = [general.id, said.id];
  const conversation = await until(() => ownAnswer(own, { text: "canary-half" }));
  await shows(said.id, "Answering Ann with their own account");
  own.answer(conversation, { status: "finished", text: "canary-words", citations: [cited] });
  const notice = await shows(said.id, "so only they are shown it");
  const [private_] = fake.messages(direct);
  expect(private_?.content).toMatch(/About <#\d+>[^]*canary-words[^]*canary-title/);
  expect(elsewhere(rooms)).not.toContain("canary");

  await fake.acknowledged(ben.presses(notice, "Show me"));
  await until(() => fake.whispers(ben).find(({ content }) => content.includes("Only the person whose account")));
  expect(elsewhere(rooms)).not.toContain("canary");

  await fake.acknowledged(ann.presses(notice, "Show me"));
  const shown = await until(() => fake.whispers(ann).find(({ content }) => content.includes("canary-words")));
  expect(elsewhere(rooms)).not.toContain("canary");
  const before = fake.whispers(ben).length;
  await fake.acknowledged(ben.presses(shown, "Share here"));
  await until(() => fake.whispers(ben).length > before);
  expect(elsewhere(rooms)).not.toContain("canary");
  expect(
    shownTo(ben)
      .map(({ content }) => content)
      .join(),
  ).not.toContain("canary");

  // From the direct message it goes where it was asked for, and once.
  await fake.acknowledged(ann.presses(private_!, "Share here"));
  const shared = await shows(said.id, "canary-words");
  expect(shared.content).toContain("shared by Ann");
  const told = shownTo(ann).length;
  await fake.acknowledged(ann.presses(shown, "Share here"));
  await until(() => shownTo(ann).length > told);
  expect(fake.messages(said.id).filter(({ content }) => content.includes("canary-words"))).toHaveLength(1);
});
