/**
 * Every cell of the table of permissions that the console has, by the requests of its page. Under its own rules whoever is
 * let in is the operator and reads alone; with rules of others its people and places are those that others read along with.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessRules } from "../../src/core/access.ts";
import { deeds } from "../../src/core/permissions.ts";
import { openWorld, wordsOf, type World } from "../console/world.ts";
import { asksFirst, keys, openWire, probes, question, stated, statedKeys, statedWords, type Wire } from "./wire.ts";

const holder = { platform: "console", tenant: "local", person: "you" };
const contact = (): Promise<string> => Promise.resolve("Opal");
interface Case {
  readonly name: string;
  readonly who: "member" | "linked" | "operator";
  readonly access: Partial<AccessRules>;
  readonly link: boolean;
  /** By channel. */
  readonly where: Readonly<Record<string, "public" | "direct">>;
}
const channels = { general: "public", Direct: "direct" } as const;
const cases: readonly Case[] = [
  { name: "as it is", who: "operator", access: {}, link: true, where: { general: "direct", Direct: "direct" } },
  { name: "an operator among others", who: "operator", access: { operators: ["you"], contact }, link: true, where: channels },
  { name: "a linked person", who: "linked", access: { operators: [], contact }, link: true, where: channels },
  { name: "a member", who: "member", access: { operators: [], contact }, link: false, where: channels },
];

describe.each(cases)("on the console, $name", ({ who, access, link, where }) => {
  let wire: Wire;
  let world: World;
  beforeAll(async () => {
    wire = await openWire();
    world = await openWorld({ access, commands: probes, shared: wire.connect(keys.team), connect: wire.connect });
    if (link) await world.people.links.put(holder, keys.own, 1);
  });
  afterAll(async () => {
    await world.close();
    await wire.close();
  });

  const all = Object.entries(where).flatMap(([channel, place]) => deeds.map((deed) => [channel, place, deed] as const));
  it.each(all)("%s, which is %s: %s", async (channel, place, deed) => {
    let known = (await world.whispers()).length;
    wire.look();
    await world.says(`/try${deed}`, { channel });
    const news = async () => world.soon(async () => (await world.whispers())[known]);
    const cell = stated(who, place, deed);
    const agrees = async (): Promise<string> => {
      const asked = await news();
      const first = `${wire.look().length} requests: ${wordsOf(asked)}`;
      known++;
      await world.presses(asked, "Do it");
      return first;
    };
    expect(asksFirst(cell) ? await agrees() : question).toContain(asksFirst(cell) ? `0 requests: ${question}` : question);
    const told = await news();
    expect(wordsOf(told)).toMatch(statedWords(cell, deed));
    expect(told.channel).toBe(channel);
    expect(wire.look()).toEqual(statedKeys(cell));
    expect(wordsOf(told)).not.toMatch(/general|Direct|-API-/);
    expect(await world.shown({ channel })).toEqual([]);
  });
});

describe("on the console, nobody else", () => {
  it("is anybody without its password, and no request says who it is from", async () => {
    const wire = await openWire();
    const locked = await openWorld({ token: "t".repeat(32), commands: probes, shared: wire.connect(keys.team) });
    for (const [method, path, body] of [
      ["GET", "/state"],
      ["POST", "/messages", { id: "12345678", channel: "general", thread: null, text: "/trylist", files: [] }],
      ["POST", "/actions", { id: "12345678", message: "m", action: "run-a", turn: "t" }],
      ["GET", "/suggestions?source=agents"],
    ] as const)
      expect(await locked.request(method, path, body)).toMatchObject({ status: 401 });
    expect([locked.received, wire.look()]).toEqual([[], []]);
    await locked.close();

    const world = await openWorld({
      access: { operators: ["opal"], contact },
      commands: probes,
      shared: wire.connect(keys.team),
    });
    const forged = { author: { id: "opal", name: "Opal" }, person: "opal", direct: true, confirmed: "any" };
    await world.request("POST", "/messages", {
      id: "12345678",
      channel: "general",
      thread: null,
      text: "/tryadmin",
      files: [],
      ...forged,
    });
    const told = await world.soon(async () => (await world.whispers())[0]);
    expect(wordsOf(told)).toMatch(/not for everybody here/);
    expect(world.received).toMatchObject([{ author: { id: "you" } }]);
    expect(JSON.stringify(world.received)).not.toContain("opal");
    expect(wire.look()).toEqual([]);
    await world.close();
    await wire.close();
  });
});
