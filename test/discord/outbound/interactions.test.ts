import { describe, expect, test } from "vitest";
import { emptyDocument } from "../../../src/core/document.ts";
import { WriteFault } from "../../../src/errors.ts";
import type { FakeInteraction } from "../../fakes/discord/discord.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { deferred, open, outcomeOf, saying, signal, thinking, type Opened } from "./open.ts";

const minute = 60_000;
const routesOf = ({ discord }: Opened): string[] =>
  discord.commits
    .filter(({ method, route }) => method !== "GET" && !/\/(callback|typing|commands)$/.test(route))
    .map(({ method, route }) => `${method} ${route.split("/")[1]}`);
const texts = ({ discord, channel }: Opened): string[] => discord.messages(channel).map(({ content }) => content);
/** Ana runs a command. */
async function runs({ rest, discord, ana, channel }: Opened): Promise<FakeInteraction> {
  const question = { type: 3, name: "question", description: "Your question", required: true };
  const body = [{ type: 1, name: "ask", description: "Ask", options: [question] }];
  await rest.call({ method: "PUT", route: `/applications/${discord.bot.id}/commands`, body }, signal());
  return ana.runs(channel, "ask", { question: "why?" });
}

describe("the reply to an interaction", () => {
  test("fills the message that was deferred, goes on with the token while it is good, and by an ordinary edit after it", async () => {
    const clock = fakeClock();
    const opened = await open({ clock });
    const { outbound, open: place } = opened;
    const { key } = await deferred(opened, await runs(opened));
    const posted = await outbound.post(place, saying("first"), `${key}/0`, signal());
    await outbound.edit(posted, saying("more", { state: "working" }), signal());
    await clock.advance(15 * minute);
    await outbound.edit(posted, saying("the end"), signal());
    expect(texts(opened)).toEqual(["the end"]);
    expect(routesOf(opened)).toEqual(["PATCH webhooks", "PATCH webhooks", "PATCH channels"]);
  });

  test("goes on after a restart", async () => {
    const opened = await open();
    const { outbound, open: place } = opened;
    const { key } = await deferred(opened, await runs(opened));
    const posted = await outbound.post(place, saying("first"), `${key}/0`, signal());
    const later = opened.restarted();
    expect(await later.find(place, `${key}/0`, signal())).toEqual(posted);
    await later.edit(posted, saying("second"), signal());
    expect(texts(opened)).toEqual(["second"]);
    expect(routesOf(opened)).toEqual(["PATCH webhooks", "PATCH webhooks"]);
  });

  test("waits for the acknowledgement, without which there is no token", async () => {
    const opened = await open();
    const { outbound, tokens, rest, discord, open: place } = opened;
    const interaction = await runs(opened);
    await tokens.opened({
      id: interaction.id,
      applicationId: discord.bot.id,
      token: interaction.token,
      key: "discord:1",
      place,
      person: interaction.user.id,
      expiresAt: interaction.at + 15 * minute,
      deferred: "everybody",
      tokenOnly: false,
      fileBytes: null,
    });
    const posting = outbound.post(place, saying("first"), "discord:1/0", signal());
    const route = `/interactions/${interaction.id}/${interaction.token}/callback` as const;
    await rest.call({ method: "POST", route, body: { type: 5 }, auth: false }, signal());
    tokens.acknowledged(interaction.id, true);
    await posting;
    expect(routesOf(opened)).toEqual(["PATCH webhooks"]);
  });

  test("is there for more people in a second than the bot may send other requests", async () => {
    const opened = await open();
    const { outbound, ana, channel, open: place } = opened;
    await runs(opened);
    const interactions = Array.from({ length: 80 }, () => ana.runs(channel, "ask", { question: "why?" }));
    const noted = await Promise.all(interactions.map((interaction) => deferred(opened, interaction)));
    await Promise.all(noted.map(({ key }, index) => outbound.post(place, saying(`answer ${index}`), `${key}/0`, signal())));
    expect(texts(opened).toSorted()).toEqual(noted.map((_, index) => `answer ${index}`).toSorted());
  });

  test("is an ordinary message where the acknowledgement failed", async () => {
    const opened = await open();
    const { outbound, tokens, open: place } = opened;
    const interaction = await runs(opened);
    const noted = {
      id: interaction.id,
      applicationId: opened.discord.bot.id,
      token: interaction.token,
      key: "discord:1",
      place,
      person: interaction.user.id,
      expiresAt: interaction.at + 15 * minute,
      deferred: "everybody",
      tokenOnly: false,
      fileBytes: null,
    } as const;
    await tokens.opened(noted);
    tokens.acknowledged(interaction.id, false);
    await outbound.post(place, saying("first"), "discord:1/0", signal());
    expect(texts(opened)).toEqual(["first"]);
    expect(routesOf(opened)).toEqual(["POST channels"]);
  });

  test("the messages of a conversation that it begins are ordinary ones", async () => {
    const opened = await open();
    const { outbound, open: place } = opened;
    const { key } = await deferred(opened, await runs(opened));
    const parent = await outbound.post(place, saying("Ana asks: why?"), `${key}/0`, signal());
    await outbound.post({ ...place, thread: parent.id }, saying("Because."), `${key}/ask/0`, signal());
    expect(opened.discord.messages(parent.id).map(({ content }) => content)).toEqual(["Because."]);
    expect(routesOf(opened)).toEqual(["PATCH webhooks", "POST channels", "POST channels", "POST channels"]);
  });

  test("where Parley is no member everything goes by the token, and says at minute 14 that it ends", async () => {
    const clock = fakeClock();
    const opened = await open({ clock });
    const { outbound, channel, open: place } = opened;
    channel.denied.add("view");
    const { key } = await deferred(opened, await runs(opened), { tokenOnly: true });
    const posted = await outbound.post(place, thinking, `${key}/0`, signal());
    await outbound.post(place, saying("page two", { state: "working" }), `${key}/1`, signal());
    await outbound.attach(place, [{ name: "a.txt", mediaType: "text/plain", bytes: new Uint8Array(1) }], `${key}/file`, signal());
    await outbound.edit(posted, saying("page one"), signal());
    await clock.advance(13 * minute);
    expect(texts(opened).slice(0, 2)).toEqual(["page one", "page two"]);
    await clock.advance(minute);
    await expect.poll(() => texts(opened)[1]).toContain("page two\n⚠️ Discord ends a reply like this one after 15 minutes");
    expect(texts(opened)[0]).toBe("page one");
    expect(await outcomeOf(outbound.edit(posted, saying("late"), signal()))).toBe("gone");
    expect(new Set(routesOf(opened))).toEqual(new Set(["PATCH webhooks", "POST webhooks"]));
    expect(clock.pending).toBeLessThanOrEqual(1);
  });
});

describe("a whisper", () => {
  const whispers = (opened: Opened): string[] => opened.discord.whispers(opened.ana).map(({ content }) => content);
  const person = ({ ana }: Opened) => ({ id: ana.user.id, name: "Ana" });

  test("fills the message that was deferred for the asker, and goes on in further ones", async () => {
    const opened = await open();
    const { outbound, open: place } = opened;
    await deferred(opened, await runs(opened), { deferred: "asker" });
    await outbound.whisper(place, person(opened), saying("for you"), signal());
    await outbound.whisper(place, person(opened), saying("and this"), signal());
    expect(whispers(opened)).toEqual(["for you", "and this"]);
    expect(texts(opened)).toEqual([]);
  });

  test("takes away what everybody saw waiting", async () => {
    const opened = await open();
    const { outbound, open: place } = opened;
    await deferred(opened, await runs(opened));
    await outbound.whisper(place, person(opened), { ...emptyDocument, state: "failed", notice: "not allowed" }, signal());
    expect(whispers(opened)).toEqual(["⚠️ not allowed"]);
    expect(texts(opened)).toEqual([]);
  });

  test("without an interaction goes to the person directly, and says what it is about", async () => {
    const opened = await open();
    const { outbound, place, discord, ana } = opened;
    await outbound.whisper(place, person(opened), saying("for you alone"), signal());
    expect(discord.messages(discord.direct(ana)).map(({ content }) => content)).toEqual([
      `-# About <#${place.thread}>\nfor you alone`,
    ]);
    expect(discord.messages(place.thread ?? "")).toEqual([]);
    const direct = { ...place, channel: discord.direct(ana).id, thread: null };
    await outbound.whisper(direct, person(opened), saying("here already"), signal());
    expect(discord.messages(discord.direct(ana)).at(-1)?.content).toBe("here already");
  });

  test("is left out where there is no way to keep it private", async () => {
    const opened = await open();
    const { outbound, place, discord } = opened;
    discord.order("POST /users/@me/channels", {
      status: 403,
      body: { code: 50007, message: "Cannot send messages to this user" },
    });
    await outbound.whisper(place, person(opened), saying("for you alone"), signal());
    expect(opened.warned).toHaveLength(1);
    expect(discord.messages(place.thread ?? "")).toEqual([]);
  });
});

describe("a token", () => {
  test("is in no error, however Discord fails", async () => {
    const opened = await open();
    const { outbound, discord, open: place } = opened;
    const { key, token } = await deferred(opened, await runs(opened));
    const route = "PATCH /webhooks/:webhook/:token/messages/:message";
    discord.order(
      route,
      { status: 400, body: { code: 50035, message: "Invalid Form Body" } },
      { status: 500, body: {} },
      "request_lost",
    );
    for (let failure = 0; failure < 3; failure++) {
      const thrown: unknown = await outbound.post(place, saying("a"), `${key}/0`, signal()).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(WriteFault);
      for (let at = thrown; at instanceof Error; at = at.cause) {
        expect(JSON.stringify(at, Object.getOwnPropertyNames(at))).not.toContain(token);
      }
    }
    await outbound.post(place, saying("a"), `${key}/0`, signal());
    expect(texts(opened)).toEqual(["a"]);
  });
});
