/**
 * Every cell of the table of permissions that Discord has: it knows no channels shared with other organisations,
 * and in a direct message it tells nothing of who is a guest where.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deeds, type Where, type Who } from "../../src/core/permissions.ts";
import { openWorld, type World } from "../discord/world.ts";
import type { FakeChannel, Person } from "../fakes/discord/discord.ts";
import { asksFirst, keys, openWire, probes, question, stated, statedKeys, statedWords, type Wire } from "./wire.ts";

const guestFlag = 1 << 4;
const everywhere = ["public", "private", "direct"] as const;
const cells: Readonly<Record<Who, readonly Where[]>> = {
  // On none of the lists.
  stranger: everywhere,
  guest: ["public", "private"],
  member: everywhere,
  linked: everywhere,
  operator: everywhere,
};

describe("on Discord", () => {
  let wire: Wire;
  let world: World;
  let people: Record<Who, Person>;
  let secret: FakeChannel;
  beforeAll(async () => {
    wire = await openWire();
    const operators: string[] = [];
    const users: string[] = [];
    world = await openWorld({
      adapter: { allow: { guilds: [], channels: [], roles: [], users } },
      access: { externals: false, operators, contact: () => Promise.resolve("Opal") },
      commands: probes,
      shared: wire.connect(keys.team),
      connect: wire.connect,
    });
    const { fake, guild } = world;
    secret = fake.text(guild, "secret");
    people = {
      stranger: fake.person("Olga", [{ guild }]),
      guest: fake.person("Gil", [{ guild, flags: guestFlag }]),
      member: world.ann,
      linked: world.ben,
      operator: fake.person("Opal", [{ guild }]),
    };
    operators.push(people.operator.user.id);
    users.push(...[people.guest, people.member, people.linked, people.operator].map(({ user }) => user.id));
    for (const { user } of [people.linked, people.operator])
      await world.people.links.put({ platform: "discord", tenant: "@me", person: user.id }, keys.own, 1);
  });
  afterAll(async () => {
    await world.close();
    await wire.close();
  });

  for (const [who, wheres] of Object.entries(cells) as Array<[Who, readonly Where[]]>) {
    it.each(wheres.flatMap((where) => deeds.map((deed) => [where, deed] as const)))(`a ${who}, %s: %s`, async (where, deed) => {
      const { fake, general } = world;
      const person = people[who];
      const direct = fake.direct(person);
      const channel = where === "public" ? general : where === "private" ? secret : direct;
      const seen = () => [...fake.whispers(person), ...fake.messages(direct)].filter(({ author }) => author.id === fake.bot.id);
      const before = new Set(seen().map(({ id }) => id));
      wire.look();
      person.runs(channel, `try${deed}`);
      const news = () => world.until(() => seen().find(({ id, content }) => !before.has(id) && content !== ""));
      const cell = stated(who, where, deed);
      const agrees = async (): Promise<string> => {
        const asked = await news();
        const first = `${wire.look().length} requests: ${asked.content}`;
        before.add(asked.id);
        person.presses(asked, "Do it");
        return first;
      };
      expect(asksFirst(cell) ? await agrees() : question).toContain(asksFirst(cell) ? `0 requests: ${question}` : question);
      const told = await news();
      expect(told.content).toMatch(statedWords(cell, deed));
      expect(wire.look()).toEqual(statedKeys(cell));
      expect(told.content).not.toMatch(/general|secret|-API-/);
      for (const room of [general, secret])
        expect(fake.messages(room).filter(({ onlyFor, author }) => onlyFor === null && author.id === fake.bot.id)).toEqual([]);
    });
  }
});
