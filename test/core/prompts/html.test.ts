import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "../../../src/core/render/parse.ts";
import { markdownOf } from "../../../src/core/prompts/html.ts";

type Node = { readonly type: string; readonly url?: string; readonly value?: string; readonly children?: readonly Node[] };
const all = (nodes: readonly Node[]): readonly Node[] => nodes.flatMap((node) => [node, ...all(node.children ?? [])]);
const nodesOf = (html: string): readonly Node[] => all(parse(markdownOf(html)).nodes as readonly Node[]);

describe("HTML of a prompt's result", () => {
  test("is Markdown again", () => {
    const html =
      '<h2>Tea</h2><p>It is <strong>hot</strong> &amp; <em>green</em>.</p><ul><li>one</li><li>two</li></ul><pre><code class="language-js">a*b*c\n</code></pre><table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1 | 2</td></tr></tbody></table>';
    expect(markdownOf(html)).toBe(
      "## Tea\n\nIt is **hot** & *green*.\n\n* one\n* two\n\n```js\na*b*c\n```\n\n| A      |\n| ------ |\n| 1 \\| 2 |",
    );
  });

  test("marks that were text stay text", () => {
    expect(nodesOf("<p>2 * 3 * 4 and [x](y) # no</p>").map(({ type }) => type)).toEqual(["paragraph", "text"]);
  });

  test.each(["", "   ", "<script>alert(1)</script>", "<!-- no -->"])("with no words is empty: %j", (html) => {
    expect(markdownOf(html)).toBe("");
  });

  test("nested a thousand times is its words", () => {
    expect(markdownOf(`${"<div>".repeat(1_000)}deep${"</div>".repeat(1_000)}`)).toBe("deep");
    expect(markdownOf(`${"<b><i>".repeat(50_000)}deep`)).toBe("deep");
  });

  const secret = "leak7";
  const hidden = fc.constantFrom("script", "style", "template", "noscript", "iframe", "svg", "textarea", "title", "object");
  const address = fc.constantFrom("javascript:leak7", "data:text/html,leak7", "https://example.org", "file:///etc/passwd");
  const tag = fc.constantFrom("p", "b", "ul", "li", "table", "tr", "td", "a", "h1", "blockquote", "code", "pre", "div", "span");
  const words = fc.constantFrom("tea", "&lt;!channel&gt;", "@everyone", "&lt;@U123&gt;", "*x*", "\n", "< ", "&", "`", "|");
  const inside = fc.letrec<{ html: string }>((tie) => ({
    html: fc.oneof(
      { maxDepth: 5 },
      words,
      fc
        .tuple(tag, address, fc.array(tie("html"), { maxLength: 3 }))
        .map(([name, href, within]) => `<${name} href="${href}" onclick="leak7">${within.join("")}</${name}>`),
      hidden.map((name) => `<${name}>${secret}</${name}>`),
      // Never closed.
      tag.map((name) => `<${name}>`),
    ),
  })).html;

  // What is left of HTML in malformed nests is shown by every platform as the text that it is.
  test("whatever it is: nothing of scripts and styles is seen, and no link leads but to the web", () => {
    fc.assert(
      fc.property(fc.array(inside, { maxLength: 6 }), (parts) => {
        const nodes = nodesOf(parts.join(""));
        expect(nodes.filter(({ url }) => url !== undefined && !/^(https?|mailto):/.test(url))).toEqual([]);
        const seen = nodes.map(({ value = "" }) => value).join("");
        expect(seen).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
  });
});
