/** Slash commands, modals, shortcuts, buttons and the home tab: what a person does, and what becomes of it, in both transports. */
import { afterEach, describe, expect, it } from "vitest";
import { mention } from "../fakes/slack/people.ts";
import type { Json } from "../fakes/slack/state.ts";
import { openAdapter, until, type Adapter } from "./adapter.ts";
import { transports } from "./world.ts";

describe.each(transports)("by %s", (transport) => {
  let opened: Adapter;
  afterEach(() => opened.close());
  const open = async (settings: Adapter["settings"] = {}) => {
    opened = await openAdapter(transport);
    opened.settings = settings;
    return { ...opened, ann: opened.slack.person("U0ANN") };
  };
  const modal = (): Promise<Json> =>
    until(() => [...opened.slack.state.views.values()].findLast(({ type, open: isOpen }) => type === "modal" && isOpen)?.view);
  const blocks = (view: Json): Json[] => view["blocks"] as Json[];

  it("/parley with a question asks it, and with a command runs it", async () => {
    const { ann, inbox } = await open();
    expect((await ann.slash("C0GENERAL", "what is up?")).acknowledged).toBe(true);
    expect((await ann.slash("C0GENERAL", "model Thinker")).acknowledged).toBe(true);
    expect((await ann.slash("D0ANN", "/help")).acknowledged).toBe(true);
    const place = { platform: "slack", tenant: "T0ACME", channel: "C0GENERAL", thread: null };
    expect(inbox.received).toMatchObject([
      { kind: "command", name: "ask", text: "what is up?", place, author: { id: "U0ANN" } },
      { kind: "command", name: "model", text: "Thinker", place },
      { kind: "command", name: "help", text: "", direct: true },
    ]);
  });

  it("/parley alone asks in a modal, and an answer that lacks the question keeps it open", async () => {
    const { ann, inbox } = await open();
    await ann.slash("C0GENERAL", "");
    expect(await modal()).toMatchObject({ title: { text: "Ask Parley" } });
    const refused = await ann.submits({});
    expect(refused.answer).toEqual({ response_action: "errors", errors: { question: "Please fill this in." } });
    expect(inbox.received).toEqual([]);
    expect((await ann.submits({ question: "what is up?" })).acknowledged).toBe(true);
    expect(inbox.received).toMatchObject([
      { kind: "command", name: "ask", options: { question: "what is up?" }, place: { channel: "C0GENERAL", thread: null } },
    ]);
  });

  it("a command without its argument asks for it, with what the workspace has to choose from", async () => {
    const { ann, inbox } = await open();
    await ann.slash("C0GENERAL", "model");
    expect(blocks(await modal())[0]).toMatchObject({ block_id: "model", element: { type: "external_select" } });
    const { answer } = await ann.asksOptions("model", "value", "La");
    expect(answer).toMatchObject({ options: [{ value: "Large 2" }] });
    await ann.submits({ model: "Large 2" });
    expect(inbox.received).toMatchObject([{ name: "model", options: { model: "Large 2" } }]);
  });

  it("a command that takes a file asks for it, as a slash command has none, and brings it along", async () => {
    const { ann, inbox } = await open();
    await ann.slash("C0GENERAL", "transcribe");
    expect(blocks(await modal())[1]).toMatchObject({
      block_id: "recording",
      optional: true,
      element: { type: "file_input", max_files: 1 },
    });
    const recording = { name: "talk.mp3", bytes: new Uint8Array([1, 2, 3]), mimetype: "audio/mpeg" };
    expect((await ann.submits({}, { recording })).acknowledged).toBe(true);
    await ann.slash("C0GENERAL", "image");
    await modal();
    await ann.submits({ prompt: "a boat" });
    expect(inbox.received).toMatchObject([
      { name: "transcribe", options: {}, files: [{ name: "talk.mp3", mediaType: "audio/mpeg", bytes: 3 }] },
      { name: "image", options: { prompt: "a boat" }, files: [] },
    ]);
  });

  it("does not acknowledge a modal's answer that could not be stored", async () => {
    const { ann, inbox, slack } = await open();
    await ann.slash("C0GENERAL", "");
    await modal();
    inbox.failure = new Error("disk full");
    const { ackMs } = slack;
    slack.ackMs = 200;
    expect((await ann.submits({ question: "keep this" })).acknowledged).toBe(false);
    slack.ackMs = ackMs;
    inbox.failure = null;
    expect((await ann.submits({ question: "keep this" })).acknowledged).toBe(true);
    expect(inbox.received).toHaveLength(1);
  });

  it("/parley settings is run as the command that it is where there is no form for its person", async () => {
    const { ann, inbox, slack } = await open();
    await ann.slash("C0GENERAL", "settings");
    expect(inbox.received).toMatchObject([{ kind: "command", name: "settings", options: {}, text: "" }]);
    expect(slack.calls.filter(({ method }) => method === "views.open")).toEqual([]);
  });

  it("asks about a message by its shortcut, in that message's thread, with the thread as context", async () => {
    const { ann, inbox, slack } = await open();
    const { ts } = await slack.person("U0BEN").says("C0GENERAL", "the build is red");
    await ann.shortcut("parley_ask_about", { channel: "C0GENERAL", ts });
    await modal();
    await ann.submits({ question: "why?" });
    expect(inbox.received).toMatchObject([
      { name: "ask", options: { question: "why?" }, joins: true, place: { channel: "C0GENERAL", thread: ts } },
    ]);
  });

  it("summarises a thread by its shortcut, at once", async () => {
    const { ann, inbox, slack } = await open();
    const { ts } = await slack.person("U0BEN").says("C0GENERAL", "the build is red");
    const reply = await ann.says("C0GENERAL", "since noon", { thread: ts });
    expect((await ann.shortcut("parley_summarise", { channel: "C0GENERAL", ts: reply.ts })).acknowledged).toBe(true);
    expect(inbox.received).toMatchObject([{ kind: "command", name: "ask", joins: true, place: { thread: ts } }]);
  });

  it("asks anywhere by the global shortcut, once it knows where", async () => {
    const { ann, inbox } = await open();
    await ann.shortcut("parley_ask_anywhere");
    await modal();
    expect((await ann.submits({ question: "why?" })).answer).toMatchObject({ errors: { place: expect.any(String) as string } });
    await ann.submits({ question: "why?", place: "C0RANDOM" });
    expect(inbox.received).toMatchObject([{ name: "ask", place: { channel: "C0RANDOM", thread: null } }]);
  });

  it("takes @parley /command in a thread as the command", async () => {
    const { ann, inbox } = await open();
    const { ts } = await ann.says("C0GENERAL", "talk");
    await ann.says("C0GENERAL", `${mention} /model Thinker`, { thread: ts });
    expect(inbox.received).toMatchObject([{ kind: "command", name: "model", text: "Thinker", place: { thread: ts } }]);
  });

  it("a button's click is an action of its turn, once, however often it is delivered", async () => {
    const { ann, inbox, slack, adapter } = await open();
    const { ts: thread } = await ann.says("C0GENERAL", "talk");
    const place = { platform: "slack", tenant: "T0ACME", channel: "C0GENERAL", thread };
    const document = {
      state: "failed",
      blocks: [],
      status: null,
      notice: "It failed.",
      footnotes: [],
      footer: null,
      actions: [{ action: "retry", label: "Try again", turn: "slack:turn" }],
    } as const;
    const posted = await adapter.platform.post(place, document, "turn/0", new AbortController().signal);
    const delivered = await ann.clicks("C0GENERAL", posted.id, "parley_retry");
    await delivered.again();
    expect(inbox.received).toMatchObject([{ kind: "action", action: "retry", turn: "slack:turn", place }]);
    expect(slack.commits.some(({ method }) => method === "views.open")).toBe(false);
  });

  it("Slack's own stop button stops what forms in the thread", async () => {
    const { inbox, slack } = await open();
    const event = {
      type: "agent_session_stopped",
      channel: "D0ANN",
      thread_ts: "1.2",
      streaming_message_ts: ["1.3"],
      user: "U0ANN",
      event_ts: "9.9",
    };
    await slack.tell(event);
    await slack.tell(event);
    expect(inbox.received).toMatchObject([{ kind: "command", name: "stop", place: { channel: "D0ANN", thread: "1.2" } }]);
  });

  it("fills the home tab, and suggests what to ask in the messages tab", async () => {
    const { ann, slack } = await open();
    await ann.opensHome();
    const home = await until(() => slack.state.views.get("home:U0ANN"));
    expect(JSON.stringify(home.view)).toContain("/parley model");
    await ann.opensHome("messages");
    await until(() => slack.calls.find(({ method }) => method === "assistant.threads.setSuggestedPrompts"));
  });

  it("forgets a workspace that it was removed from, and nothing when a person's token is revoked", async () => {
    const { inbox, slack } = await open();
    await slack.tell({ type: "tokens_revoked", tokens: { oauth: ["U0ANN"] }, event_ts: "1.1" });
    await slack.tell({ type: "app_uninstalled", event_ts: "1.2" });
    expect(inbox.received).toMatchObject([{ kind: "notice", notice: "removed", place: { tenant: "T0ACME" } }]);
  });
});
