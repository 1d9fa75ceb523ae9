import { describe, expect, test } from "vitest";
import { markupText } from "../../../src/service/reading/markup.ts";

describe("markup as text", () => {
  test.each([
    ["paragraphs and headings", "<h1>Title</h1><p>One<br />two</p><p></p><p>three</p>", "Title\nOne\ntwo\n\nthree"],
    ["lists", "<ul><li>Apple</li><li>Pear<ol><li>Conference</li></ol></li></ul>", "- Apple\n- Pear\n- Conference"],
    [
      "tables, a line a row",
      "<table><tr><td><p>Name</p></td><td><p>Age</p></td></tr><tr><td><p>Ada</p><p>L.</p></td><td><p></p></td></tr></table><p>End</p>",
      "Name | Age\nAda L.\n\nEnd",
    ],
    ["escapes, each once", "<p>a &lt;b&gt; &amp;amp; &quot;c&quot;</p>", 'a <b> &amp; "c"'],
    ["inline tags", '<p>See <a href="#x"><strong>this</strong></a>.</p>', "See this."],
  ])("has %s", (_what, html, text) => {
    expect(markupText(html)).toBe(text);
  });

  test("takes no more time for a long line", () => {
    expect(markupText(`<p>${" |".repeat(300_000)}b</p>`)).toHaveLength(600_000);
  });
});
