/** What a person sees who talks to Parley on Discord. */
import { afterEach, describe, expect, it } from "vitest";
import { openWorld, type World, type WorldOptions } from "./world.ts";

describe("on Discord", () => {
  let world: World;
  afterEach(() => world.close());
  const open = async (options: WorldOptions = {}): Promise<World> => (world = await openWorld(options));
  const context = (): string =>
    [...world.workspace.uploads.values()].find(({ name }) => name === "earlier-messages.md")?.text ?? "";

  it("names the thread after its conversation, once, and leaves the names that people give", async () => {
    const { fake, general, ann, answers, shows, workspace, until, log } = await open();
    const ask = async (words: string, name: string, meanwhile: (thread: string) => void = () => {}) => {
      const asked = ann.says(general, `${fake.mention} ${words}`);
      await until(() => fake.channel(asked.id));
      workspace.names.set([...workspace.held.keys()].at(-1)!, name);
      meanwhile(asked.id);
      await answers("Yes.");
      await shows(asked.id, "Yes.");
      await until(() => log.some((line) => line.includes(asked.id) && line.includes("a turn has ended")));
      return fake.channel(asked.id)?.name;
    };
    expect(await ask("is it safe to ship on a Friday, all things considered?", "Shipping on Fridays")).toBe(
      "Shipping on Fridays",
    );
    expect(await ask("and on a Monday?", "x".repeat(150))).toBe(`${"x".repeat(99)}…`);
    expect(await ask("and this one?", "Not this", (thread) => fake.renames(thread, "Our own name"))).toBe("Our own name");
    expect(fake.commits.filter(({ method, route }) => method === "PATCH" && route === "/channels/:channel")).toHaveLength(2);
  });

  it("answers all the same where a thread cannot be renamed", async () => {
    const { fake, general, ann, answers, shows, workspace, until, log } = await open();
    fake.order("PATCH /channels/:channel", { rate_limited: "user", waitMs: 600_000 });
    const asked = ann.says(general, `${fake.mention} one`);
    await until(() => workspace.held.size > 0);
    workspace.names.set([...workspace.held.keys()].at(-1)!, "One and only");
    await answers("Yes.");
    await shows(asked.id, "Yes.");
    await until(() => log.some((line) => line.includes("a thread keeps its first name")));
    ann.says(fake.channel(asked.id)!, "two");
    expect(await answers("Two.")).toBe("two");
  });

  it("answers a mention in a thread that is made from it and named after it", async () => {
    const { fake, general, ann, answers, shows, asked } = await open();
    const said = ann.says(general, `${fake.mention} what is up with the build?`);
    expect(await answers("All is **well**.")).toBe("what is up with the build?");
    const answer = await shows(said.id, "All is **well**.");
    expect(answer.content).toContain("Test model");
    expect(fake.channel(said.id)).toMatchObject({ type: 11, parent: general.id, owner: fake.bot.id });
    expect(fake.channel(said.id)?.name).toContain("what is up with the build?");
    expect(fake.messages(general)).toHaveLength(1);
    expect(fake.messages(said.id)).toHaveLength(1);
    expect(asked()).toHaveLength(1);
  });

  it("answers once, although the gateway tells of a message twice", async () => {
    const { fake, general, ann, answers, shows, received, until, asked } = await open();
    const said = ann.says(general, `${fake.mention} once`);
    fake.gateway.repeat("MESSAGE_CREATE");
    await answers("Once.");
    await shows(said.id, "Once.");
    await until(() => received.length === 2);
    expect(new Set(received.map(({ key }) => key)).size).toBe(1);
    expect(asked()).toEqual(["once"]);
  });

  it("asks 50 messages once each that Discord sends again when it has asked for a new connection", async () => {
    const { fake, guild, ann, until, received, asked, workspace } = await open();
    const words = Array.from({ length: 50 }, (_, index) => `question ${index}`);
    for (const text of words) ann.says(fake.text(guild, text), `${fake.mention} ${text}`);
    await until(() => received.length === 50);
    // With what else there is of them: their channels and threads.
    fake.gateway.replay(300);
    fake.gateway.askToReconnect();
    await until(() => received.length === 100);
    expect(new Set(received.map(({ key }) => key)).size).toBe(50);
    await until(() => workspace.held.size === 50);
    expect(asked().toSorted()).toEqual(words.toSorted());
  });

  it("goes on in the thread without a mention, in order, and leaves alone what is for somebody else", async () => {
    const { fake, general, ann, ben, answers, shows, until, asked } = await open();
    const said = ann.says(general, `${fake.mention} first`);
    const thread = await until(() => fake.channel(said.id));
    ben.says(thread, "second");
    ann.says(thread, `${ben.mention} what do you think?`);
    ann.says(general, "lunch?");
    expect(await answers("one")).toBe("first");
    expect(await answers("two")).toBe("second");
    await shows(thread, "two");
    ben.says(thread, "third");
    expect(await answers("three")).toBe("third");
    await shows(thread, "three");
    expect(asked()).toEqual(["first", "second", "third"]);
    expect(world.workspace.held.size).toBe(1);
  });

  it("needs a mention in threads where that was chosen", async () => {
    const { fake, general, ann, answers, shows, until, asked } = await open({ adapter: { followUps: "mention" } });
    const said = ann.says(general, `${fake.mention} first`);
    const thread = await until(() => fake.channel(said.id));
    await answers("one");
    await shows(thread, "one");
    ann.says(thread, "just between us");
    ann.says(thread, `${fake.mention} second`);
    expect(await answers("two")).toBe("second");
    expect(asked()).toEqual(["first", "second"]);
  });

  it("takes the earlier messages of somebody else's thread along, and stays in it", async () => {
    const { fake, general, ann, ben, answers, shows, asked } = await open();
    const thread = fake.thread(general, "Red build", ann);
    ann.says(thread, "The build is red since noon.");
    ben.says(thread, `I think ${ann.mention} broke <#${general.id}>`);
    ben.says(thread, `${fake.mention} who broke it?`);
    expect(await answers("Ann did.")).toBe("who broke it?");
    await shows(thread, "Ann did.");
    expect(context()).toMatch(/\*\*Ann\*\*[^]*The build is red since noon\.[^]*\*\*Ben\*\*[^]*I think Ann broke #general/);
    expect(context()).not.toContain("who broke it");
    ann.says(thread, "no, I did not");
    expect(await answers("Sorry.")).toBe("no, I did not");
    await shows(thread, "Sorry.");
    expect(asked()).toHaveLength(2);
  });

  it("answers in a forum's post, with what it says", async () => {
    const { fake, guild, ann, ben, answers, shows } = await open();
    const post = fake.thread(fake.forum(guild, "help"), "How do I deploy?", ann);
    ann.says(post, "I cannot find the button.");
    ben.says(post, `${fake.mention} can you help?`);
    expect(await answers("It is on the left.")).toBe("can you help?");
    await shows(post, "It is on the left.");
    expect(context()).toContain("I cannot find the button.");
  });

  it("answers every direct message, in one conversation", async () => {
    const { fake, ann, answers, shows, workspace } = await open();
    const direct = fake.direct(ann);
    ann.says(direct, "hello there");
    expect(await answers("Hello Ann.")).toBe("hello there");
    await shows(direct, "Hello Ann.");
    ann.says(direct, "and again");
    expect(await answers("Hello again.")).toBe("and again");
    await shows(direct, "Hello again.");
    expect(workspace.held.size).toBe(1);
  });

  it("answers a reply to its own message, and takes along what a mention replies to", async () => {
    const { fake, general, ann, ben, answers, shows } = await open();
    const remark = ben.says(general, "Deploys are frozen.");
    const said = ann.says(general, `${fake.mention} why is that?`, { to: remark.id });
    expect(await answers("A release is near.")).toBe("why is that?");
    const answer = await shows(said.id, "A release is near.");
    expect(context()).toContain("Deploys are frozen.");
    const thread = fake.channel(said.id);
    ann.says(thread!, "since when?", { to: answer.id });
    expect(await answers("Since noon.")).toBe("since when?");
  });

  it("reads names for ids, and lets nobody's name or quotation address an agent", async () => {
    const { fake, general, guild, ann, answers, asked } = await open();
    const research = fake.person("research", [{ guild }]);
    ann.says(
      general,
      `> @research wrote this\n${fake.mention} ask ${research.mention} about <#${general.id}> <:parrot:123> and @research too`,
    );
    await answers("Done.");
    expect(asked()[0]).toBe("> @\u2060research wrote this\nask research about #general :parrot: and @research too");
  });

  it("ignores bots, webhooks and itself", async () => {
    const { fake, general, ann, answers, asked, received } = await open();
    fake.otherBot("Rival").says(general, `${fake.mention} talk to me`);
    ann.says(general, `${fake.mention} from a webhook`, { webhook: true });
    ann.says(general, `${fake.mention} from a person`);
    await answers("Hello.");
    expect(asked()).toEqual(["from a person"]);
    expect(received).toHaveLength(1);
  });

  it("reads an attached file and a voice message, from Discord's own host", async () => {
    const { fake, general, ann, answers, workspace, shows } = await open();
    const bytes = Buffer.from("name;value\nä;1\n");
    const said = ann.says(general, `${fake.mention} sum it up`, {
      files: [{ name: "table.csv", type: "text/csv; charset=utf-8", bytes }],
    });
    await answers("One row.");
    await shows(said.id, "One row.");
    expect([...workspace.uploads.values()]).toMatchObject([{ name: "table.csv", text: "name;value\nä;1\n" }]);
    const direct = fake.direct(ann);
    ann.says(direct, "", { flags: 8192, files: [{ name: "voice-message.ogg", type: "audio/ogg", bytes: Buffer.from("OggS") }] });
    await answers("You said hello.");
    expect([...workspace.uploads.values()].map(({ name }) => name)).toContain("voice-message.ogg");
  });

  it("changes a message that waits when it is edited, and drops it when it is deleted", async () => {
    const { fake, general, ann, answers, shows, until, asked } = await open();
    const said = ann.says(general, `${fake.mention} first`);
    const thread = await until(() => fake.channel(said.id));
    await until(() => asked().length === 1);
    const second = ann.says(thread, "secnod");
    const third = ann.says(thread, "never mind");
    await until(() => world.received.length === 3);
    ann.edits(second, "second");
    ann.unfurls(second);
    ann.deletes(third);
    // The preview comes under the same time of editing, so that it is known.
    await until(() => new Set(world.received.map(({ key }) => key)).size === 5);
    expect(await answers("one")).toBe("first");
    expect(await answers("two")).toBe("second");
    await shows(thread, "two");
    await until(() => fake.messages(thread).filter(({ author }) => author.id === fake.bot.id).length === 2);
    expect(asked()).toEqual(["first", "second"]);
  });

  it("takes the answer away whose question is deleted while it forms", async () => {
    const { fake, general, ann, shows, until, asked } = await open();
    const said = ann.says(general, `${fake.mention} a long story`);
    await shows(said.id, "…");
    await until(() => asked().length === 1);
    ann.deletes(said);
    await until(() => fake.messages(said.id).every(({ author }) => author.id !== fake.bot.id));
    expect(asked()).toHaveLength(1);
  });

  it("says once that it reads only mentions, where the words of others are kept from it", async () => {
    const { fake, general, ann, answers, shows, until, asked } = await open({ before: (one) => one.grantContent(false) });
    const said = ann.says(general, `${fake.mention} first`);
    const thread = await until(() => fake.channel(said.id));
    expect(await answers("one")).toBe("first");
    await shows(thread, "one");
    ann.says(thread, "second");
    await shows(thread, "only read messages that mention me");
    ann.says(thread, "third");
    ann.says(thread, `${fake.mention} fourth`);
    expect(await answers("four")).toBe("fourth");
    await shows(thread, "four");
    expect(fake.messages(thread).filter(({ content }) => content.includes("only read messages"))).toHaveLength(1);
    expect(asked()).toEqual(["first", "fourth"]);
    expect(world.platform.health()).toBeNull();
  });

  it("pings nobody, whatever an answer says", async () => {
    const { fake, general, ann, ben, answers, shows } = await open();
    const said = ann.says(general, `${fake.mention} call everybody`);
    await answers(`@everyone ${ben.mention} @here come!`);
    await shows(said.id, "come!");
    expect(fake.commits.flatMap(({ pings }) => pings)).toEqual([]);
  });

  it("answers only those whom it is there for", async () => {
    const { fake, general, ann, ben, asked, received } = await open({
      adapter: { allow: { guilds: [], channels: [], roles: [], users: ["nobody"] } },
    });
    ann.says(general, `${fake.mention} hello`);
    ben.says(fake.direct(ben), "hello");
    const run = ann.runs(general, "help");
    await fake.acknowledged(run);
    expect(fake.whispers(ann).map(({ content }) => content)).toEqual([expect.stringContaining("not there for you")]);
    expect(received).toEqual([]);
    expect(asked()).toEqual([]);
  });
});
