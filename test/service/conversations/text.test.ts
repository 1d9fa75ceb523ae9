import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Citation } from "../../../src/contract/records.ts";
import { withCitationLinks } from "../../../src/service/conversations/citations.ts";
import { titleOf } from "../../../src/service/conversations/title.ts";

describe("a conversation's name", () => {
  test.for([
    ["hello", "hello"],
    ["  # A heading\nand more ", "A heading and more"],
    ["\u0000\n\t", "New conversation"],
    ["", "New conversation"],
  ])("%j is called %j", ([message = "", title]) => {
    expect(titleOf(message)).toBe(title);
  });

  test("is one short line of whole characters, whatever the message", () => {
    const letters = (text: string): number => [...new Intl.Segmenter().segment(text)].length;
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (message) => {
        const title = titleOf(message);
        expect(letters(title)).toBeLessThanOrEqual(61);
        expect(title).not.toMatch(/[\n\r\0]/);
        expect(title.isWellFormed()).toBe(true);
      }),
    );
  });

  test("ends between words", () => {
    expect(titleOf("word ".repeat(40))).toBe(`${"word ".repeat(12).trim()}…`);
  });
});

describe("citation markers", () => {
  const cite = (citation_index: number, url: string): Citation => ({ url, file_path: "", title: "", info: {}, citation_index });

  test("become links where the source has a web address", () => {
    const citations = [cite(1, "https://example.org/a?b=<c>"), cite(2, ""), cite(3, "javascript:alert(1)")];
    expect(withCitationLinks("A [1]. B [2]. C [3]. D [4].", citations)).toBe(
      String.raw`A [\[1\]](<https://example.org/a?b=%3Cc%3E>). B [2]. C [3]. D [4].`,
    );
  });

  test("that are links already stay as they are", () => {
    const text = "[1](https://x.example) and [1][ref]\n\n[1]: https://x.example";
    expect(withCitationLinks(text, [cite(1, "https://example.org")])).toBe(text);
  });
});
