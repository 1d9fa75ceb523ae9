/** Slash commands, menus, buttons and suggestions, as a person on Discord sees them. */
import { afterEach, describe, expect, it } from "vitest";
import type { FakeInteraction } from "../fakes/discord/discord.ts";
import { openWorld, type World, type WorldOptions } from "./world.ts";

describe("on Discord, by commands and buttons", () => {
  let world: World;
  afterEach(() => world.close());
  const open = async (options: WorldOptions = {}): Promise<World> => (world = await openWorld(options));
  const context = (): string =>
    [...world.workspace.uploads.values()].find(({ name }) => name === "earlier-messages.md")?.text ?? "";

  it("begins a conversation with /ask: a message names asker and question, and its thread is the conversation", async () => {
    const { fake, general, ben, answers, shows, asked } = await open();
    const run = ben.runs(general, "ask", { question: "How far is the moon?" });
    await fake.acknowledged(run);
    expect(run.acknowledged).toBe(5);
    expect(run.ephemeral).toBe(false);
    const parent = await shows(general, "How far is the moon?");
    expect(parent.content).toContain("Benny");
    expect(await answers("384,400 km.")).toBe("How far is the moon?");
    await shows(parent.id, "384,400 km.");
    const thread = fake.channel(parent.id);
    ben.says(thread!, "in miles?");
    expect(await answers("238,900.")).toBe("in miles?");
    await shows(thread!, "238,900.");
    expect(asked()).toHaveLength(2);
    expect(fake.messages(general)).toHaveLength(1);
  });

  it("answers a command for the asker alone, and says what is wrong with one", async () => {
    const { fake, general, ann, until } = await open();
    const help = ann.runs(general, "help");
    await fake.acknowledged(help);
    expect(help.ephemeral).toBe(true);
    await until(() => fake.whispers(ann).some(({ content }) => content.includes("/ask")));
    ann.runs(general, "stop");
    await until(() => fake.whispers(ann).some(({ content }) => content.includes("Nothing is running here.")));
    expect(fake.messages(general)).toEqual([]);
  });

  it("chooses a model for a channel, whose threads then have it", async () => {
    const { fake, general, ann, until, answers, workspace, shows } = await open();
    const channel = ann.runs(general, "model", { model: "Thinker" });
    await fake.acknowledged(channel);
    await until(() => fake.whispers(ann).some(({ content }) => content.includes("Thinker")));
    const said = ann.says(general, `${fake.mention} think`);
    await answers("Thought.");
    await shows(said.id, "Thought.");
    expect(workspace.calls.find(({ call }) => call === "start")?.body).toMatchObject({ ai_model_id: 2 });
  });

  it("opens the settings as a modal with menus, goes on where Discord has no more room, and changes what was changed", async () => {
    const { fake, general, ann, until, received } = await open();
    const opened = await fake.acknowledged(ann.runs(general, "settings"));
    expect(opened.acknowledged).toBe(9);
    expect(opened.modal).toMatchObject({
      title: "Parley here (1 of 2)",
      components: [
        {
          label: "Model that answers",
          component: { type: 3, options: [{ value: "Test model" }, { value: "Thinker" }, {}, {}, {}] },
        },
        { label: "Agent that answers", component: { type: 3 } },
        { label: "How hard thinking models think", component: { type: 4 } },
        { label: "Messages of a thread that Parley is in", component: { type: 3 } },
        { label: "Model, time and credits under answers", component: { type: 3 } },
      ],
    });
    expect(received).toEqual([]);
    const last = async (page: FakeInteraction, values: Record<string, string>): Promise<FakeInteraction> => {
      const told = fake.whispers(ann).length;
      await fake.acknowledged(ann.submits(page, values));
      const noted = await until(() =>
        fake
          .whispers(ann)
          .slice(told)
          .find(({ content }) => content.includes("Page 2 of 2")),
      );
      return fake.acknowledged(ann.presses(noted, "Continue"));
    };
    const second = await last(opened, { model: "Thinker", effort: "high", footer: "off" });
    expect(second.modal?.components).toMatchObject([{ label: "Recordings in messages", component: { type: 3 } }]);
    const sent = await fake.acknowledged(ann.submits(second, { transcribe: "off" }));
    expect(sent).toMatchObject({ acknowledged: 5, ephemeral: true });
    const [told] = await until(() => {
      const all = fake.whispers(ann).filter(({ content }) => content.includes("now answers"));
      return all.length === 0 ? undefined : all;
    });
    expect(told?.content).toContain("Thinking models now use the tier");
    expect(told?.content).toContain("`transcribe` is now **off**");
    const again = await fake.acknowledged(ann.runs(general, "settings"));
    expect(again.modal?.components[0]?.component.options?.find((one) => one.default === true)?.value).toBe("Thinker");
    expect(again.modal?.components[2]?.component.value).toBe("high");
    // Emptied, it is taken back; the rest is left alone.
    await fake.acknowledged(ann.submits(await last(again, { footer: "" }), {}));
    await until(() => fake.whispers(ann).some(({ content }) => content.includes("is now **default**")));
    expect(fake.messages(general)).toEqual([]);
  });

  it("goes through the pages of a longer form by a button, and offers again what was wrong", async () => {
    const { fake, general, ann, until } = await open({ access: { operators: null } });
    // For an operator there is one field more than Discord has room for.
    const first = await fake.acknowledged(ann.runs(general, "settings"));
    expect(first.modal?.title).toBe("Parley here (1 of 2)");
    await fake.acknowledged(ann.submits(first, { effort: "x".repeat(20) }));
    const noted = await until(() => fake.whispers(ann).find(({ content }) => content.includes("Page 2 of 2 comes next")));
    const second = await fake.acknowledged(ann.presses(noted, "Continue"));
    expect(second.modal).toMatchObject({
      title: "Parley here (2 of 2)",
      components: [{ label: expect.stringContaining("under answers") as string }, { label: "Recordings in messages" }],
    });
    await fake.acknowledged(ann.submits(second, { footer: "off" }));
    await until(() => fake.whispers(ann).some(({ content }) => content.includes("footer")));
    const late = await fake.acknowledged(ann.presses(noted, "Continue"));
    expect(late.acknowledged).toBe(4);
    expect(fake.whispers(ann).at(-1)?.content).toContain("no longer open");
  });

  it("says to whom settings are not what the command says, without a form", async () => {
    const { fake, general, ann, until } = await open({ access: { settings: "operators" } });
    const refused = await fake.acknowledged(ann.runs(general, "settings"));
    expect(refused).toMatchObject({ acknowledged: 5, modal: null });
    await until(() => fake.whispers(ann).some(({ content }) => content.includes("not for everybody here")));
  });

  it("offers the workspace's models while one is typed", async () => {
    const { fake, general, ann } = await open();
    const typed = await fake.acknowledged(ann.types(general, "model", "model", "thin"));
    expect(typed.choices).toEqual([{ name: expect.stringContaining("Thinker"), value: "Thinker" }]);
    const unknown = await fake.acknowledged(ann.types(general, "effort", "effort", "lo"));
    expect(unknown.choices).toEqual([]);
  });

  it("answers a message that is chosen from its menu, in the thread of that message", async () => {
    const { fake, general, ann, ben, answers, shows } = await open();
    const remark = ben.says(general, "Is @research right about the moon?");
    const chosen = await fake.acknowledged(ann.chooses(remark, "Ask Parley"));
    expect(chosen.ephemeral).toBe(true);
    // What Ben wrote addresses no agent when Ann asks.
    expect(await answers("Yes.")).toBe("Is @\u2060research right about the moon?");
    await shows(remark.id, "Yes.");
    ann.says(fake.channel(remark.id)!, "sure?");
    expect(await answers("Quite.")).toBe("sure?");
  });

  it("sums up a channel from a message on", async () => {
    const { general, ann, ben, answers, shows } = await open();
    ben.says(general, "Good morning.");
    const from = ben.says(general, "The release is late.");
    ann.says(general, "Then we ship on Monday.");
    ann.chooses(from, "Summarise from here");
    expect(await answers("Late; Monday.")).toContain("Summarise");
    await shows(from.id, "Late; Monday.");
    expect(context()).toMatch(/\*\*Ben\*\*[^]*The release is late\.[^]*\*\*Ann\*\*[^]*Then we ship on Monday\./);
    expect(context()).not.toContain("Good morning.");
  });

  it("stops an answer by its button", async () => {
    const { fake, general, ann, until, shows, workspace, asked } = await open();
    const said = ann.says(general, `${fake.mention} a long story`);
    const growing = await until(() => fake.messages(said.id).find(({ components }) => components.length > 0));
    await until(() => asked().length === 1);
    const pressed = ann.presses(growing, "Stop");
    await fake.acknowledged(pressed);
    expect(pressed.acknowledged).toBe(6);
    await shows(said.id, "Stopped");
    workspace.answer([...workspace.held.keys()][0]!, { status: "finished" });
  });

  it("tries a failed answer again by its button, in the same message", async () => {
    const { fake, general, ann, until, shows, workspace, asked } = await open();
    const said = ann.says(general, `${fake.mention} try hard`);
    await until(() => asked().length === 1);
    const [conversation = 0] = workspace.held.keys();
    workspace.answer(conversation, { status: "finished", error_text: "The model is overloaded." });
    const failed = await shows(said.id, "overloaded");
    await fake.acknowledged(ann.presses(failed, "Try again"));
    await until(() => workspace.calls.some(({ call }) => call === "retry"));
    workspace.answer(conversation, { status: "finished", text: "Done.", error_text: null });
    expect((await shows(said.id, "Done.")).id).toBe(failed.id);
    expect(asked()).toHaveLength(1);
  });

  it("answers where it is no member, by the token of somebody's own installation", async () => {
    const { fake, answers, until } = await open();
    const elsewhere = fake.guild("Elsewhere", false);
    const lobby = fake.text(elsewhere, "lobby");
    const cleo = fake.person("Cleo", [{ guild: elsewhere }]);
    const run = cleo.runs(lobby, "ask", { question: "Who are you?" });
    await fake.acknowledged(run);
    expect(await answers("I am Parley.")).toBe("Who are you?");
    await until(() => fake.messages(lobby).some(({ content }) => content.includes("I am Parley.")));
    expect(fake.commits.filter(({ route, status }) => route === "/channels/:channel/messages" && status === 200)).toEqual([]);
  });

  it("does not acknowledge what it could not store", async () => {
    const { fake, general, ann, until, failInbox, log, received } = await open();
    failInbox(new Error("disk full"));
    const run = ann.runs(general, "help");
    await until(() => log.some((line) => line.includes("not acknowledged")));
    expect(run.acknowledged).toBeNull();
    expect(received).toEqual([]);
    failInbox(null);
    await fake.acknowledged(ann.runs(general, "help"));
  });

  it("acknowledges an interaction once, although the gateway tells of it twice", async () => {
    const { fake, general, ann, until } = await open();
    const run = ann.runs(general, "help");
    fake.gateway.repeat("INTERACTION_CREATE");
    await fake.acknowledged(run);
    await until(() => fake.whispers(ann).some(({ content }) => content.includes("/ask")));
    expect(fake.commits.filter(({ route }) => route.endsWith("/callback"))).toHaveLength(1);
  });

  it("registers its commands once, and again only when they changed", async () => {
    const { fake, restart, until, log } = await open();
    const puts = () => fake.commits.filter(({ method, route }) => method === "PUT" && route.endsWith("/commands"));
    expect(puts()).toHaveLength(1);
    expect(fake.commands.get("")?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["ask", "model", "Ask Parley", "Summarise from here"]),
    );
    expect(fake.commands.get("")?.find(({ name }) => name === "settings")).toMatchObject({ default_member_permissions: "16" });
    await restart();
    await until(() => log.some((line) => line.includes('"commands":"unchanged"')));
    expect(puts()).toHaveLength(1);
  });
});

describe("commands for one guild", () => {
  it("are registered there alone", async () => {
    const fakeGuild = { id: "" };
    const world = await openWorld({
      before: (fake) => void (fakeGuild.id = fake.guild("Trial").id),
      adapter: {
        get guild() {
          return fakeGuild.id;
        },
      },
    });
    expect(world.fake.commands.get("")).toBeUndefined();
    expect(world.fake.commands.get(fakeGuild.id)?.length).toBeGreaterThan(10);
    await world.close();
  });
});
