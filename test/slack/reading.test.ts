/** What people write in Slack, read: styles, lists, quotes, code; and whatever else may stand in a message. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMessageReading } from "../../adapters/slack/inbound/messages.ts";
import { readMessage } from "../../adapters/slack/inbound/mrkdwn.ts";
import { createParticipation } from "../../adapters/slack/inbound/participation.ts";
import { isWellFormed } from "../../adapters/slack/transport/shape.ts";
import type { Run } from "../../src/core/inbound.ts";
import { memoryMap } from "./adapter.ts";

const self = "U0PARLEY";
const rich = (...elements: object[]) => readMessage({ blocks: [{ type: "rich_text", elements }] }, self);
const section = (...elements: object[]) => ({ type: "rich_text_section", elements });
const text = (value: string, style?: object) => ({ type: "text", text: value, ...(style === undefined ? {} : { style }) });
const wordsOf = (runs: readonly Run[]): string =>
  runs.map((run) => ("typed" in run ? run.typed : "name" in run ? run.name : run.quoted)).join("");

describe("rich text", () => {
  it("keeps styles as Markdown, around the words and not their blanks", () => {
    const read = rich(
      section(
        text("make it "),
        text("bold ", { bold: true }),
        text("code", { code: true }),
        text(" "),
        text("gone", { strike: true, italic: true }),
      ),
    );
    expect(read.runs).toEqual([{ typed: "make it **bold** `code` _~~gone~~_" }]);
  });

  it("keeps lists, with their order and depth", () => {
    const list = (style: string, indent: number, ...items: string[]) => ({
      type: "rich_text_list",
      style,
      indent,
      elements: items.map((item) => section(text(item))),
    });
    expect(rich(section(text("do:")), list("ordered", 0, "one", "two"), list("bullet", 1, "deep")).runs).toEqual([
      { typed: "do:\n1. one\n2. two\n  - deep" },
    ]);
  });

  it("sets quotes and code apart, so that they address no agent", () => {
    const read = rich(
      section({ type: "user", user_id: self }, text(" look:")),
      { type: "rich_text_quote", elements: [text("@research\nsaid")] },
      { type: "rich_text_preformatted", elements: [text("@research")] },
    );
    expect(read).toEqual({
      mentioned: true,
      runs: [{ typed: "look:\n" }, { quoted: "> @research\n> said" }, { typed: "\n" }, { quoted: "```\n@research\n```" }],
    });
  });

  it("does not take a mention in a quote for a mention", () => {
    const quote = { type: "rich_text_quote", elements: [{ type: "user", user_id: self }, text(" did it")] };
    expect(rich(quote)).toMatchObject({ mentioned: false });
  });

  it("names dates, emoji, channels, groups and everybody", () => {
    const read = rich(
      section(
        { type: "emoji", name: "tada", unicode: "1f389" },
        text(" "),
        { type: "date", timestamp: 0, fallback: "1 Jan 1970" },
        text(" "),
        { type: "channel", channel_id: "C1" },
        { type: "usergroup", usergroup_id: "S1" },
        { type: "broadcast", range: "here" },
      ),
    );
    expect(read.runs).toEqual([{ typed: "🎉 1 Jan 1970 " }, { name: "<#C1>" }, { name: "<!S1>" }, { name: "@here" }]);
  });
});

describe("text without blocks", () => {
  it("reads Slack's escapes", () => {
    expect(
      readMessage({ text: `<@${self}> a &lt;b&gt; &amp;amp; <https://x.example|<y>> <!date^0^{date}|then> <#C1|general>` }, self)
        .mentioned,
    ).toBe(true);
    expect(
      readMessage({ text: `<@${self}>, a &lt;b&gt; &amp;amp; <!date^0^{date}|then> <#C1|general> <!here>` }, self).runs,
    ).toEqual([{ typed: "a <b> &amp; then " }, { name: "#general" }, { typed: " " }, { name: "@here" }]);
  });

  it("does not take a mention in a quoted line for a mention", () => {
    expect(readMessage({ text: `&gt; <@${self}> did it\nwho?` }, self).mentioned).toBe(false);
  });
});

it("any text comes back as it was typed, by blocks and by escapes", () => {
  const escaped = (value: string): string => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (value) => {
      expect(wordsOf(rich(section(text(value))).runs)).toBe(value.trim());
      expect(wordsOf(readMessage({ text: escaped(value) }, self).runs)).toBe(value.trim());
    }),
    { numRuns: 500 },
  );
});

it("no payload, however misshapen, is more than ignored", async () => {
  const read = createMessageReading({
    self: { team: "T0ACME", user: self, bot: "B0PARLEY", app: "A0PARLEY" },
    participation: createParticipation(memoryMap<true>()),
    followUps: () => Promise.resolve("thread"),
  });
  const event = fc.record(
    {
      channel: fc.oneof(fc.constantFrom("C0GENERAL", "D0ANN"), fc.jsonValue()),
      user: fc.oneof(fc.constant("U0ANN"), fc.jsonValue()),
      ts: fc.oneof(fc.constant("1700000000.000100"), fc.jsonValue()),
      thread_ts: fc.jsonValue(),
      text: fc.oneof(fc.constant(`<@${self}> hi`), fc.jsonValue()),
      subtype: fc.oneof(fc.constantFrom("message_changed", "message_deleted", "file_share"), fc.jsonValue()),
      blocks: fc.oneof(
        fc.constant([
          { type: "rich_text", elements: [null, { type: "rich_text_list" }, { type: "rich_text_section", elements: [1, {}] }] },
        ]),
        fc.jsonValue(),
      ),
      files: fc.jsonValue(),
      message: fc.jsonValue(),
      previous_message: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(event, fc.jsonValue(), async (value, body) => {
      const inbound = await read(value);
      expect(JSON.parse(JSON.stringify({ inbound }))).toEqual({ inbound });
      expect(typeof isWellFormed(body)).toBe("boolean");
    }),
    { numRuns: 1_000 },
  );
});

describe("what lacks the shape of its kind", () => {
  const user = { id: "U0ANN" };
  const slash = { command: "/parley", trigger_id: "t", channel_id: "C", user_id: "U" };
  const chosen = { type: "message_action", user, callback_id: "c", trigger_id: "t", message: {}, channel: { id: "C" } };

  it.each<[string, object, boolean]>([
    ["a slash command", { ...slash, text: "" }, true],
    ["a slash command without its text", slash, false],
    ["a message's shortcut", chosen, true],
    ["a message's shortcut in no channel", { ...chosen, channel: null }, false],
    ["a message's shortcut on no message", { ...chosen, message: undefined }, false],
    ["an interaction of a kind that every object has", { type: "__proto__", user }, false],
    ["an interaction of another such kind", { type: "constructor", user }, false],
  ])("%s", (_, body, expected) => expect(isWellFormed(body)).toBe(expected));
});
