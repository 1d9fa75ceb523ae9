/** Replies that become several messages, or a file. */
import { describe, expect, it } from "vitest";
import type { Footnote } from "../../../src/core/document.ts";
import { openRelay } from "../../../src/core/relay/relay.ts";
import { WriteFault } from "../../../src/errors.ts";
import { done, reply, setUp, shownText } from "./set-up.ts";

const sentence = "The lighthouse keeper writes down every ship that passes in the night. ";
const limits = { characters: 600, messagesPerReply: 5 };

describe("a long reply", () => {
  it("goes on in further messages, and early ones are left alone", async () => {
    const { clock, platform, relay, journal } = setUp({}, { limits });
    for (let sentences = 1; sentences <= 24; sentences++) {
      relay.show(reply(sentence.repeat(sentences), { status: "Writing…" }));
      await clock.advance(300);
    }
    relay.show(done(sentence.repeat(24), { footer: "model" }));
    await clock.advance(1_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(shownText(platform).join("")).toBe(sentence.repeat(24).trimEnd());
    expect(platform.messages.length).toBeGreaterThan(2);
    expect(platform.messages.map(({ document }) => document.footer)).toEqual([
      ...Array(platform.messages.length - 1).fill(null),
      "model",
    ]);
    expect(platform.messages.map(({ document }) => document.status)).toEqual(Array(platform.messages.length).fill(null));
    expect(journal.at(-1)?.messages).toHaveLength(platform.messages.length);
    // Once a message has been followed by the next, nothing writes to it again.
    const lastOf = (id: string): number => platform.log.findLastIndex((write) => write.id === id);
    const posts = platform.log.flatMap(({ method }, index) => (method === "post" ? [index] : []));
    posts.slice(1).forEach((post, index) => expect(lastOf(`m${index + 1}`)).toBeLessThan(post + 1));
  });

  it("has its messages posted under names of their own, none twice", async () => {
    const { clock, platform, relay } = setUp({}, { limits });
    platform.order("post", "answer_lost", "request_lost", "answer_lost");
    relay.show(done(sentence.repeat(24)));
    await clock.advance(20_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(platform.messages.map(({ key }) => key)).toEqual(platform.messages.map((_, index) => `turn/${index}`));
    expect(shownText(platform).join("")).toBe(sentence.repeat(24).trimEnd());
  });

  it("takes messages away again that it no longer needs", async () => {
    const { clock, platform, relay, journal } = setUp({}, { limits });
    relay.show(reply(sentence.repeat(20)));
    await clock.advance(1_500);
    expect(platform.messages.length).toBeGreaterThan(2);
    relay.show(done("Short after all."));
    await clock.advance(1_500);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(shownText(platform)).toEqual(["Short after all."]);
    expect(journal.at(-1)?.messages).toHaveLength(1);
  });

  it("uses no name of a removed message again", async () => {
    const { clock, platform, relay } = setUp({}, { limits });
    for (const sentences of [20, 1, 20, 1, 20]) {
      relay.show(reply(sentence.repeat(sentences)));
      await clock.advance(3_000);
    }
    const keys = platform.log.flatMap(({ method, key }) => (method === "post" ? [key] : []));
    expect(keys.length).toBeGreaterThan(5);
    expect(new Set(keys).size).toBe(keys.length);
    void relay.close();
  });

  it("goes on after a restart between two of its messages", async () => {
    const { clock, platform, relay, options, journal } = setUp({}, { limits });
    relay.show(reply(sentence.repeat(6)));
    await clock.advance(500);
    platform.order("post", "answer_lost");
    relay.show(reply(sentence.repeat(12)));
    await clock.advance(250);
    void relay.close();
    const successor = openRelay({ ...options, delivery: journal.at(-1) ?? options.delivery, resumed: true });
    successor.show(done(sentence.repeat(12)));
    await clock.advance(5_000);
    expect(await successor.settled()).toEqual({ kind: "delivered" });
    expect(shownText(platform).join("")).toBe(sentence.repeat(12).trimEnd());
  });

  it("is attached whole when it is far too long", async () => {
    const text = sentence.repeat(200);
    const { clock, platform, relay, journal } = setUp({}, { limits });
    relay.show(reply(text));
    await clock.advance(3_000);
    expect(platform.messages.every(({ files }) => files.length === 0)).toBe(true);
    platform.order("attach", new WriteFault("refused", "later"), "answer_lost");
    relay.show(done(text));
    await clock.advance(10_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    const files = platform.messages.flatMap((message) => message.files);
    expect(files.map(({ name }) => name)).toEqual(["answer.md"]);
    expect(new TextDecoder().decode(files[0]?.bytes)).toBe(text);
    expect(shownText(platform)[limits.messagesPerReply - 1]).toMatch(/The whole answer is attached\.$/);
    expect(journal.at(-1)?.attached).toEqual(platform.messages.at(-1)?.posted);
  });

  it("is attached in parts where one file cannot hold it, and no character is cut", async () => {
    const text = "Ä😀".repeat(3_000);
    const { clock, platform, relay } = setUp({}, { limits: { ...limits, fileBytes: 1_000 } });
    relay.show(done(text));
    await clock.advance(10_000);
    const parts = platform.messages
      .flatMap(({ files }) => files)
      .map(({ bytes }) => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    expect(parts.join("")).toBe(text);
  });

  it("has room for its sources in further messages, and keeps its footer and buttons last", async () => {
    const footnotes = Array.from({ length: 30 }, (_, index): Footnote => ({
      index: index + 1,
      title: `Source ${index + 1}`,
      url: `https://example.com/${index + 1}`,
      detail: "page 3",
    }));
    const { clock, platform, relay } = setUp({}, { limits });
    relay.show(reply(sentence.repeat(3), { footnotes }));
    await clock.advance(500);
    expect(platform.messages).toHaveLength(1);
    const retry = { action: "retry", label: "Try again", turn: "turn" };
    relay.show(done(sentence.repeat(3), { footnotes, footer: "model · 3 s", actions: [retry] }));
    await clock.advance(5_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(platform.messages.flatMap(({ document }) => document.footnotes)).toEqual(footnotes);
    expect(platform.messages.at(-1)?.document).toMatchObject({ footer: "model · 3 s", actions: [retry] });
  });

  it("shortens a notice and a source that no message holds", async () => {
    const { clock, platform, relay } = setUp({}, { limits });
    const endless = {
      index: 1,
      title: "t".repeat(2_000),
      url: `https://example.com/${"u".repeat(2_000)}`,
      detail: "d".repeat(2_000),
    };
    relay.show(done("Text", { state: "failed", notice: "n".repeat(2_000), footnotes: [endless] }));
    await clock.advance(5_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    const documents = platform.messages.map(({ document }) => document);
    expect(documents.map(({ notice }) => notice ?? "").join("")).toMatch(/^n{400,}…$/);
    expect(documents.flatMap(({ footnotes }) => footnotes).map(({ title, url }) => [title.slice(-1), url])).toEqual([
      ["…", null],
    ]);
  });
});
