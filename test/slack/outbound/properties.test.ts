/**
 * Whatever a model writes, as Slack gets it. `PROPERTY_RUNS=10000 npm exec -- vitest run test/slack/outbound/properties.test.ts`
 * tries that many documents and every prefix of a fiftieth of them; without it the suite tries some.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeOf, slackLimits } from "../../../adapters/slack/outbound/limits.ts";
import { messageOf, plainMessageOf, type SlackMessage } from "../../../adapters/slack/outbound/message.ts";
import type { Document } from "../../../src/core/document.ts";
import { createLayout } from "../../../src/core/render/layout.ts";
import { documentCost, within } from "../../../src/core/render/measure.ts";
import { createRenderer } from "../../../src/core/render/renderer.ts";
import { markdown } from "../../core/render/arbitraries.ts";
import { checkBlocks } from "../../fakes/slack/blocks.ts";

const full = process.env["PROPERTY_RUNS"] !== undefined;
const runs = Number(process.env["PROPERTY_RUNS"] ?? 200);
const prefixRuns = Math.max(6, Math.ceil(runs / 50));
/** Prefixes of one document: all of them, or so many that the suite stays quick. */
const prefixes = full ? Infinity : 60;

/** What Slack, rather than Markdown, could take for more than text; and what makes a document long. */
const slackish = fc.constantFrom(
  "<!channel>",
  "<!here|here>",
  "<!subteam^S1>",
  "<@U0ANN>",
  "<#C0GENERAL|general>",
  "@here @channel @everyone",
  ":tada: :smile:",
  "&lt;!channel&gt;",
  "<https://evil.example|bank.example>",
  "[https://bank.example](https://evil.example/x)",
  "[bank.example](https://bank.example@evil.example/)",
  "![pixel](https://evil.example/p.png?leak=1)",
  "[mail](mailto:a@b.example)",
  "\u202Etxt\u202C",
  "a\u0000b",
  "~s~ *b* _i_",
  "| a | b |\n|--:|:-:|\n| 1 | `x` |\n| <@U0ANN> |  |\n",
  `| ${"wide ".repeat(30)} | b |\n|---|---|\n| x | ${"cell ".repeat(40)} |\n`,
  "1. one\n   - two\n     > three\n\n     ```\n     four\n     ```\n2. five",
  "> quoted\n> - list\n>   1. deep\n> ```\n> code\n> ```\n",
  `# ${"A long heading ".repeat(14)}`,
  "long words ".repeat(400),
  `\`\`\`sql\n${"select * from a;\n".repeat(200)}\`\`\``,
);
const document = fc
  .array(fc.oneof({ weight: 3, arbitrary: markdown }, { weight: 2, arbitrary: slackish }), { maxLength: 8 })
  .map((parts) => parts.join("\n\n"));

const around = { status: null, notice: null, footnotes: [], footer: "model · 2.1 s", actions: [] } as const;

function documentsOf(text: string, final: boolean): readonly Document[] {
  const { pages } = createRenderer(slackLimits).render(text, final);
  return createLayout(slackLimits).documents(pages, { ...around, state: final ? "done" : "working" });
}

interface Inline {
  readonly type: string;
  readonly text?: string;
  readonly url?: string;
}

/** Everything with a text, in reading order. */
function inlines(node: unknown): Inline[] {
  if (Array.isArray(node)) return node.flatMap(inlines);
  if (typeof node !== "object" || node === null) return [];
  const { text } = node as Inline;
  return typeof text === "string" ? [node as Inline] : Object.values(node).flatMap(inlines);
}

const urlsOf = (message: SlackMessage): string[] => inlines(message.blocks).flatMap(({ url }) => url ?? []);

/** Words as they are in the tree, without spaces and what no message may contain. */
function wordsOf(node: unknown): string {
  const { value, alt, children } = node as { value?: string; alt?: string; children?: unknown[] };
  const own = (value ?? "") + (alt ?? "") + (children ?? []).map(wordsOf).join("");
  // oxlint-disable-next-line no-control-regex
  return own.replace(/[\s\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]+/g, "");
}

/** Whether all characters of `part` are in `whole`, in their order. */
function holds(whole: string, part: string): boolean {
  let at = 0;
  for (const character of part) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** All of what a message may be refused or misread for. */
function check(message: SlackMessage, document: Document): void {
  checkBlocks(message.blocks);
  expect(Buffer.byteLength(message.text)).toBeLessThanOrEqual(4_000);
  expect(message.text).not.toMatch(/[<>]/);
  expect(message.text.replace(/&(?:amp|lt|gt);/g, "")).not.toContain("&");
  const seen = inlines(message.blocks);
  expect(seen.map(({ type }) => type).filter((type) => !["text", "link", "plain_text"].includes(type))).toEqual([]);
  expect(seen.filter(({ type, text = "" }) => type === "plain_text" && /[&<>]/.test(text))).toEqual([]);
  const links = seen.flatMap(({ url, text = "" }, index) =>
    url === undefined ? [] : { url, beside: `${text} ${seen[index + 1]?.text ?? ""}`.toLowerCase() },
  );
  for (const { url, beside } of links) {
    expect(url).toMatch(/^https?:\/\//i);
    expect(beside).toContain(new URL(url).host);
  }
  expect(holds(seen.map(({ text }) => text).join(""), document.blocks.map(wordsOf).join(""))).toBe(true);
}

describe("a model's words in Slack", () => {
  it("keep within Slack's limits, are all there, and are nothing but words and true links", () => {
    fc.assert(
      fc.property(document, (text) => {
        for (const shown of documentsOf(text, true)) {
          const message = messageOf(shown);
          check(message, shown);
          const counted = documentCost(shown, slackLimits);
          expect(within(counted, slackLimits)).toBe(true);
          expect(within(sizeOf(message.blocks), { ...counted, blocks: Math.max(1, counted.blocks) })).toBe(true);
          checkBlocks(plainMessageOf(shown).blocks);
        }
      }),
      { numRuns: runs },
    );
  }, 3_600_000);

  it("show at no time a link that the end lacks", () => {
    fc.assert(
      fc.property(document, (text) => {
        const final = new Set(documentsOf(text, true).flatMap((shown) => urlsOf(messageOf(shown))));
        const renderer = createRenderer(slackLimits);
        const step = Math.max(1, Math.ceil(text.length / prefixes));
        for (let end = 0; end < text.length; end += step) {
          const { pages } = renderer.render(text.slice(0, end), false);
          for (const shown of createLayout(slackLimits).documents(pages, { ...around, state: "working" })) {
            const message = messageOf(shown);
            check(message, shown);
            expect(urlsOf(message).filter((url) => !final.has(url))).toEqual([]);
          }
        }
      }),
      { numRuns: prefixRuns },
    );
  }, 3_600_000);
});
