/** Commands from their beginning to what people see, in both transports. */
import { afterEach, describe, expect, it } from "vitest";
import { lost } from "../fakes/slack/faults.ts";
import { mention } from "../fakes/slack/people.ts";
import { openWorld, shownOf, transports, type World, type WorldOptions } from "./world.ts";

describe.each(transports)("by %s", (transport) => {
  let world: World;
  afterEach(() => world.close());
  const open = async (options: WorldOptions = {}) => {
    world = await openWorld(transport, options);
    return { ...world, ann: world.slack.person("U0ANN") };
  };
  const told = (words: string) => world.until(() => world.slack.state.ephemerals.find((one) => shownOf(one).includes(words)));

  it("/parley posts who asks what, answers in its thread, and goes on there", async () => {
    const { ann, slack, answers, answered, until } = await open();
    await ann.slash("C0GENERAL", "what is *up*, <!channel>?");
    expect(await answers("All is well.")).toBe("what is *up*, <!channel>?");
    const parent = await until(() => slack.answers("C0GENERAL").find(({ thread_ts: thread }) => thread === undefined));
    expect(shownOf(parent)).toMatch(/Ann[^]*asks:[^]*what is \*up\*, <!channel>\?/);
    await answered("C0GENERAL", parent.ts, "All is well.");
    await ann.says("C0GENERAL", "and tomorrow?", { thread: parent.ts });
    expect(await answers("Too.")).toBe("and tomorrow?");
    expect((await answered("C0GENERAL", parent.ts, "Too.")).length).toBe(2);
  });

  it("a parent message whose acknowledgement is lost is there once", async () => {
    const { ann, slack, answers } = await open();
    slack.faults.add("chat.postMessage", lost);
    await ann.slash("C0GENERAL", "once?");
    await answers("Once.");
    expect(slack.answers("C0GENERAL").filter(({ thread_ts: thread }) => thread === undefined)).toHaveLength(1);
  });

  it("says privately, by the command's own address, that Parley is not in the channel", async () => {
    const { ann, slack, until } = await open();
    await ann.slash("C0APART", "what is up?");
    const { body } = await until(() => slack.state.responses[0]);
    expect(JSON.stringify(body)).toContain("Invite it into this channel");
    expect(body).toMatchObject({ response_type: "ephemeral" });
    await ann.slash("C0APART", "help");
    await until(() => slack.state.responses.length > 1);
  });

  it("summarises a thread with what was said in it", async () => {
    const { ann, slack, answers, answered } = await open();
    const { ts } = await ann.says("C0GENERAL", "We ship on Friday.");
    await slack.person("U0BEN").says("C0GENERAL", "No, on Monday.", { thread: ts });
    await ann.shortcut("parley_summarise", { channel: "C0GENERAL", ts });
    expect(await answers("They disagree.")).toMatch(/^Summarise this thread/);
    await answered("C0GENERAL", ts, "They disagree.");
    const [context] = [...world.workspace.uploads.values()];
    expect(context?.text).toMatch(/Ann[^]*We ship on Friday\.[^]*Ben[^]*No, on Monday\./);
  });

  it("changes settings of a channel, and answers by them", async () => {
    const { ann, answers, answered } = await open();
    await ann.slash("C0GENERAL", "settings footer off");
    await told("footer");
    const first = await ann.says("C0GENERAL", `${mention} one`);
    await answers("First.");
    const [answer] = await answered("C0GENERAL", first.ts, "First.");
    expect(shownOf(answer!)).not.toContain("Test model");
    await ann.says("C0GENERAL", `${mention} /settings follow_ups mention`, { thread: first.ts });
    await told("follow_ups");
    await ann.says("C0GENERAL", "only among us", { thread: first.ts });
    await ann.says("C0GENERAL", `${mention} two`, { thread: first.ts });
    expect(await answers("Second.")).toBe("two");
  });

  it("/parley settings opens what is chosen, searches where there is more to choose from, and changes what was changed", async () => {
    const { ann, slack, answers, answered } = await open();
    await ann.slash("C0GENERAL", "model Thinker");
    await told("Thinker");
    await ann.slash("C0GENERAL", "settings");
    const modal = await world.until(() => ann.modal());
    expect(modal).toMatchObject({ title: { text: "Parley here" }, submit: { text: "Save" } });
    expect(modal["blocks"]).toMatchObject([
      { block_id: "model", element: { type: "external_select", initial_option: { value: "Thinker" } } },
      { block_id: "agent", element: { type: "external_select" } },
      { block_id: "effort", element: { type: "plain_text_input" } },
      { block_id: "follow_ups", element: { type: "static_select" } },
      { block_id: "streaming", element: { type: "static_select" } },
      { block_id: "footer", element: { type: "static_select" } },
      { block_id: "transcribe", element: { type: "static_select" } },
    ]);
    const { answer } = await ann.asksOptions("model", "value", "Test m");
    expect(answer).toMatchObject({ options: [{ value: "Test model" }] });
    await ann.submits({ footer: "off", effort: "high" });
    const changed = shownOf(await told("Thinking models now use the tier")).replaceAll("\n", "");
    expect(changed).toContain("footer is now off");
    expect(changed).not.toContain("now answers");
    const { ts } = await ann.says("C0GENERAL", `${mention} one`);
    await answers("First.");
    const [first] = await answered("C0GENERAL", ts, "First.");
    expect(shownOf(first!)).not.toContain("Thinker");
    expect(slack.calls.filter(({ method }) => method === "views.open")).toHaveLength(1);
  });

  it("in a thread, where Slack takes no slash command, settings are typed, and opened by a button", async () => {
    const { ann, answers, answered } = await open();
    const { ts } = await ann.says("C0GENERAL", `${mention} one`);
    await answers("First.");
    await answered("C0GENERAL", ts, "First.");
    await ann.says("C0GENERAL", `${mention} /settings`, { thread: ts });
    await told("web_search");
    await ann.clicksPrivately("parley_form_");
    await world.until(() => ann.modal());
    await ann.submits({ footer: "off" });
    await told(" is now ");
    await ann.says("C0GENERAL", "two", { thread: ts });
    await answers("Second.");
    expect(shownOf((await answered("C0GENERAL", ts, "Second."))[1]!)).not.toContain("Test model");
  });

  it("keeps what the key's owner has to operators, and settings where the configuration says so", async () => {
    const { ann, slack, until } = await open({ access: { operators: ["U0BEN"], settings: "operators" } });
    await ann.slash("C0GENERAL", "project Secret");
    await ann.slash("C0GENERAL", "model Thinker");
    const refusals = await until(() => {
      const all = slack.state.ephemerals.filter((one) => shownOf(one).includes("That is not for everybody here. Ask Ben."));
      return all.length === 2 ? all : undefined;
    });
    expect(refusals.map(({ user }) => user)).toEqual(["U0ANN", "U0ANN"]);
  });

  it("names the session of a thread in a direct message, and shows there that it works", async () => {
    const { ann, slack, answers, answered, until } = await open();
    const session = (what: string, thread: string) =>
      slack.calls.filter(
        ({ method, args }) => method === "agents.sessions.setStatus" && args["thread_ts"] === thread && args["status"] === what,
      );
    const { ts } = await ann.says("D0ANN", "hello", { silently: true });
    await ann.says("D0ANN", "what  is up?", { thread: ts });
    await answers("All is well.");
    await answered("D0ANN", ts, "All is well.");
    await until(() => session("active", ts).length === 1);
    expect(session("processing", ts).map(({ args }) => args["title"])).toEqual(["what is up?"]);
  });

  it("takes what people say in other ways: /me, and replies that are sent to the channel too", async () => {
    const { ann, answers, answered } = await open();
    const { ts } = await ann.says("C0GENERAL", `${mention} one`);
    await answers("First.");
    await answered("C0GENERAL", ts, "First.");
    await ann.says("C0GENERAL", "two, for all", { thread: ts, subtype: "thread_broadcast" });
    expect(await answers("Second.")).toBe("two, for all");
    await ann.says("C0GENERAL", `waves at ${mention}`, { subtype: "me_message", rich: false });
    expect(await answers("Waves.")).toBe("waves at");
  });

  it("leaves nothing behind in a workspace that it was removed from", async () => {
    const { ann, slack, answers, answered, stored } = await open();
    const { ts } = await ann.says("C0GENERAL", `${mention} one`);
    await answers("First.");
    await answered("C0GENERAL", ts, "First.");
    await slack.tell({ type: "app_uninstalled", event_ts: "1.2" });
    await expect.poll(stored).toEqual([expect.stringMatching(/:removed$/)]);
  });
});
