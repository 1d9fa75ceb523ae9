import fc from "fast-check";
import { expect, test } from "vitest";
import { contextText, digestOf, wordsOf } from "../../src/core/words.ts";

const tags = new Set(["research", "a-b_c", "x-"]);
const joined = "@\u2060";

test.each([
  ["@research what is new?", "@research what is new?"],
  ["hey @Research, look", "hey @research, look"],
  ["(@a-b_c)", "(@a-b_c)"],
  ["@x- now", "@x- now"],
  ["@research- now", "@research- now"],
  ["@ai help", "@ai help"],
  ["mail bob@research.com", `mail bob${joined}research.com`],
  ["@researcher", `${joined}researcher`],
  ["@a@research", `${joined}a${joined}research`],
  ["@nobody", `${joined}nobody`],
])("typed %j becomes %j", (text, expected) => {
  expect(wordsOf([{ typed: text }], tags)).toBe(expected);
});

test("names and quoted text never address an agent", () => {
  const runs = [{ typed: "ask " }, { name: "@research" }, { quoted: " said @ai and @research" }];
  expect(wordsOf(runs, tags)).toBe(`ask ${joined}research said ${joined}ai and ${joined}research`);
});

test("whatever a name or a quotation holds, no tag stands in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("@", "r", "research", " ", "ai", "é", "\n", "-") }), (text) => {
      const words = wordsOf([{ quoted: text }], tags);
      expect(words).not.toMatch(/@(research|ai)/);
      expect(words.replaceAll("\u2060", "")).toBe(text.trim());
    }),
    { numRuns: 2_000 },
  );
});

test("words are known again with other blanks around them", () => {
  expect(digestOf("  hello\n")).toBe(digestOf("hello"));
  expect(digestOf("hello")).not.toBe(digestOf("hello!"));
});

test("context names its speakers and addresses nobody", () => {
  const text = contextText([{ author: "Ann @ai", text: "ask @research", at: 0 }]);
  expect(text).toContain(`**Ann ${joined}ai** (1970-01-01T00:00:00.000Z):\nask ${joined}research`);
});
