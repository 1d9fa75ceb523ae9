/** What a person sees who talks to Parley in Slack, by socket and by HTTP. */
import { afterEach, describe, expect, it } from "vitest";
import { html } from "../fakes/slack/faults.ts";
import { mention } from "../fakes/slack/people.ts";
import { openWorld, shownOf, transports, type World, type WorldOptions } from "./world.ts";

describe.each(transports)("in Slack, by %s", (transport) => {
  let world: World;
  afterEach(() => world.close());
  const open = async (options: WorldOptions = {}) => {
    world = await openWorld(transport, options);
    return { ...world, ann: world.slack.person("U0ANN"), ben: world.slack.person("U0BEN") };
  };
  const asked = () =>
    world.workspace.calls
      .filter(({ call }) => call === "start" || call === "followUp")
      .map(({ body }) => (body as { message: string }).message);
  const attachments = (): unknown[] =>
    world.workspace.calls
      .filter(({ call }) => call === "start" || call === "followUp")
      .map(({ body }) => (body as { attachments?: unknown }).attachments);
  const context = () => [...world.workspace.uploads.values()].find(({ name }) => name === "earlier-messages.md")?.text ?? "";

  it("answers a mention in its thread, once, although Slack tells of it twice and again", async () => {
    const { ann, slack, answers, answered } = await open();
    const said = await ann.says("C0GENERAL", `${mention} what is up?`);
    expect(said.acknowledged).toBe(true);
    expect(await answers("All is **well**.")).toBe("what is up?");
    expect((await said.again()).acknowledged).toBe(true);
    const [answer] = await answered("C0GENERAL", said.ts, "well");
    expect(shownOf(answer!)).toContain("Test model");
    await ann.says("C0GENERAL", "lunch?");
    expect(slack.answers("C0GENERAL")).toHaveLength(1);
    expect(asked()).toEqual(["what is up?"]);
  });

  it("goes on in the thread without a mention, in order, and sends nothing that is for somebody else", async () => {
    const { ann, ben, answers, answered } = await open();
    const { ts } = await ann.says("C0GENERAL", `${mention} first`);
    // At once: before the first is answered, and before its conversation is known.
    await ben.says("C0GENERAL", "second", { thread: ts });
    await ann.says("C0GENERAL", "<@U0BEN> what do you think?", { thread: ts });
    expect(await answers("one")).toBe("first");
    expect(await answers("two")).toBe("second");
    const all = await answered("C0GENERAL", ts, "two");
    expect(all.map((message) => shownOf(message).split("\n")[0])).toEqual(expect.arrayContaining(["one", "two"]));
    expect(asked()).toEqual(["first", "second"]);
  });

  it("needs a mention in the thread where the channel wants it so", async () => {
    const { ann, answers, answered } = await open({ followUps: "mention" });
    const { ts } = await ann.says("C0GENERAL", `${mention} first`);
    await answers("one");
    await answered("C0GENERAL", ts, "one");
    await ann.says("C0GENERAL", "just between us", { thread: ts });
    await ann.says("C0GENERAL", `${mention} second`, { thread: ts });
    expect(await answers("two")).toBe("second");
    expect(asked()).toEqual(["first", "second"]);
  });

  it("takes the earlier messages of somebody else's thread along, with their speakers", async () => {
    const { ann, ben, answers, answered } = await open();
    const { ts } = await ann.says("C0GENERAL", "The build is red since noon.", { silently: true });
    await ben.says("C0GENERAL", "I think <@U0ANN> broke <#C0RANDOM>", { thread: ts, silently: true });
    await ben.says("C0GENERAL", `${mention} who broke it?`, { thread: ts });
    expect(await answers("Ann did.")).toBe("who broke it?");
    await answered("C0GENERAL", ts, "Ann did.");
    expect(context()).toMatch(/\*\*Ann\*\*[^]*The build is red since noon\.[^]*\*\*Ben\*\*[^]*I think @\u2060?Ann broke #random/);
    expect(context()).not.toContain("who broke it");
    await ann.says("C0GENERAL", "no, I did not", { thread: ts });
    expect(await answers("Sorry.")).toBe("no, I did not");
    expect(attachments()[1]).toBeUndefined();
  });

  it("answers every direct message", async () => {
    const { ann, slack, answers, until } = await open();
    await ann.says("D0ANN", "hello there", { rich: false });
    expect(await answers("Hello Ann.")).toBe("hello there");
    await until(() => slack.answers("D0ANN").some((message) => shownOf(message).includes("Hello Ann.")));
  });

  it("reads what people write: names, links, emoji, quotes, and tags of agents only where typed", async () => {
    const { ann, answers } = await open();
    await ann.says(
      "C0GENERAL",
      `${mention} ask @research &amp; <@U0BEN> about <https://acme.example/a|the plan> :tada:\n&gt; @research said so`,
    );
    const question = await answers("ok");
    expect(question).toContain("ask @research & @\u2060Ben about [the plan](https://acme.example/a) :tada:");
    expect(question).toContain("> @\u2060research said so");
  });

  it("reads a shared file, and says which one it had to leave out", async () => {
    const { ann, slack, answers, until } = await open();
    const files = [
      { name: "plan.txt", bytes: Buffer.from("ship on Friday") },
      { name: "linked.txt", bytes: Buffer.from("x"), external: true },
    ];
    await ann.says("C0GENERAL", `${mention} when do we ship?`, { files });
    expect(await answers("On Friday.")).toBe("when do we ship?");
    expect([...world.workspace.uploads.values()]).toEqual([{ name: "plan.txt", text: "ship on Friday" }]);
    const [told] = await until(() => (slack.state.ephemerals.length > 0 ? slack.state.ephemerals : undefined));
    expect(told?.user).toBe("U0ANN");
    expect(shownOf(told!)).toContain("“linked.txt” was left out: it is kept outside of Slack");
  });

  it("says so when Slack shows its sign-in page instead of a file", async () => {
    const { ann, slack, until } = await open();
    slack.faults.add("files-pri", html);
    const { ts } = await ann.says("C0GENERAL", mention, { files: [{ name: "plan.txt", bytes: Buffer.from("secret") }] });
    const answer = await until(() => slack.answers("C0GENERAL", ts).find((message) => shownOf(message).includes("files:read")));
    expect(shownOf(answer)).not.toContain("Sign in");
  });

  it("changes a waiting message when it is edited, and cancels it when it is deleted", async () => {
    const { ann, slack, answers, answered, until } = await open();
    const { ts } = await ann.says("C0GENERAL", `${mention} first`);
    await until(() => slack.answers("C0GENERAL", ts)[0]);
    const second = await ann.says("C0GENERAL", "secnd", { thread: ts });
    const third = await ann.says("C0GENERAL", "third", { thread: ts });
    await until(() => slack.answers("C0GENERAL", ts).length === 3);
    await ann.edits("C0GENERAL", second.ts, "second");
    await ann.deletes("C0GENERAL", third.ts);
    await until(() => slack.answers("C0GENERAL", ts).length === 2);
    await answers("one");
    expect(await answers("two")).toBe("second");
    const all = await answered("C0GENERAL", ts, "two");
    expect(all).toHaveLength(2);
    expect(asked()).toEqual(["first", "second"]);
  });

  it("answers a message whose mention was added by an edit, and not one that only got a preview", async () => {
    const { ann, slack, answers } = await open();
    const { ts } = await ann.says("C0GENERAL", "what is up?");
    await slack.tell({
      type: "message",
      subtype: "message_changed",
      channel: "C0GENERAL",
      ts: "9.9",
      message: { type: "message", user: "U0ANN", ts, text: `${mention} preview` },
      previous_message: { type: "message", user: "U0ANN", ts, text: "x" },
    });
    await ann.edits("C0GENERAL", ts, `${mention} what is up?`);
    expect(await answers("All is well.")).toBe("what is up?");
    expect(asked()).toHaveLength(1);
  });

  it("takes an answer away whose question is deleted while it forms", async () => {
    const { ann, slack, until } = await open();
    const { ts } = await ann.says("C0GENERAL", `${mention} tell me everything`);
    await until(() => slack.answers("C0GENERAL", ts)[0] !== undefined && asked().length === 1);
    await ann.deletes("C0GENERAL", ts);
    await until(() => slack.answers("C0GENERAL", ts).length === 0);
    expect(asked()).toHaveLength(1);
  });

  it("stops by its button", async () => {
    const { ann, slack, until } = await open();
    const { ts } = await ann.says("C0GENERAL", `${mention} tell me everything`);
    const shown = await until(() =>
      slack.answers("C0GENERAL", ts).find((message) => JSON.stringify(message.blocks).includes("parley_stop")),
    );
    expect((await ann.clicks("C0GENERAL", shown.ts, "parley_stop")).acknowledged).toBe(true);
    await until(() => slack.answers("C0GENERAL", ts).some((message) => shownOf(message).includes("Stopped")));
  });

  it("never answers bots, and refuses guests and strangers privately", async () => {
    const { slack, until } = await open();
    await slack.person("U0ROBOT").says("C0GENERAL", `${mention} loop?`);
    await slack.person("U0GUEST").says("C0GENERAL", `${mention} may I?`);
    await slack.person("U0OTHER").says("C0GENERAL", `${mention} may I too?`);
    const told = await until(() => (slack.state.ephemerals.length === 2 ? slack.state.ephemerals : undefined));
    expect(told.map(({ user }) => user).toSorted()).toEqual(["U0GUEST", "U0OTHER"]);
    expect(told.map((one) => shownOf(one)).join()).toMatch(/does not answer guests[^]*Ask whoever runs Parley/);
    expect(slack.answers("C0GENERAL")).toEqual([]);
    expect(asked()).toEqual([]);
  });

  it("keeps to the lists of channels and people, and names whom to ask", async () => {
    const { ann, ben, slack, until } = await open({ access: { channels: ["C0RANDOM"], operators: ["U0BEN"] } });
    await ann.says("C0GENERAL", `${mention} hello?`);
    const [told] = await until(() => (slack.state.ephemerals.length > 0 ? slack.state.ephemerals : undefined));
    expect(shownOf(told!)).toContain("does not answer in this channel. Ask Ben.");
    await ben.says("C0GENERAL", `${mention} I run this`);
    await until(() => asked()[0] === "I run this");
  });

  it("greets a channel that it is added to, once", async () => {
    const { slack, until } = await open();
    const event = {
      type: "member_joined_channel",
      user: "U0PARLEY",
      channel: "C0GENERAL",
      channel_type: "C",
      team: "T0ACME",
      inviter: "U0ANN",
      event_ts: "1700000000.000100",
    };
    await slack.tell(event);
    await slack.tell(event);
    await until(() => slack.answers("C0GENERAL").some((message) => shownOf(message).includes("Mention me")));
    expect(slack.answers("C0GENERAL")).toHaveLength(1);
  });

  it("does not acknowledge what could not be stored, and takes it when it comes again", async () => {
    const { slack, ann, answers, answered } = await open();
    world.failInbox(new Error("disk full"));
    const { ackMs } = slack;
    slack.ackMs = 300;
    const said = await ann.says("C0GENERAL", `${mention} do not lose this`);
    expect(said.acknowledged).toBe(false);
    slack.ackMs = ackMs;
    world.failInbox(null);
    expect((await said.again()).acknowledged).toBe(true);
    expect(await answers("kept")).toBe("do not lose this");
    expect(await answered("C0GENERAL", said.ts, "kept")).toHaveLength(1);
  });
});
