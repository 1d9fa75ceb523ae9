/** What one person is offered is no other's, keys in messages, and words of one place: in Slack. */
import { afterEach, describe, expect, it } from "vitest";
import { mention } from "../fakes/slack/people.ts";
import { openWorld, shownOf, transports, type World } from "../slack/world.ts";
import { keys, openWire, probes, type Wire } from "./wire.ts";

let world: World;
let wire: Wire | undefined;
afterEach(async () => {
  await world.close();
  await wire?.close();
  wire = undefined;
});

const titleOf = (view: unknown): unknown => (view as { title?: { text?: string } } | undefined)?.title?.text;

describe.each(transports)("by %s", (transport) => {
  it("a form that somebody else was offered, never was, or was sent, comes to nothing", async () => {
    wire = await openWire();
    const { connect } = wire;
    world = await openWorld(transport, { commands: probes, shared: connect(keys.team), connect });
    const { slack, until, received } = world;
    const { state } = slack;
    const ann = slack.person("U0ANN");
    await ann.slash("C0GENERAL", "trylist");
    await until(() => state.ephemerals.some(({ user }) => user === "U0ANN"));
    await ann.clicksPrivately("parley_form_");
    const view = await until(() => ann.modal());
    expect(titleOf(view)).toBe("Link your account");
    const came = received.length;
    wire.look();

    for (const user of ["U0BEN", "U0GUEST", "U0OTHER"]) {
      const person = slack.person(user);
      // Another's button.
      state.ephemerals.push({ ...state.ephemerals.find((one) => one.user === "U0ANN")!, user });
      await person.clicksPrivately("parley_form_");
      expect(titleOf(await until(() => person.modal()))).toBe("Parley");
      // Another's modal, and one that never was.
      for (const metadata of [view["private_metadata"], "never-made", ""]) {
        const id = `V0${user}${String(metadata)}`;
        state.views.set(id, { id, user, type: "modal", open: true, view: { ...view, private_metadata: metadata } });
        const { answer } = await person.submits({ key: keys.own });
        expect(answer).toMatchObject({ response_action: "update", view: { title: { text: "Parley" } } });
      }
      expect(await world.people.links.of({ platform: "slack", tenant: "T0ACME", person: user })).toBeUndefined();
    }
    expect(received.length).toBe(came);
    expect(wire.look()).toEqual([]);

    // It is its owner's all the same, once: the only request is with the key that is being proved.
    const before = state.ephemerals.length;
    await ann.submits({ key: keys.own });
    await until(() => state.ephemerals.length > before);
    expect(new Set(wire.look())).toEqual(new Set([`Bearer ${keys.own}`]));
    state.views.set("V0AGAIN", { id: "V0AGAIN", user: "U0ANN", type: "modal", open: true, view });
    const { answer } = await ann.submits({ key: keys.own });
    expect(answer).toMatchObject({ response_action: "update", view: { title: { text: "Parley" } } });
    expect(wire.look()).toEqual([]);
  });

  it("a message with a key: its author alone is asked to delete it, and the key is nowhere", async () => {
    world = await openWorld(transport);
    const { slack, until, workspace } = world;
    await slack.person("U0ANN").says("C0GENERAL", `${mention} use ${keys.own}`);
    const told = await until(() => slack.state.ephemerals.find((one) => shownOf(one).includes("holds a workspace key")));
    expect(told.user).toBe("U0ANN");
    expect(shownOf(told)).toContain("Please delete the message");
    expect(JSON.stringify([told, workspace.calls]) + world.log.join("") + (await world.dump())).not.toContain(keys.own);
  });

  it("words of a public and a private channel and of a direct message stay where they are", async () => {
    world = await openWorld(transport);
    const { slack, answers, until, workspace } = world;
    const shows = (channel: string, words: string) =>
      until(() => slack.state.messages.some((one) => one.channel === channel && shownOf(one).includes(words)));
    const ann = slack.person("U0ANN");
    for (const channel of ["C0GENERAL", "C0SECRET"]) slack.state.channels.get(channel)?.members.add("U0ANN");
    const places = { C0GENERAL: "canary-public", C0SECRET: "canary-private", D0ANN: "canary-direct" };
    for (const [channel, canary] of Object.entries(places)) {
      const { ts } = await ann.says(channel, `${mention} ${canary}`);
      expect(await answers(`I heard ${canary}.`)).toContain(canary);
      await shows(channel, `I heard ${canary}.`);
      await ann.says(channel, `${mention} and again`, { thread: ts });
      await answers(`Still ${canary}.`);
      await shows(channel, `Still ${canary}.`);
      await ann.slash(channel, "agents");
    }
    await world.until(() => slack.state.ephemerals.length >= 2);
    for (const [channel, canary] of Object.entries(places)) {
      const others = Object.values(places).filter((one) => one !== canary);
      const shown = JSON.stringify([
        slack.state.messages.filter((one) => one.channel === channel),
        slack.state.ephemerals.filter((one) => one.channel === channel),
      ]);
      expect(shown).toContain(canary);
      for (const other of others) expect(shown).not.toContain(other);
    }
    const sent = workspace.calls.map((one) => JSON.stringify(one)).filter((one) => one.includes("canary"));
    expect(sent.length).toBeGreaterThanOrEqual(3);
    for (const one of sent) expect(new Set(one.match(/canary-\w+/g))).toHaveProperty("size", 1);
    for (const messages of workspace.held.values())
      expect(new Set(JSON.stringify(messages).match(/canary-\w+/g))).toHaveProperty("size", 1);
    const elsewhere = JSON.stringify([...slack.state.views.values(), ...slack.state.responses, ...slack.state.ephemerals]);
    expect(elsewhere).not.toContain("canary");
  });
});
