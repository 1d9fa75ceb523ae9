/** What becomes of a prompt's content, and of the model's Markdown. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlOf } from "../../../src/service/prompts/html.ts";
import { fillIn, placeholdersIn } from "../../../src/service/prompts/placeholders.ts";

describe("placeholders", () => {
  test("are slugs in double braces, each once, in their order", () => {
    expect(placeholdersIn("{{b}} {{ a-1 }} {{b}} {c} {{}} {{no space}} {{ü}} {{{d_}}}")).toEqual(["b", "a-1", "d_"]);
  });

  test("what a value holds is text, and an unknown placeholder stays", () => {
    const values = new Map([
      ["a", "{{b}} $& $1"],
      ["b", "B"],
    ]);
    expect(fillIn("{{a}}, {{ b }}, {{c}}", values)).toBe("{{b}} $& $1, B, {{c}}");
  });

  test("any words between any placeholders: each value stands where its placeholder stood, and nothing else moves", () => {
    const words = fc.string().map((text) => ({ slug: undefined, text: text.replaceAll(/[{}]/g, "") }));
    const slot = fc.constantFrom("a", "B_2", "c-d").map((slug) => ({ slug, text: "" }));
    fc.assert(
      fc.property(fc.array(fc.oneof(words, slot)), fc.string(), (pieces, value) => {
        const content = pieces.map(({ slug, text }) => (slug === undefined ? text : `{{ ${slug} }}`)).join("");
        const slugs = [...new Set(pieces.flatMap(({ slug }) => slug ?? []))];
        expect(placeholdersIn(content)).toEqual(slugs);
        expect(fillIn(content, new Map())).toBe(content);
        const filled = fillIn(content, new Map(slugs.map((slug) => [slug, `${slug}=${value}`])));
        expect(filled).toBe(pieces.map(({ slug, text }) => (slug === undefined ? text : `${slug}=${value}`)).join(""));
      }),
    );
  });
});

describe("HTML", () => {
  test("has Markdown's forms, tables and struck text too", () => {
    expect(htmlOf("# A\n\n- *b*\n\n| c |\n|---|\n| ~~d~~ |")).toBe(
      "<h1>A</h1>\n<ul>\n<li><em>b</em></li>\n</ul>\n<table>\n<thead>\n<tr>\n<th>c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><del>d</del></td>\n</tr>\n</tbody>\n</table>",
    );
  });

  test("what a model writes is nobody's markup", () => {
    expect(htmlOf("<script>x</script>")).toBe("&lt;script&gt;x&lt;/script&gt;");
    expect(htmlOf("[a](javascript:alert)")).toBe('<p><a href="">a</a></p>');
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(htmlOf(`<img src=x onerror=y>${text}`)).not.toMatch(/<img[^>]*onerror/);
      }),
    );
  });
});
