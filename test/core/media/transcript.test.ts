/** What was heard, as people get it. */
import { expect, test } from "vitest";
import { transcriptOf } from "../../../src/core/media/transcript.ts";

const filesOf = (made: ReturnType<typeof transcriptOf>) =>
  (made?.files ?? []).map(({ name, mediaType, bytes }) => [name, mediaType, new TextDecoder().decode(bytes)]);

test("a short one stands in the message, and is text whatever was said", () => {
  const made = transcriptOf("memo.ogg", "<!channel> **now** [x](https://evil.example)\n# big", null);
  expect(made?.shown).toBe("\\<\\!channel\\> \\*\\*now\\*\\* \\[x\\]\\(https\\:\\/\\/evil\\.example\\)  \n\\# big");
  expect(made?.files).toEqual([]);
});

test("a single segment's times are no reason for a file", () => {
  expect(transcriptOf("memo.ogg", "hello", [{ start: 0, end: 2, text: "hello" }])?.files).toEqual([]);
});

test("times and speakers become files, named after the recording", () => {
  const made = transcriptOf("stand.up.mp4", "Good morning. Morning & <hi> --> you.", [
    { start: 0, end: 1.5, text: "Good", speaker: "Ann" },
    { start_time: "00:00:01.5", end_time: "2", text: "morning.", speaker: { name: "Ann" } },
    { start_ms: 3_661_500, end_ms: 3_662_000, text: "Morning & <hi> --> you.", speaker: 2 },
  ]);
  expect(made?.shown).toBe("**Ann:** Good morning\\.\n\n**Speaker 2:** Morning \\& \\<hi\\> \\-\\-\\> you\\.");
  expect(filesOf(made)).toEqual([
    ["stand.up.txt", "text/plain", "Ann: Good morning.\n\nSpeaker 2: Morning & <hi> --> you.\n"],
    [
      "stand.up.vtt",
      "text/vtt",
      [
        "WEBVTT",
        "00:00:00.000 --> 00:00:01.500\n<v Ann>Good",
        "00:00:01.500 --> 00:00:02.000\n<v Ann>morning.",
        "01:01:01.500 --> 01:01:02.000\n<v Speaker 2>Morning &amp; &lt;hi&gt; --&gt; you.\n",
      ].join("\n\n"),
    ],
  ]);
});

test("a long one is a file, and its beginning is shown", () => {
  const made = transcriptOf("talk", "word ".repeat(1_000), undefined);
  expect(made?.shown).toMatch(/^(word ){80}…\n\n_All of it is in the attached file\._$/);
  expect(filesOf(made)).toEqual([["talk.txt", "text/plain", `${"word ".repeat(1_000).trim()}\n`]]);
});

test.each([
  ["no list", "words"],
  ["no words", [{ start: 0, end: 1 }, null, "x", { text: " " }]],
  [
    "no times that make sense",
    [
      { text: "a", start: 5, end: 2 },
      { text: "b", start: "soon", end: -1 },
    ],
  ],
])("segments that are %s bring no times", (_what, segments) => {
  const made = transcriptOf("memo.ogg", "hello", segments);
  expect(made).toEqual({ shown: "hello", files: [] });
});

test("segments alone are enough, and nothing is nothing", () => {
  expect(transcriptOf("memo.ogg", null, [{ text: "a" }, { text: "b" }])?.shown).toBe("a b");
  expect(transcriptOf("memo.ogg", " ", [])).toBeNull();
});
