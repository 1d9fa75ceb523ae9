import { describe, expect, test } from "vitest";
import { messageOf } from "../../../adapters/discord/outbound/message.ts";
import { discordLimits } from "../../../adapters/discord/outbound/limits.ts";
import { emptyDocument, type Document } from "../../../src/core/document.ts";
import { createRenderer } from "../../../src/core/render/renderer.ts";

const render = (markdown: string): string => {
  const { pages } = createRenderer({ ...discordLimits, budgets: () => [] }).render(markdown, true);
  return pages.map((blocks) => messageOf({ ...emptyDocument, blocks }, "-").content).join("\n=====\n");
};
const lines = (...all: string[]): string => all.join("\n");
const around = (change: Partial<Document>): string => messageOf({ ...emptyDocument, ...change }, "-").content;

describe("Markdown in Discord's form", () => {
  test.each([
    ["headings, the deep ones bold", "# One\n\n### Three\n\n##### Five", "# One\n\n### Three\n\n**Five**"],
    ["emphasis", "*a* **b** ***c*** ~~d~~ `e`", "*a* **b** ***c*** ~~d~~ `e`"],
    ["emphasis in bold text", "**a *b* c**", "**a _b_ c**"],
    ["code with backticks", "`` a`b `` and ``` `` ```", "``a`b`` and ` `` `"],
    ["nested lists", "- a\n  - b\n    1. c\n- d", "- a\n  - b\n    1. c\n- d"],
    ["a list that begins later", "7. a\n8. b", "7. a\n8. b"],
    ["tasks", "- [x] a\n- [ ] b", "- ☑ a\n- ☐ b"],
    ["code in a list, which goes on behind it", "1. a\n\n   ```js\n   x\n   ```\n2. b", "1. a\n```js\nx\n```\n2. b"],
    ["quotations, on one level", "> a\n>\n> > b", "> a\n> b"],
    ["a rule", "a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["HTML as text", "<b>x</b>", "\\<b>x\\</b>"],
  ])("%s", (_, markdown, expected) => {
    expect(render(markdown)).toBe(expected);
  });

  test.each([
    ["a link with its host", "[the plan](https://docs.example/plan)", "[the plan](<https://docs.example/plan>) (docs.example)"],
    ["a link that shows its host", "[docs.example/plan](https://docs.example/plan)", "<https://docs.example/plan>"],
    ["a bare address without a preview", "https://a.example/b", "<https://a.example/b>"],
    [
      "words that look like another address",
      "[https://bank.example](https://evil.example)",
      "https\\://bank.example (<https://evil.example/>)",
    ],
    [
      "a look-alike host in ASCII",
      "[pay](https://аpple.example)",
      "[pay](<https://xn--pple-43d.example/>) (xn--pple-43d.example)",
    ],
    ["a mail address", "[a@b.example](mailto:a@b.example)", "a\\@b.example"],
    ["an image as a link", "![a chart](https://i.example/c.png)", "[a chart](<https://i.example/c.png>) (i.example)"],
    ["marks in an address", "[x](<https://a.example/(b)*_>)", "[x](<https://a.example/%28b%29%2A%5F>) (a.example)"],
  ])("%s", (_, markdown, expected) => {
    expect(render(markdown)).toBe(expected);
  });

  test.each([
    [
      "mentions and emoji",
      "<@1> <@&2> <#3> <:a:4> </x:5> <t:6> \\<id:guide>",
      "\\<\\@1> \\<\\@&2> \\<#3> \\<:a:4> \\</x:5> \\<t:6> \\<id:guide>",
    ],
    ["broadcasts", "@everyone @here @EVERYONE a@b", "\\@everyone \\@here \\@EVERYONE a\\@b"],
    ["marks", "\\*a\\* \\_b\\_ \\~~c\\~~ ||d|| \\[e](f)", "\\*a\\* \\_b\\_ \\~\\~c\\~\\~ \\|\\|d\\|\\| \\[e\\](f)"],
    ["lines that would begin something", "\\# a\nb\n\\- c\n1\\. d\n\\> e\n-# f", "\\# a\nb\n\\- c\n1\\. d\n\\> e\n\\-# f"],
    ["addresses that Discord finds by itself", "x:discord.gg/abc ftp://a", "x:discord.gg\\/abc ftp\\://a"],
    ["characters that turn the direction", "a\u202Eb\u2066c\u0007", "abc"],
  ])("%s are text", (_, markdown, expected) => {
    expect(render(markdown)).toBe(expected);
  });

  test("a fence in code ends nothing", () => {
    expect(render("````\na\n```\nb\n````")).toBe("```\na\n``\u200B`\nb\n```");
  });

  test("a narrow table is columns in a code block", () => {
    expect(render("| Ship | Late |\n|---|--:|\n| Ana | 3 |\n| 海 | 12 |")).toBe(
      lines("```", "Ship │ Late", "─────┼─────", "Ana  │    3", "海   │   12", "```"),
    );
  });

  test("a wide table, and one with links, is a list of rows", () => {
    const wide = "A rather long explanation of what happened";
    expect(render(`| Ship | Why | Late |\n|---|---|---|\n| **Ana** | ${wide} | |\n| Bo | [log](https://l.example/1) | 2 |`)).toBe(
      lines(
        "-# Ship · Why · Late",
        "**Ana**",
        `- Why: ${wide}`,
        "**Bo**",
        "- Why: [log](<https://l.example/1>) (l.example)",
        "- Late: 2",
      ),
    );
  });

  test("code goes on in the next message, its fence reopened with its language", () => {
    const code = Array.from({ length: 300 }, (_, line) => `const line${line} = ${line};`).join("\n");
    const messages = render(`\`\`\`ts\n${code}\n\`\`\``).split("\n=====\n");
    expect(messages.length).toBeGreaterThan(2);
    for (const message of messages) {
      expect(message.length).toBeLessThanOrEqual(2_000);
      expect(message).toMatch(/^```ts\n[^`]*\n```$/);
    }
    expect(messages.map((message) => message.slice(6, -4)).join("\n")).toBe(code);
  });
});

describe("around the answer", () => {
  test("sources, status and the last line are small, and a failure stands out", () => {
    expect(
      around({
        state: "failed",
        notice: "It broke.\n# really",
        footnotes: [
          { index: 1, title: "Log [1]", url: "https://l.example/1", detail: "page 2" },
          { index: 2, title: "plan.pdf", url: null, detail: "" },
        ],
        status: "Thinking…\n# more",
        footer: "Model · 3 s",
      }),
    ).toBe(
      lines(
        "⚠️ It broke.\n\\# really",
        "-# \\[1\\] [Log \\[1\\]](<https://l.example/1>) (l.example) (page 2)",
        "-# \\[2\\] plan.pdf",
        "-# Thinking… # more",
        "-# Model · 3 s",
      ),
    );
  });
});
