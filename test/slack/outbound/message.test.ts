/** What Markdown becomes in Slack, form by form. */
import { describe, expect, it } from "vitest";
import { readActionValue } from "../../../adapters/slack/outbound/actions.ts";
import { slackLimits } from "../../../adapters/slack/outbound/limits.ts";
import { messageOf } from "../../../adapters/slack/outbound/message.ts";
import { emptyDocument } from "../../../src/core/document.ts";
import { createRenderer } from "../../../src/core/render/renderer.ts";

const render = (markdown: string) => {
  const [blocks = []] = createRenderer(slackLimits).render(markdown, true).pages;
  return messageOf({ ...emptyDocument, blocks });
};
/** The elements of the only block, which is rich text. */
const elements = (markdown: string): unknown => {
  const [block, ...more] = render(markdown).blocks;
  expect(more).toEqual([]);
  return block?.type === "rich_text" ? block.elements : block;
};
const section = (...parts: object[]) => ({ type: "rich_text_section", elements: parts });
const text = (value: string, style?: object) => ({ type: "text", text: value, ...(style === undefined ? {} : { style }) });

describe("Markdown in Slack", () => {
  it("keeps the styles of words", () => {
    expect(elements("a **b *c*** ~~d~~ `e`")).toEqual([
      section(
        text("a "),
        text("b ", { bold: true }),
        text("c", { bold: true, italic: true }),
        text(" "),
        text("d", { strike: true }),
        text(" "),
        text("e", { code: true }),
      ),
    ]);
  });

  it.each([
    ["[docs](https://a.example/x)", "https://a.example/x", "docs", " (a.example)"],
    ["https://a.example/x", "https://a.example/x", "https://a.example/x", undefined],
    ["[a.example/other](https://a.example/x)", "https://a.example/x", "a.example/other", undefined],
    ["[https://bank.example](https://evil.example)", "https://evil.example", "https://bank.example", " (evil.example)"],
    [
      "[bank.example](https://bank.example@evil.example/)",
      "https://bank.example@evil.example/",
      "bank.example",
      " (evil.example)",
    ],
    [
      "<https://bank.example@evil.example/>",
      "https://bank.example@evil.example/",
      "https://bank.example@evil.example/",
      " (evil.example)",
    ],
    ["[bаnk.example](https://bаnk.example)", "https://bаnk.example", "bаnk.example", " (xn--bnk-6cd.example)"],
    ["[`code`](https://a.example)", "https://a.example", "code", " (a.example)"],
    ["![](https://a.example/i.png)", "https://a.example/i.png", "image", " (a.example)"],
  ])("shows where %s leads", (markdown, url, label, host) => {
    const [{ elements: parts }] = elements(markdown) as [{ elements: object[] }];
    expect(parts[0]).toMatchObject({ type: "link", url, text: label });
    expect((parts[1] as { text?: string } | undefined)?.text).toBe(host);
  });

  it("writes addresses of mail and telephone as text", () => {
    expect(elements("a@b.example [mail](mailto:c@d.example) [call](tel:+123)")).toEqual([
      section(text("a@b.example mail (mailto:c@d.example) call (tel:+123)")),
    ]);
  });

  it("goes on counting where something interrupts a list", () => {
    expect(elements("3. a\n4. b\n   - c\n5. [x] d")).toEqual([
      { type: "rich_text_list", style: "ordered", indent: 0, offset: 2, elements: [section(text("a")), section(text("b"))] },
      { type: "rich_text_list", style: "bullet", indent: 1, elements: [section(text("c"))] },
      { type: "rich_text_list", style: "ordered", indent: 0, offset: 4, elements: [section(text("☑ d"))] },
    ]);
  });

  it("marks lists and code of a quotation by a border", () => {
    expect(elements("> a\n>\n> b\n> - c\n> ```\n> d\n> ```")).toEqual([
      { type: "rich_text_quote", elements: [text("a\nb")] },
      { type: "rich_text_list", style: "bullet", indent: 0, border: 1, elements: [section(text("c"))] },
      { type: "rich_text_preformatted", elements: [text("d")], border: 1 },
    ]);
  });

  it("uses headers for plain headings, and bold text where a header could lose or misread them", () => {
    const header = { type: "header", text: { type: "plain_text", text: "Title :tada:", emoji: false } };
    expect(render("# Title :tada:").blocks).toEqual([header]);
    for (const heading of ["# A & B", "# <!here>", "# [l](https://a.example)", "### small", `# ${"long ".repeat(40)}`])
      expect(JSON.stringify(elements(heading))).toContain('"bold":true');
  });

  it("makes the first table Slack's own, and others text in columns", () => {
    const { blocks } = render("| a | b |\n|--|--:|\n| 1 |  |\n\nthen\n\n| c | d |\n|--|--|\n| long | 2 |");
    expect(blocks.map(({ type }) => type)).toEqual(["table", "rich_text", "rich_text"]);
    expect(blocks[0]).toMatchObject({ column_settings: [{ align: "left" }, { align: "right" }] });
    expect(JSON.stringify(blocks[2])).toContain("c    | d\\n-----|----\\nlong | 2");
  });

  it("makes text of a table beyond Slack's limits", () => {
    const row = `| ${Array.from({ length: 21 }, (_, n) => n).join(" | ")} |`;
    const { blocks } = render(`${row}\n|${"--|".repeat(21)}\n${row}`);
    expect(blocks.map(({ type }) => type)).toEqual(["rich_text"]);
  });

  it("gives notifications the beginning of the text, cut between characters", () => {
    const long = render("漢字&".repeat(3_000)).text;
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(3_000);
    expect(long).toMatch(/^(?:漢|字|&amp;)+…$/);
  });

  it("reads back what its buttons carry", () => {
    expect(readActionValue("stop slack:T0ACME:C0GENERAL:1.2:message")).toEqual({
      action: "stop",
      turn: "slack:T0ACME:C0GENERAL:1.2:message",
    });
    for (const other of ["", "stop", "stop ", " turn"]) expect(readActionValue(other)).toBeUndefined();
  });
});
