/**
 * Whatever a model writes, as Discord gets it. `PROPERTY_RUNS=10000 npm exec -- vitest run test/discord/outbound/properties.test.ts`
 * tries that many documents for each property; without it the suite tries some.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discordLimits } from "../../../adapters/discord/outbound/limits.ts";
import { messageOf } from "../../../adapters/discord/outbound/message.ts";
import { nonceOf } from "../../../adapters/discord/outbound/nonce.ts";
import { emptyDocument, paragraph, type Document } from "../../../src/core/document.ts";
import type { Limits } from "../../../src/core/platform.ts";
import { createLayout } from "../../../src/core/render/layout.ts";
import { documentCost } from "../../../src/core/render/measure.ts";
import { createRenderer } from "../../../src/core/render/renderer.ts";
import { markdown } from "../../core/render/arbitraries.ts";
import { readMarkdown } from "../../fakes/discord/markdown.ts";

/** As many as the environment asks for, else so many that the suite stays quick. */
const runs = (some: number): number => Number(process.env["PROPERTY_RUNS"] ?? some);
const timeout = process.env["PROPERTY_RUNS"] === undefined ? 300_000 : 1_800_000;

const limits: Limits = { ...discordLimits, messagesPerReply: 1_000, budgets: () => [] };
const most = 2_000;
const contentOf = (document: Document): string => messageOf(document, "-").content;
const pagesOf = (text: string, some: Limits = limits): string[] =>
  createRenderer(some)
    .render(text, true)
    .pages.map((blocks) => contentOf({ ...emptyDocument, blocks }));

const graphemes = (text: string): number => [...new Intl.Segmenter().segment(text)].length;
const solid = (text: string): string => text.replace(/\s+/g, "");

/** An address with its marks as they are. */
const unmarked = (url: string): string => url.replace(/%(?:5C|28|29|5B|5D|2A|5F|7E|60|7C)/gi, decodeURIComponent);

/** Text that Discord would read as more than text. */
const mischief = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."\\ * ** _ __ ~~ | || ` `` ``` [ ] ( ) < > # ## - -# + 1. 12) >>> : / @ . ! \n".split(" "),
        "\n",
        " ",
        "@everyone",
        "@here",
        "<@123>",
        "<@&123>",
        "<#123>",
        "<:a:123>",
        "<a:b:123>",
        "<t:123>",
        "<t:123:R>",
        "</a:123>",
        "<id:guide>",
        "https://evil.example/x",
        "<https://evil.example>",
        "[a](https://evil.example)",
        "[a](<https://evil.example>)",
        "discord.gg/abc",
        "word",
        "👩‍👩‍👧‍👦",
        "é",
      ),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""));

const surroundings: fc.Arbitrary<Omit<Document, "blocks">> = fc.record({
  state: fc.constantFrom("waiting", "working", "done", "failed", "stopped"),
  status: fc.option(mischief),
  notice: fc.option(mischief),
  footer: fc.option(mischief),
  footnotes: fc.array(
    fc.record({
      index: fc.nat(99),
      title: mischief,
      url: fc.option(fc.constantFrom("https://s.example/a", "http://xn--e1afmkfd.example/(x)", "https://s.example", "http://[")),
      detail: mischief,
    }),
    { maxLength: 12 },
  ),
  actions: fc.array(fc.record({ action: fc.constant("stop"), label: fc.string({ maxLength: 90 }), turn: fc.constant("t") }), {
    maxLength: 1,
  }),
});

describe("for everything that a model can write", { timeout }, () => {
  test("messages hold it, nobody is mentioned, nothing has a preview, and fences are closed", () => {
    fc.assert(
      fc.property(fc.oneof(markdown, mischief), (text) => {
        for (const content of pagesOf(text)) {
          expect(content.length).toBeLessThanOrEqual(most);
          expect(readMarkdown(content)).toMatchObject({ mentions: [], previews: [], closed: true });
        }
      }),
      { numRuns: runs(1_500) },
    );
  });

  test("literal text is read as it was written, every character of it", () => {
    fc.assert(
      fc.property(mischief, (text) => {
        const shown = text
          .toWellFormed()
          // oxlint-disable-next-line no-control-regex
          .replace(/[\u0000-\u0008\u000B-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g, "");
        const read = readMarkdown(contentOf({ ...emptyDocument, blocks: [paragraph(text)] }));
        expect(solid(read.text)).toBe(solid(shown) || "…");
        expect(read.links).toEqual([]);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test("code is read as it was written", () => {
    fc.assert(
      fc.property(mischief, (value) => {
        const text = value.toWellFormed();
        const read = readMarkdown(contentOf({ ...emptyDocument, blocks: [{ type: "code", value: text }] }));
        // oxlint-disable-next-line no-control-regex
        const unseen = /[\s\u0000-\u001F\u007F\u200B\u202A-\u202E\u2066-\u2069]/g;
        expect(read.text.replace(unseen, "")).toBe(text.replace(unseen, ""));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("every link leads where the Markdown says", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const urls: string[] = [];
        const walk = (node: object): void => {
          const { url, children } = node as { url?: string; children?: object[] };
          if (url !== undefined && URL.canParse(url)) urls.push(new URL(url).href);
          children?.forEach(walk);
        };
        const { pages } = createRenderer(limits).render(text, true);
        pages.flat().forEach(walk);
        const read = pages.flatMap((blocks) => readMarkdown(contentOf({ ...emptyDocument, blocks })).links);
        const known = new Set(urls.map(unmarked));
        expect(read.map(unmarked).filter((url) => !known.has(url))).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  test("no character as people see it is cut", () => {
    for (const text of ["👩‍👩‍👧‍👦".repeat(600), "e\u0301".repeat(2_500), "🇩🇪".repeat(1_200), "*é*🇩🇪 ".repeat(700)]) {
      const pages = pagesOf(text).map((page) => solid(readMarkdown(page).text));
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.map(graphemes).reduce((a, b) => a + b)).toBe(graphemes(solid(text.replaceAll("*", ""))));
    }
  });

  test.each(["[", "*a ", "`", "|a|b|\n", "> ", "- a\n\n", "<@1>", "\\", "x"])(
    "a megabyte of %j ends, within the messages of a reply",
    (unit) => {
      const some: Limits = { ...discordLimits, messagesPerReply: 3, budgets: () => [] };
      const pages = pagesOf(unit.repeat(Math.ceil(1_000_000 / unit.length)), some);
      expect(pages.length).toBeLessThanOrEqual(3);
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(most);
    },
  );
});

describe("for every document", { timeout }, () => {
  test("it is never larger than was counted, nor than a message, and mentions nobody", () => {
    fc.assert(
      fc.property(fc.oneof(markdown, mischief), surroundings, (text, around) => {
        const { pages } = createRenderer(limits).render(text, around.state !== "working");
        for (const document of createLayout(limits).documents(pages, around)) {
          const content = contentOf(document);
          expect(content.length).toBeLessThanOrEqual(Math.max(1, documentCost(document, limits).characters));
          expect(content.length).toBeLessThanOrEqual(most);
          expect(readMarkdown(content)).toMatchObject({ mentions: [], previews: [], closed: true });
        }
      }),
      { numRuns: runs(800) },
    );
  });

  test("its nonce has at most 25 characters, and another for each key and attempt", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(9), (key, attempt) => {
        expect(nonceOf(key, attempt).length).toBeLessThanOrEqual(25);
        expect(nonceOf(key, attempt)).not.toBe(nonceOf(`${key}x`, attempt));
        expect(nonceOf(key, attempt)).not.toBe(nonceOf(key, attempt + 1));
      }),
    );
  });
});
