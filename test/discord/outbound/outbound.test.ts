import { describe, expect, test } from "vitest";
import { emptyDocument, type Document } from "../../../src/core/document.ts";
import { readButtonId } from "../../../adapters/discord/outbound/buttons.ts";
import type { FakeMessage } from "../../fakes/discord/discord.ts";
import { open, outcomeOf, saying, signal, thinking, type Opened } from "./open.ts";

const shown = ({ discord, place }: Opened): string[] => discord.messages(place.thread ?? "").map(({ content }) => content);
const writes = ({ discord }: Opened): string[] =>
  discord.commits
    .filter(({ method, route }) => method !== "GET" && !route.endsWith("/typing"))
    .map(({ method, route, status }) => `${method} ${route.replace(/^.*\//, "")} ${status}`);
const idsOf = (message: FakeMessage | undefined): string[] =>
  ((message?.components ?? []) as { components: { custom_id: string }[] }[]).flatMap(({ components }) =>
    components.map(({ custom_id: id }) => id),
  );

describe("posting and editing", () => {
  test("a document is posted, and another shown in its place", async () => {
    const opened = await open();
    const { outbound, place } = opened;
    const posted = await outbound.post(place, saying("first words"), "turn-1/0", signal());
    expect(posted).toEqual({ place, id: expect.stringMatching(/^\d+$/) as string });
    await outbound.edit(posted, saying("all the words"), signal());
    expect(shown(opened)).toEqual(["all the words"]);
  });

  test("every create and edit pings nobody and has no previews, and every create has a nonce that is enforced", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    const posted = await outbound.post(place, saying("@everyone <@1> see https://a.example/?leak=1"), "turn-1/0", signal());
    await outbound.edit(posted, saying("@here <@&2> https://a.example"), signal());
    await outbound.attach(place, [{ name: "a.txt", mediaType: "text/plain", bytes: Buffer.from("a") }], "turn-1/file", signal());
    await outbound.whisper(place, { id: opened.ana.user.id, name: "Ana" }, saying("@everyone"), signal());
    const bodies = discord.commits.filter(({ route, method }) => route.includes("/messages") && method !== "GET");
    expect(bodies).toHaveLength(4);
    for (const { body, pings } of bodies) {
      expect(body).toMatchObject({ flags: 4, allowed_mentions: { parse: [] } });
      expect(pings).toEqual([]);
    }
    for (const { body } of bodies.filter(({ method }) => method === "POST")) {
      expect(body).toMatchObject({ nonce: expect.stringMatching(/^.{1,25}$/) as string, enforce_nonce: true });
    }
  });

  test("buttons say whose they are, and are gone when the document has none", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    const turn = `discord:${"1".repeat(19)}:${"2".repeat(19)}:${"3".repeat(19)}:message`;
    const actions = [
      { action: "stop", label: "Stop", turn },
      { action: "retry", label: "Try again", turn },
    ];
    const posted = await outbound.post(place, { ...thinking, actions }, `${turn}/0`, signal());
    expect(idsOf(discord.message(posted.id)).map(readButtonId)).toEqual([
      { action: "stop", turn },
      { action: "retry", turn },
    ]);
    await outbound.edit(posted, saying("done"), signal());
    expect(idsOf(discord.message(posted.id))).toEqual([]);
    expect(readButtonId("somebody else's")).toBeUndefined();
  });

  test("a button whose turn has too long a key is left out, and the message is posted", async () => {
    const { outbound, place, discord } = await open();
    const turn = "t".repeat(95);
    const posted = await outbound.post(
      place,
      { ...thinking, actions: [{ action: "stop", label: "Stop", turn }] },
      "turn-1/0",
      signal(),
    );
    expect(idsOf(discord.message(posted.id))).toEqual([]);
  });

  test("an empty document is not refused", async () => {
    const opened = await open();
    await opened.outbound.post(opened.place, emptyDocument, "turn-1/0", signal());
    expect(shown(opened)).toEqual(["…"]);
  });
});

describe("once", () => {
  test("an answer that is lost on its way leads to no second message", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    discord.order("POST /channels/:channel/messages", "answer_lost");
    expect(await outcomeOf(outbound.post(place, thinking, "turn-1/0", signal()))).toBe("unknown");
    const found = await outbound.find(place, "turn-1/0", signal());
    expect(found?.id).toBe(discord.messages(place.thread ?? "")[0]?.id);
    expect(await outbound.find(place, "turn-1/1", signal())).toBeUndefined();
    expect(shown(opened)).toHaveLength(1);
  });

  test("a message that waits is found by each process after it, however often it was edited before", async () => {
    const opened = await open();
    const { outbound, place } = opened;
    const waiting = (status: string): Document => ({ ...thinking, state: "waiting", status });
    const posted = await outbound.post(place, waiting("2 messages before yours."), "turn-1/0", signal());
    await outbound.edit(posted, waiting("Next in line."), signal());
    const second = opened.restarted();
    expect(await second.find(place, "turn-1/0", signal())).toEqual(posted);
    await second.edit(posted, waiting("2 messages before yours."), signal());
    await second.edit(posted, waiting("Next in line."), signal());
    expect(await opened.restarted().find(place, "turn-1/0", signal())).toEqual(posted);
  });

  test("a message without buttons is given back by its nonce, and brought up to date", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    discord.order("POST /channels/:channel/messages", "answer_lost");
    expect(await outcomeOf(outbound.post(place, saying("first"), "turn-1/0", signal()))).toBe("unknown");
    const later = opened.restarted();
    expect(await later.find(place, "turn-1/0", signal())).toBeUndefined();
    const posted = await later.post(place, saying("first and last"), "turn-1/0", signal());
    expect(shown(opened)).toEqual(["first and last"]);
    expect(discord.messages(place.thread ?? "")[0]?.id).toBe(posted.id);
  });

  test("a request that is lost, or of which nothing is known, is not repeated by itself", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    discord.order("POST /channels/:channel/messages", "request_lost", { status: 502, body: "<html>bad gateway</html>" });
    expect(await outcomeOf(outbound.post(place, saying("a"), "turn-1/0", signal()))).toBe("unknown");
    expect(await outcomeOf(outbound.post(place, saying("a"), "turn-1/0", signal()))).toBe("unknown");
    expect(shown(opened)).toEqual([]);
    await outbound.post(place, saying("a"), "turn-1/0", signal());
    expect(writes(opened)).toEqual(["POST messages 502", "POST messages 200"]);
  });

  test("a proxy's page with 200 is no acknowledgement, and is not shown", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    const page = { status: 200, body: "<!DOCTYPE html><html><body>s3cret</body></html>" };
    const posted = await outbound.post(place, saying("before"), "turn-1/0", signal());
    discord.order("PATCH /channels/:channel/messages/:message", page);
    const thrown: unknown = await outbound.edit(posted, saying("after"), signal()).catch((reason: unknown) => reason);
    expect(thrown).toMatchObject({ outcome: "unknown", message: expect.not.stringContaining("s3cret") as string });
    await outbound.edit(posted, saying("after"), signal());
    expect(shown(opened)).toEqual(["after"]);
  });

  test("a key is known again in this process, and its removed message can be posted again", async () => {
    const opened = await open();
    const { outbound, place } = opened;
    const posted = await outbound.post(place, saying("once"), "turn-1/0", signal());
    expect(await outbound.post(place, saying("twice"), "turn-1/0", signal())).toEqual(posted);
    await outbound.remove(posted, signal());
    await outbound.remove(posted, signal());
    expect(await outbound.find(place, "turn-1/0", signal())).toBeUndefined();
    expect(await outcomeOf(outbound.edit(posted, saying("late"), signal()))).toBe("gone");
    await outbound.post(place, saying("again"), "turn-1/0", signal());
    expect(shown(opened)).toEqual(["again"]);
  });

  test("Discord's refusal to make a removed message again is answered with another nonce", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    discord.order("POST /channels/:channel/messages", { status: 404, body: { code: 10008, message: "Unknown Message" } });
    await outbound.post(place, saying("again"), "turn-1/0", signal());
    const nonces = discord.commits.filter(({ method }) => method === "POST").map(({ body }) => (body as { nonce: string }).nonce);
    expect(new Set(nonces).size).toBe(2);
    expect(shown(opened)).toEqual(["again"]);
  });

  test("nothing is written once its time is over", async () => {
    const opened = await open();
    const over = AbortSignal.abort(new Error("lease lost"));
    expect(await outcomeOf(opened.outbound.post(opened.place, saying("late"), "turn-1/0", over))).toBe("refused");
    expect(opened.discord.commits).toEqual([]);
  });
});

describe("threads", () => {
  test("a thread that is not there yet is made from its message, and named after it", async () => {
    const opened = await open();
    const { outbound, ana, channel, discord } = opened;
    const asked = ana.says(channel, `${discord.mention} how many **ships** are late?`);
    const place = { ...opened.place, thread: asked.id };
    expect(await outbound.find(place, "turn-1/0", signal())).toBeUndefined();
    await outbound.post(place, saying("Three."), "turn-1/0", signal());
    expect(discord.messages(asked.id).map(({ content }) => content)).toEqual(["Three."]);
    expect(discord.channel(asked.id)?.name).toBe("how many ships are late?");
  });

  test("a thread that was deleted is not made again for what follows", async () => {
    const opened = await open();
    const { outbound, ana, channel, discord } = opened;
    const asked = ana.says(channel, "ships?");
    const place = { ...opened.place, thread: asked.id };
    const posted = await outbound.post(place, saying("Three."), "turn-1/0", signal());
    const thread = discord.channel(asked.id);
    if (thread !== undefined) discord.deleteChannel(thread);
    expect(await outcomeOf(outbound.edit(posted, saying("Four."), signal()))).toBe("gone");
    expect(await outcomeOf(outbound.post(place, saying("more"), "turn-1/1", signal()))).toBe("gone");
    expect(discord.channel(asked.id)).toBeUndefined();
  });
});

describe("what can no longer be written", () => {
  test.each([
    ["the channel is unknown", (opened: Opened) => opened.discord.deleteChannel(opened.channel)],
    ["Parley may not see the channel", (opened: Opened) => void opened.channel.denied.add("view")],
    ["Parley may not write there", (opened: Opened) => void opened.channel.denied.add("send")],
  ])("is said to be gone when %s", async (_, change) => {
    const opened = await open();
    change(opened);
    expect(await outcomeOf(opened.outbound.post(opened.open, saying("lost"), "turn-1/0", signal()))).toBe("gone");
  });

  test("an archived thread takes no edit, and the reason says so", async () => {
    const { outbound, place, discord } = await open();
    const posted = await outbound.post(place, saying("a"), "turn-1/0", signal());
    const thread = discord.channel(place.thread ?? "");
    if (thread !== undefined) thread.archived = true;
    await expect(outbound.edit(posted, saying("b"), signal())).rejects.toMatchObject({
      outcome: "gone",
      message: expect.stringContaining("the thread is archived") as string,
    });
  });

  test("a thread that cannot be opened, or is locked, is said to be gone, with the reason", async () => {
    const { outbound, place, discord, ana, channel } = await open();
    const asked = ana.says(channel, "why?");
    discord.order("POST /channels/:channel/messages/:message/threads", { status: 400, body: { code: 160006, message: "Max" } });
    await expect(outbound.post({ ...place, thread: asked.id }, saying("x"), "turn-1/0", signal())).rejects.toMatchObject({
      outcome: "gone",
      message: expect.stringContaining("as many open threads") as string,
    });
    discord.order("POST /channels/:channel/messages", { status: 400, body: { code: 160005, message: "Locked" } });
    expect(await outcomeOf(outbound.post(place, saying("x"), "turn-2/0", signal()))).toBe("gone");
  });

  test("what is edited too often after an hour may be tried again", async () => {
    const { outbound, place, discord } = await open();
    const posted = await outbound.post(place, saying("a"), "turn-1/0", signal());
    discord.order("PATCH /channels/:channel/messages/:message", { status: 429, body: { code: 30046, message: "Later" } });
    expect(await outcomeOf(outbound.edit(posted, saying("b"), signal()))).not.toBe("gone");
    await outbound.edit(posted, saying("b"), signal());
    expect(discord.messages(place.thread ?? "").at(-1)?.content).toBe("b");
  });

  test("what people wrote is in no error", async () => {
    const { outbound, place, discord } = await open();
    discord.order("POST /channels/:channel/messages", { status: 400, body: { code: 50035, message: "Invalid Form Body" } });
    const thrown: unknown = await outbound.post(place, saying("a secret"), "turn-1/0", signal()).catch((error: unknown) => error);
    const all = (error: unknown): string =>
      error instanceof Error
        ? JSON.stringify(error, Object.getOwnPropertyNames(error)) + error.message + String(error.stack) + all(error.cause)
        : "";
    expect(all(thrown)).toContain("50035");
    expect(all(thrown)).not.toContain("a secret");
  });
});

describe("files", () => {
  const file = (name: string, size: number) => ({ name, mediaType: "text/plain", bytes: new Uint8Array(size) });

  test("are one message, once by its key", async () => {
    const { outbound, place, discord } = await open();
    const files = [file("answer.md", 3), file("../data.csv", 4)];
    const posted = await outbound.attach(place, files, "turn-1/file", signal());
    expect(await outbound.attach(place, files, "turn-1/file", signal())).toEqual(posted);
    expect(await outbound.find(place, "turn-1/file", signal())).toEqual(posted);
    const [message, ...more] = discord.messages(place.thread ?? "");
    expect(more).toEqual([]);
    expect(message?.attachments.map(({ filename, size }) => [filename, size])).toEqual([
      ["answer.md", 3],
      [".._data.csv", 4],
    ]);
  });

  test("beyond ten go on in the next message, and what is too large is named", async () => {
    const { outbound, place, discord } = await open();
    const files = [...Array.from({ length: 12 }, (_, index) => file(`${index}.txt`, 1)), file("film.mov", 10 * 1024 * 1024 + 1)];
    await outbound.attach(place, files, "turn-1/file", signal());
    const messages = discord.messages(place.thread ?? "");
    expect(messages.map(({ attachments }) => attachments.length)).toEqual([10, 2]);
    expect(messages[0]?.content).toBe("film.mov is too large for Discord: 10.0 MB, of at most 10.0 MB.");
  });

  test("are as large as the server's boosts let them be, alone where that is more than a request of several", async () => {
    const { outbound, place, discord } = await open({ fileBytes: 50 * 1024 * 1024, fileLimit: 50 * 1024 * 1024 });
    await outbound.attach(
      place,
      [file("a.txt", 1), file("film.mov", 30 * 1024 * 1024), file("b.txt", 1)],
      "turn-1/file",
      signal(),
    );
    const messages = discord.messages(place.thread ?? "");
    expect(messages.map(({ attachments }) => attachments.map(({ filename }) => filename))).toEqual([
      ["a.txt"],
      ["film.mov"],
      ["b.txt"],
    ]);
  });

  test("that Discord refuses for their size all the same are named, and the others sent", async () => {
    const { outbound, place, discord, warned } = await open({ fileBytes: 50 * 1024 * 1024 });
    await outbound.attach(place, [file("film.mov", 11 * 1024 * 1024), file("a.txt", 1)], "turn-1/file", signal());
    const [message, ...more] = discord.messages(place.thread ?? "");
    expect(more).toEqual([]);
    expect(message?.attachments.map(({ filename }) => filename)).toEqual(["a.txt"]);
    expect(message?.content).toBe("film.mov is too large for Discord: 11.0 MB, of at most 10.0 MB.");
    expect(warned).toEqual(["Discord takes smaller files here than it says"]);
  });

  test("go to a thread that is not there yet", async () => {
    const { outbound, place, ana, channel, discord } = await open();
    const asked = ana.says(channel, "data?");
    await outbound.attach({ ...place, thread: asked.id }, [file("a.txt", 1)], "turn-1/file", signal());
    expect(discord.messages(asked.id)[0]?.attachments).toHaveLength(1);
  });
});

describe("typing", () => {
  const typed = ({ discord }: Opened): number => discord.commits.filter(({ route }) => route.endsWith("/typing")).length;

  test("is shown while there are no words, in the place of the answer", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    const posted = await outbound.post(place, thinking, "turn-1/0", signal());
    await outbound.edit(posted, saying("words", { state: "working" }), signal());
    await expect.poll(() => typed(opened)).toBe(1);
    expect(discord.commits.find(({ route }) => route.endsWith("/typing"))?.path).toBe(`/channels/${place.thread}/typing`);
  });

  test("that cannot be shown stops nothing", async () => {
    const opened = await open();
    opened.discord.order("POST /channels/:channel/typing", { status: 500, body: {} });
    await opened.outbound.post(opened.place, thinking, "turn-1/0", signal());
    await expect.poll(() => typed(opened)).toBe(1);
    expect(shown(opened)).toEqual(["-# Thinking…"]);
  });
});
