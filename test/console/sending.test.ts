import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyDocument, paragraph } from "../../src/core/document.ts";
import { call, openHost, pageId, recordingInbox, say, type Host } from "./host.ts";

const signal = new AbortController().signal;
const place = (channel: string, thread: string | null) => ({ platform: "console", tenant: "local", channel, thread });
const answer = (text: string) => ({ ...emptyDocument, blocks: [paragraph(text)] });

describe("what a person does in the console", () => {
  let host: Host;
  beforeEach(async () => void (host = await openHost()));
  afterEach(() => host.close());

  const saidIn = async (channel = "general"): Promise<string[]> => {
    const { body } = await call(host, "GET", `/channels/${channel}/messages`);
    return (body.messages as { text: string | null }[]).map((message) => message.text ?? "");
  };

  it("begins a thread at a mention in a channel", async () => {
    const { body } = await say(host, "@parley what is new?");
    const { id } = body.message as { id: string };
    expect(host.inbox.received).toEqual([
      {
        kind: "message",
        key: `console:local:general:${id}:message`,
        place: place("general", id),
        author: { id: "you", name: "You" },
        at: expect.any(Number),
        message: id,
        runs: [{ typed: "what is new?" }],
        files: [],
      },
    ]);
  });

  it("takes every message of a thread with Parley as a follow-up, and of a direct message as a question", async () => {
    const root = (await say(host, "@parley first")).body.message.id as string;
    await say(host, "and then?", { thread: root });
    await say(host, "hello", { channel: "Direct" });
    expect(host.inbox.received.map((one) => one.place)).toEqual([
      place("general", root),
      place("general", root),
      place("Direct", null),
    ]);
  });

  it("takes part in the thread of what Parley posted itself", async () => {
    const posted = await host.console.platform.post(place("general", null), answer("Anna asks: why?"), "ask-1", signal);
    await say(host, "good question", { thread: posted.id });
    expect(host.inbox.received).toMatchObject([{ place: place("general", posted.id), runs: [{ typed: "good question" }] }]);
  });

  it("sends earlier messages along with a mention in a thread of people, the newest within bounds", async () => {
    const root = (await say(host, "the build is red")).body.message.id as string;
    await say(host, "x".repeat(19_995), { thread: root });
    await say(host, "since noon", { thread: root });
    expect(host.inbox.received).toEqual([]);
    await say(host, "@parley why?", { thread: root });
    expect(host.inbox.received).toMatchObject([
      {
        place: place("general", root),
        runs: [{ typed: "why?" }],
        context: [{ author: "You", text: "since noon", at: expect.any(Number) }],
      },
    ]);
    await say(host, "go on", { thread: root });
    expect(host.inbox.received[1]).not.toHaveProperty("context");
  });

  it("sends commands from the channel, from a thread and behind a mention, known or not", async () => {
    const root = (await say(host, "people talk")).body.message.id as string;
    await say(host, "/style brief");
    await say(host, "@parley /nonsense", { thread: root });
    await say(host, "/help", { channel: "Direct" });
    expect(host.inbox.received).toMatchObject([
      { kind: "command", name: "style", text: "brief", options: {}, place: place("general", null) },
      { kind: "command", name: "nonsense", text: "", place: place("general", root) },
      { kind: "command", name: "help", place: place("Direct", null) },
    ]);
  });

  it("keeps the thread of a channel's command for people", async () => {
    const root = (await say(host, "/style brief")).body.message.id as string;
    await say(host, "nice", { thread: root });
    expect(host.inbox.received).toHaveLength(1);
  });

  it("takes the same id as the same message, also when both come at once", async () => {
    const id = pageId();
    const all = await Promise.all([1, 2, 3].map(() => say(host, "@parley once", { id })));
    expect(all.map((one) => one.status)).toEqual([200, 200, 200]);
    expect((await say(host, "@parley once", { id })).status).toBe(200);
    expect(host.inbox.received).toHaveLength(1);
    expect(await saidIn()).toEqual(["@parley once"]);
  });

  it("keeps nothing of what the inbox refused, says why, and takes it when it is sent again", async () => {
    host.inbox.failure = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const id = pageId();
    const refusal = await say(host, "@parley keep this", { id });
    expect(refusal.status).toBe(503);
    expect(refusal.body.error).toContain("the disk is full");
    expect(await saidIn()).toEqual([]);
    host.inbox.failure = null;
    expect((await say(host, "@parley keep this", { id })).status).toBe(200);
    expect(host.inbox.received).toHaveLength(1);
  });

  it("stores nothing of a message or an edit with a workspace key in it, to whomever it is", async () => {
    const key = `PARLEY-API-${"k".repeat(64)}`;
    for (const text of [`@parley my key is ${key}`, `just ${key}`, `/ask ${key}`]) {
      const refusal = await say(host, text);
      expect(refusal).toMatchObject({ status: 400, body: { error: expect.stringContaining("/link") as string } });
    }
    const id = pageId();
    await say(host, "harmless", { id });
    const edited = await call(host, "PATCH", `/messages/${id}`, { edit: pageId(), text: `now with ${key}` });
    expect(edited.status).toBe(400);
    expect(host.inbox.received).toEqual([]);
    expect(JSON.stringify(await host.db.selectFrom("console_messages").selectAll().execute())).not.toContain(key);
  });

  it("gives a refused message's files back, to be sent again", async () => {
    const response = await fetch(`${host.url}/console/api/files?name=a.txt`, { method: "POST", body: "a" });
    const { file } = (await response.json()) as { file: { id: string } };
    host.inbox.failure = new Error("locked");
    expect((await say(host, "@parley read", { files: [file.id] })).status).toBe(503);
    host.inbox.failure = null;
    expect((await say(host, "@parley read", { files: [file.id] })).status).toBe(200);
    expect(host.inbox.received).toMatchObject([{ files: [{ id: file.id, name: "a.txt", bytes: 1 }] }]);
    const stolen = await say(host, "@parley again", { files: [file.id] });
    expect(stolen).toMatchObject({ status: 400, body: { error: expect.stringContaining("no longer here") } });
  });

  it("offers again what a crash left between the two, and shows it then", async () => {
    const id = pageId();
    await host.db
      .insertInto("console_messages")
      .values({
        id,
        channel: "general",
        author: "you",
        author_name: "You",
        kind: "text",
        text: "@parley crashed",
        addressed: 1,
        pending: 1,
        removed: 0,
        rev: 1,
        at: 1,
      })
      .execute();
    expect(await saidIn()).toEqual([]);
    host = await host.restart();
    expect(host.inbox.received).toMatchObject([{ key: `console:local:general:${id}:message`, place: place("general", id) }]);
    expect(await saidIn()).toEqual(["@parley crashed"]);
  });

  it("shows everything again after a restart", async () => {
    const root = (await say(host, "@parley remember")).body.message.id as string;
    await host.console.platform.post(place("general", root), answer("I do"), "turn/0", signal);
    host = await host.restart(recordingInbox());
    const { body } = await call(host, "GET", `/threads/${root}`);
    expect(body.messages).toMatchObject([
      { text: "@parley remember", replies: { count: 1 } },
      { author: { id: "parley" }, document: { blocks: [paragraph("I do")] } },
    ]);
    expect(host.inbox.received).toEqual([]);
  });

  it("refuses while it is not started", async () => {
    await host.console.platform.stop();
    const refusal = await say(host, "@parley hello?");
    expect(refusal).toMatchObject({ status: 503, body: { error: expect.stringContaining("starting or stopping") } });
    expect(await saidIn()).toEqual([]);
  });

  it("tells of an edit and of a deletion what the inbox knows, and leaves other messages to people", async () => {
    const id = (await say(host, "@parley teh question")).body.message.id as string;
    const edit = pageId();
    expect((await call(host, "PATCH", `/messages/${id}`, { edit, text: "@parley the question" })).body.message).toMatchObject({
      text: "@parley the question",
      editedAt: expect.any(Number),
    });
    expect((await call(host, "DELETE", `/messages/${id}`)).status).toBe(200);
    const target = `console:local:general:${id}:message`;
    expect(host.inbox.received.slice(1)).toMatchObject([
      {
        kind: "edit",
        key: `console:local:general:${id}:edit:${edit}`,
        target,
        runs: [{ typed: "the question" }],
        place: place("general", id),
      },
      { kind: "delete", key: `console:local:general:${id}:delete`, target },
    ]);
    const plain = (await say(host, "just us")).body.message.id as string;
    await call(host, "PATCH", `/messages/${plain}`, { edit: pageId(), text: "just the two of us" });
    expect(host.inbox.received).toHaveLength(3);
    expect(await saidIn()).toEqual(["just the two of us"]);
  });

  it("does not change what the inbox could not be told", async () => {
    const id = (await say(host, "@parley first")).body.message.id as string;
    host.inbox.failure = new Error("locked");
    expect((await call(host, "PATCH", `/messages/${id}`, { edit: pageId(), text: "second" })).status).toBe(503);
    expect((await call(host, "DELETE", `/messages/${id}`)).status).toBe(503);
    expect(await saidIn()).toEqual(["@parley first"]);
  });

  it("keeps a deleted message's place while its thread has messages, and nothing of what it said", async () => {
    const root = (await say(host, "delete me")).body.message.id as string;
    await say(host, "answer", { thread: root });
    await call(host, "DELETE", `/messages/${root}`);
    const { body } = await call(host, "GET", "/channels/general/messages");
    expect(body.messages).toMatchObject([{ removed: true, text: null, document: null, replies: { count: 1 } }]);
    expect((await say(host, "again", { id: root })).body.message.removed).toBe(true);
  });

  it("lets nobody change Parley's messages", async () => {
    const posted = await host.console.platform.post(place("general", null), answer("mine"), "k", signal);
    expect((await call(host, "DELETE", `/messages/${posted.id}`)).status).toBe(409);
    expect((await call(host, "PATCH", `/messages/${posted.id}`, { edit: pageId(), text: "no" })).status).toBe(409);
  });

  it("sends a press of a button that is there, once", async () => {
    const document = { ...emptyDocument, actions: [{ action: "stop", label: "Stop", turn: "t1" }] };
    const posted = await host.console.platform.post(place("Direct", null), document, "k", signal);
    const id = pageId();
    for (const status of [202, 202]) {
      expect((await call(host, "POST", "/actions", { id, message: posted.id, action: "stop" })).status).toBe(status);
    }
    expect(host.inbox.received).toMatchObject([{ kind: "action", action: "stop", turn: "t1", place: place("Direct", null) }]);
    await host.console.platform.edit(posted, emptyDocument, signal);
    const late = await call(host, "POST", "/actions", { id: pageId(), message: posted.id, action: "stop" });
    expect(late).toMatchObject({ status: 409, body: { error: "This button is no longer there." } });
  });

  it("takes a press of what only the person sees, the one of several that was meant", async () => {
    const actions = [
      { action: "admin_drop", label: "Drop 1", turn: "t1" },
      { action: "admin_drop", label: "Drop 2", turn: "t2" },
    ];
    const person = { id: "you", name: "You" };
    await host.console.platform.whisper(place("Direct", null), person, { ...emptyDocument, actions }, signal);
    const { body } = await call(host, "GET", "/state");
    const [{ id: message }] = body.whispers as [{ id: string }];
    const press = { message, action: "admin_drop" };
    expect((await call(host, "POST", "/actions", { ...press, id: pageId(), turn: "t2" })).status).toBe(202);
    expect(host.inbox.received).toMatchObject([
      { kind: "action", action: "admin_drop", turn: "t2", place: place("Direct", null), direct: true },
    ]);
    expect((await call(host, "POST", "/actions", { ...press, id: pageId(), turn: "t3" })).status).toBe(409);
    await call(host, "DELETE", `/whispers/${message}`);
    expect((await call(host, "POST", "/actions", { ...press, id: pageId(), turn: "t2" })).status).toBe(409);
  });

  it("names what is wrong with a request, and stores nothing", async () => {
    const good = { id: pageId(), channel: "general", thread: null, text: "hi", files: [] };
    const cases: [unknown, number, string][] = [
      [{ ...good, id: "../x" }, 400, "id"],
      [{ ...good, thread: 7 }, 400, "thread"],
      [{ ...good, files: "all" }, 400, "files"],
      [{ ...good, text: "  " }, 400, "nothing to send"],
      [{ ...good, text: "x".repeat(100_001) }, 413, "100,001 characters"],
      [{ ...good, text: "x".repeat(1_100_000) }, 413, "Attach it as a file"],
      [{ ...good, channel: "nowhere" }, 404, "no such channel"],
      [{ ...good, thread: "nothing" }, 404, "no such thread"],
      [[], 400, "JSON object"],
    ];
    for (const [body, status, error] of cases) {
      const refusal = await call(host, "POST", "/messages", body);
      expect(refusal).toMatchObject({ status, body: { error: expect.stringContaining(error) } });
    }
    const malformed = await fetch(`${host.url}/console/api/messages`, { method: "POST", body: "{" });
    expect(malformed.status).toBe(400);
    expect(await saidIn()).toEqual([]);
  });

  it("makes channels, once each, and keeps the person's name for what is said next", async () => {
    expect((await call(host, "POST", "/channels", { name: "über-uns" })).status).toBe(201);
    expect((await call(host, "POST", "/channels", { name: "über-uns" })).status).toBe(409);
    for (const name of ["", "Direct", "a b", "../etc", "x".repeat(65)]) {
      expect((await call(host, "POST", "/channels", { name })).status).toBe(400);
    }
    expect((await call(host, "PUT", "/person", { name: " Anna\u0000  Berg " })).body.person.name).toBe("Anna Berg");
    expect((await say(host, "hello", { channel: "über-uns" })).body.message.author.name).toBe("Anna Berg");
    host = await host.restart();
    const { body } = await call(host, "GET", "/state");
    expect(body.person.name).toBe("Anna Berg");
    expect((body.channels as { name: string }[]).map((one) => one.name)).toContain("über-uns");
  });

  it("pages through a long channel without losing or repeating a message", async () => {
    for (let count = 0; count < 120; count++)
      await host.console.platform.post(place("random", null), answer(String(count)), `k${String(count)}`, signal);
    const seen: number[] = [];
    let before = "";
    for (;;) {
      const { body } = await call(host, "GET", `/channels/random/messages${before}`);
      const messages = body.messages as { seq: number }[];
      seen.unshift(...messages.map((message) => message.seq));
      if (!body.more) break;
      before = `?before=${String(messages[0]?.seq)}`;
    }
    expect(seen).toHaveLength(120);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
  });

  it("asks the directory for suggestions", async () => {
    const { body } = await call(host, "GET", "/suggestions?source=agents&q=leg&channel=general");
    expect(body.suggestions).toEqual([{ value: "@legal", label: "@legal", detail: "Legal advisor" }]);
    expect((await call(host, "GET", "/suggestions?source=secrets&q=")).status).toBe(400);
  });
});
