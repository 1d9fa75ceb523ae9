import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { bestPassages } from "../../../src/service/reading/passages.ts";
import { sentencesOf } from "../../../src/service/reading/sentences.ts";

const source = (text: string, more: object = {}) => ({ fileId: 7, name: "a.txt", text, ...more });
const handbook = source(
  "Our office opens at nine. Refunds are paid within 14 days of the return. The café closes at noon on Fridays.\n\nDogs are welcome.",
);

describe("sentences", () => {
  test("are found with their positions, and wrapped lines belong together", () => {
    const text = "Title\n\nThe quick brown foxes jump over the lazy\ndog and sleeps. Then it\nwakes!";
    const found = [...sentencesOf(text)];
    expect(found.map((sentence) => sentence.text)).toEqual([
      "Title",
      "The quick brown foxes jump over the lazy dog and sleeps.",
      "Then it",
      "wakes!",
    ]);
    expect(found.map(({ at }) => text.slice(at, at + 3))).toEqual(["Tit", "The", "The", "wak"]);
  });

  test("of any text lie where they say, in order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2000 }), (text) => {
        let last = -1;
        for (const sentence of sentencesOf(text)) {
          expect(sentence.at).toBeGreaterThan(last);
          expect(text.startsWith(sentence.text[0] ?? "", sentence.at)).toBe(true);
          last = sentence.at;
        }
      }),
    );
  });
});

describe("best passages", () => {
  test("answer the question, best first", async () => {
    const [best] = await bestPassages("When do I get my refund paid?", [handbook], 3);
    expect(best).toMatchObject({ fileId: 7, name: "a.txt", text: "Refunds are paid within 14 days of the return.", at: 26 });
  });

  test("do not mind accents, case or words that only fill", async () => {
    const found = await bestPassages("what about the CAFE", [handbook], 3);
    expect(found.map(({ text }) => text)).toEqual(["The café closes at noon on Fridays."]);
  });

  test("are none when nothing matches", async () => {
    expect(await bestPassages("zeppelin", [handbook], 3)).toEqual([]);
    expect(await bestPassages("", [handbook], 3)).toEqual([]);
  });

  test("are found in scripts without spaces", async () => {
    const text = "東京は日本の首都です。富士山は静岡県にあります。";
    const [best] = await bestPassages("富士山はどこですか", [source(text)], 1);
    expect(best?.text).toBe("富士山は静岡県にあります。");
  });

  test("name the page or the row", async () => {
    const text = "First page.\n\nSecond has whales.\n\nThird.";
    const places = { unit: "page", starts: [0, 13, 33] } as const;
    expect(await bestPassages("whales", [source(text, { places })], 1)).toMatchObject([{ page: 2 }]);
    const rows = { unit: "row", starts: [0, 4] } as const;
    expect(await bestPassages("owl", [source("cat\nowl", { places: rows })], 1)).toMatchObject([{ row: 2 }]);
  });

  test("take the question as words, whatever it holds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 60 }), async (question) => {
        const found = await bestPassages(`${question} OR NEAR("refund" AND) words:* "`, [handbook], 2);
        expect(found.map(({ text }) => text)).toContain("Refunds are paid within 14 days of the return.");
      }),
      { numRuns: 50 },
    );
  });

  test("do not mind how long a line or a question is", async () => {
    const text = `${"x".repeat(1_000_000)} whale`;
    const [best] = await bestPassages(`whale ${"and so on ".repeat(100_000)}`, [source(text)], 1);
    expect(best?.text).toMatch(/whale$/);
  });

  test("stop with the turn", async () => {
    const long = source("A line about nothing much.\n".repeat(5000));
    await expect(bestPassages("line", [long], 1, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  });
});
