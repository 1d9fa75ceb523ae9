import { expect, test } from "vitest";
import { systemClock as clock } from "../../../src/clock.ts";
import type { Place } from "../../../src/core/place.ts";
import { createPacer } from "../../../src/core/relay/pacer.ts";
import { emptyDelivery, openRelay, type Delivery, type Relay } from "../../../src/core/relay/relay.ts";
import { done, reply, silent } from "../../core/relay/set-up.ts";
import { silentRelayMetrics } from "../../fakes/metrics.ts";
import { readMarkdown } from "../../fakes/discord/markdown.ts";
import { open, type Opened } from "./open.ts";

/** A tenth of the time that is observed, so that tests are quick. */
const rates = {
  "POST /channels/:channel/messages": { count: 5, windowMs: 500 },
  "PATCH /channels/:channel/messages/:message": { count: 5, windowMs: 500 },
};
const answer = (seed: number): string =>
  Array.from({ length: 120 }, (_, word) => `reply${seed} **word${word}** and \`code${word}\`.`).join("\n\n");
const solid = (text: string): string => text.replace(/[\s*`]+/g, "");

function relayOf({ outbound }: Opened, place: Place, key: string, delivery: Delivery = emptyDelivery, resumed = false) {
  const pacer = createPacer({ clock, log: silent });
  return openWith(pacer, outbound, place, key, delivery, resumed).relay;
}

function openWith(
  pacer: ReturnType<typeof createPacer>,
  platform: Opened["outbound"],
  place: Place,
  key: string,
  delivery: Delivery,
  resumed: boolean,
): { readonly relay: Relay; readonly journal: Delivery[] } {
  const journal: Delivery[] = [];
  const relay = openRelay({
    platform,
    place,
    key,
    delivery,
    resumed,
    pacer,
    guard: { permit: () => new AbortController().signal, acknowledged: () => {}, lost: () => false },
    journal: (some) => Promise.resolve(void journal.push(some)),
    onStray: () => {},
    clock,
    random: () => 0.1,
    metrics: silentRelayMetrics,
    log: silent,
  });
  return { relay, journal };
}

test.each([
  ["in one channel", (opened: Opened) => opened.open],
  [
    "in a thread each",
    (opened: Opened, index: number): Place => ({
      ...opened.open,
      thread: opened.discord.thread(opened.channel, `thread ${index}`, opened.ana).id,
    }),
  ],
])("many replies at once %s are whole, in order, and no request is one too many", async (_, placeOf) => {
  const opened = await open({ rates });
  const pacer = createPacer({ clock, log: silent });
  const replies = Array.from({ length: 6 }, (_reply, index) => {
    const place = placeOf(opened, index);
    const { relay, journal } = openWith(pacer, opened.outbound, place, `turn-${index}`, emptyDelivery, false);
    return { relay, journal, text: answer(index) };
  });
  for (const { relay } of replies) relay.show(reply("", { status: "Thinking…" }));
  for (let step = 1; step <= 10; step++) {
    for (const { relay, text } of replies) relay.show(reply(text.slice(0, (text.length * step) / 10)));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const { relay, text } of replies) relay.show(done(text));
  for (const { relay } of replies) expect(await relay.settled()).toEqual({ kind: "delivered" });
  expect(opened.discord.commits.filter(({ status }) => status >= 400)).toEqual([]);
  for (const { journal, text } of replies) {
    const shown = (journal.at(-1)?.messages ?? []).map(({ id }) => readMarkdown(opened.discord.message(id)?.content ?? "").text);
    expect(shown.length).toBeGreaterThan(1);
    expect(solid(shown.join(""))).toBe(solid(text));
  }
});

test("a process that ends between a post and its note goes on in the same message", async () => {
  const opened = await open();
  const { discord, place } = opened;
  discord.order("POST /channels/:channel/messages", "answer_lost");
  const before = relayOf(opened, place, "turn-1");
  before.show(reply("First words", { status: null }));
  await expect.poll(() => discord.messages(place.thread ?? "").length).toBe(1);
  await before.close();
  const after = relayOf({ ...opened, outbound: opened.restarted() }, place, "turn-1", emptyDelivery, true);
  after.show(done("First words and the last."));
  expect(await after.settled()).toEqual({ kind: "delivered" });
  expect(discord.messages(place.thread ?? "").map(({ content }) => content)).toEqual(["First words and the last."]);
});

test("a reply that is far too long is attached whole", async () => {
  const opened = await open();
  const { discord, place } = opened;
  const text = "Many words that go on and on. ".repeat(2_000);
  const relay = relayOf(opened, place, "turn-1");
  relay.show(done(text));
  expect(await relay.settled()).toEqual({ kind: "delivered" });
  const messages = discord.messages(place.thread ?? "");
  expect(messages.at(-2)?.content).toMatch(/The whole answer is attached\.$/);
  expect(messages.at(-1)?.attachments).toMatchObject([{ filename: "answer.md", size: text.length }]);
  for (const { content } of messages) expect(content.length).toBeLessThanOrEqual(2_000);
});

test("a message that somebody deletes ends its reply", async () => {
  const opened = await open();
  const { discord, place } = opened;
  const relay = relayOf(opened, place, "turn-1");
  relay.show(reply("First words"));
  await expect.poll(() => discord.messages(place.thread ?? "").length).toBe(1);
  const thread = discord.channel(place.thread ?? "");
  if (thread !== undefined) discord.deleteChannel(thread);
  relay.show(done("First words and the last."));
  expect(await relay.settled()).toMatchObject({ kind: "gone", reason: expect.stringContaining("no longer exists") as string });
});
