/** What one person is offered is no other's, keys in messages, and words of one place: on Discord. */
import { afterEach, expect, it } from "vitest";
import { openWorld, type World } from "../discord/world.ts";
import { keys, openWire, probes, type Wire } from "./wire.ts";

let world: World;
let wire: Wire | undefined;
afterEach(async () => {
  await world.close();
  await wire?.close();
  wire = undefined;
});

it("a form that somebody else was offered, never was, or was sent, comes to nothing", async () => {
  wire = await openWire();
  const { connect } = wire;
  world = await openWorld({ commands: probes, shared: connect(keys.team), connect, access: { externals: false } });
  const { fake, guild, general, ann, ben, until, received } = world;
  ann.runs(general, "trylist");
  const offered = await until(() => fake.whispers(ann).find(({ content }) => content.includes("own workspace account")));
  const opened = await fake.acknowledged(ann.presses(offered, "Link your account"));
  const modal = opened.modal!;
  expect(modal.title).toBe("Link your account");
  const came = received.length;
  wire.look();

  const guest = fake.person("Gil", [{ guild, flags: 1 << 4 }]);
  const stranger = fake.person("Olga");
  for (const person of [ben, guest, stranger]) {
    const pressed = await fake.acknowledged(person.presses(offered, "Link your account"));
    expect(pressed).toMatchObject({ acknowledged: 4, modal: null, ephemeral: true });
    for (const id of [modal.custom_id, `${modal.custom_id}x`, "forged"]) {
      const forged = { ...opened, modal: { ...modal, custom_id: id } };
      const sent = await fake.acknowledged(person.submits(forged, { key: keys.own }));
      expect(sent).toMatchObject({ acknowledged: 4, ephemeral: true });
    }
    for (const { content } of fake.whispers(person)) expect(content).toMatch(/no longer open/);
    expect(fake.whispers(person)).toHaveLength(4);
    for (const tenant of ["@me", guild.id])
      expect(await world.people.links.of({ platform: "discord", tenant, person: person.user.id })).toBeUndefined();
  }
  expect(received.length).toBe(came);
  expect(wire.look()).toEqual([]);

  // It is its owner's all the same, once: the only request is with the key that is being proved.
  const before = fake.whispers(ann).length;
  await fake.acknowledged(ann.submits(opened, { key: keys.own }));
  await until(() => fake.whispers(ann).filter(({ content }) => content !== "").length > before);
  expect(new Set(wire.look())).toEqual(new Set([`Bearer ${keys.own}`]));
  const again = await fake.acknowledged(ann.submits(opened, { key: keys.own }));
  expect(again.acknowledged).toBe(4);
  expect(wire.look()).toEqual([]);
});

it.each([true, false])("a message with a key is deleted where Parley may, else its author is asked to: %s", async (managed) => {
  world = await openWorld();
  const { fake, general, ann, until, workspace } = world;
  general.managed = managed;
  const said = ann.says(general, `${fake.mention} use ${keys.own}`);
  const told = await until(() =>
    [...fake.whispers(ann), ...fake.messages(fake.direct(ann)), ...fake.messages(general)].find(({ content }) =>
      content.includes("holds a workspace key"),
    ),
  );
  expect(told.content).toContain(managed ? "has deleted the message" : "Please delete the message");
  expect(fake.messages(general).some(({ id }) => id === said.id)).toBe(!managed);
  expect(told.channel).not.toBe(general.id);
  expect(JSON.stringify([told.content, workspace.calls]) + world.log.join("") + (await world.dump())).not.toContain(keys.own);
});

it("words of a public and a private channel and of a direct message stay where they are", async () => {
  world = await openWorld();
  const { fake, guild, general, ann, answers, shows, until, workspace } = world;
  const secret = fake.text(guild, "secret");
  const direct = fake.direct(ann);
  const rooms = new Map([
    [general, "canary-public"],
    [secret, "canary-private"],
    [direct, "canary-direct"],
  ]);
  for (const [channel, canary] of rooms) {
    const said = ann.says(channel, `${fake.mention} ${canary}`);
    expect(await answers(`I heard ${canary}.`)).toContain(canary);
    await shows(channel === direct ? channel : said.id, `I heard ${canary}`);
    await fake.acknowledged(ann.runs(channel, "agents"));
    const room = channel === direct ? [channel.id] : [channel.id, said.id];
    const shown = (): string => JSON.stringify(room.flatMap((id) => fake.messages(id)));
    await until(() => shown().includes(canary));
    for (const other of [...rooms.values()].filter((one) => one !== canary)) expect(shown()).not.toContain(other);
  }
  const threads = workspace.held.values();
  for (const messages of threads) expect(new Set(JSON.stringify(messages).match(/canary-\w+/g))).toHaveProperty("size", 1);
  const sent = workspace.calls.map((one) => JSON.stringify(one)).filter((one) => one.includes("canary"));
  expect(sent.length).toBeGreaterThanOrEqual(3);
  for (const one of sent) expect(new Set(one.match(/canary-\w+/g))).toHaveProperty("size", 1);
  for (const { content } of fake.whispers(ann)) expect(content).not.toContain("canary");
});
