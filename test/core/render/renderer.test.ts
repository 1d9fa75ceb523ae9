import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "../../../src/core/document.ts";
import type { Limits } from "../../../src/core/platform.ts";
import { costOf, within } from "../../../src/core/render/measure.ts";
import { createRenderer, type Page } from "../../../src/core/render/renderer.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { createFakePlatform } from "../../fakes/platform.ts";
import { markdown } from "./arbitraries.ts";

const limitsOf = (change: Partial<Limits> = {}): Limits => createFakePlatform({ clock: fakeClock(), limits: change }).limits;
const render = (text: string, limits: Limits): readonly Page[] => createRenderer(limits).render(text, true).pages;

/** All words of blocks, without spaces: what splitting may neither lose nor add. */
const words = (nodes: readonly unknown[]): string =>
  nodes
    .map((node) => {
      const { value, children, alt } = node as { value?: string; alt?: string; children?: unknown[] };
      return (value ?? "") + (alt ?? "") + (children === undefined ? "" : words(children));
    })
    .join("")
    .replace(/\s+/g, "");

const links = (nodes: readonly unknown[]): string[] =>
  nodes.flatMap((node) => {
    const { type, url, children } = node as { type: string; url?: string; children?: unknown[] };
    return [...(type === "link" || type === "image" ? [url ?? ""] : []), ...(children === undefined ? [] : links(children))];
  });

const only = (text: string): readonly Block[] => render(text, limitsOf({ characters: 1_000_000 }))[0] ?? [];

describe("rendering", () => {
  it("gives the same pages however the text came", () => {
    fc.assert(
      fc.property(
        markdown,
        fc.array(fc.nat(400), { maxLength: 6 }),
        fc.integer({ min: 60, max: 2_000 }),
        (text, cuts, characters) => {
          const limits = limitsOf({ characters, messagesPerReply: 1_000 });
          const growing = createRenderer(limits);
          for (const cut of cuts.toSorted((a, b) => a - b)) growing.render(text.slice(0, cut), false);
          expect(growing.render(text, true)).toEqual(createRenderer(limits).render(text, true));
        },
      ),
      { numRuns: 400 },
    );
  });

  it("gives the same pages when the text came a character at a time", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const limits = limitsOf();
        const growing = createRenderer(limits);
        for (let end = 0; end < text.length; end++) growing.render(text.slice(0, end), false);
        expect(growing.render(text, true)).toEqual(createRenderer(limits).render(text, true));
      }),
      { numRuns: 60 },
    );
  });

  it("starts over when what was shown is rewritten", () => {
    fc.assert(
      fc.property(markdown, markdown, (before, after) => {
        const limits = limitsOf();
        const renderer = createRenderer(limits);
        renderer.render(before, false);
        expect(renderer.render(after, true)).toEqual(createRenderer(limits).render(after, true));
      }),
      { numRuns: 200 },
    );
  });

  it("shows no link before its end is certain", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const limits = limitsOf({ characters: 1_000_000 });
        const renderer = createRenderer(limits);
        const shown = new Set<string>();
        for (let end = 0; end < text.length; end += 3) {
          for (const url of links(renderer.render(text.slice(0, end), false).pages.flat())) shown.add(url);
        }
        const final = new Set(links(renderer.render(text, true).pages.flat()));
        expect([...shown].filter((url) => !final.has(url))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps the blocks that can no longer change", () => {
    const renderer = createRenderer(limitsOf());
    const first = renderer.render("# Title\n\nOne *two* three.\n\n- a\n- b\n\nFour", false).pages[0];
    const second = renderer.render("# Title\n\nOne *two* three.\n\n- a\n- b\n\nFour five\n\nSix", false).pages[0];
    expect(second?.slice(0, 2).every((block, index) => block === first?.[index])).toBe(true);
    expect(renderer.render("# Title\n\nOne *two* three.\n\n- a\n- b\n\nFour five\n\nSix", false).pages[0]).toBe(second);
  });

  it("closes half-written Markdown while it streams", () => {
    const renderer = createRenderer(limitsOf());
    expect(renderer.render("Some **bold wor", false).pages[0]).toEqual([
      {
        type: "paragraph",
        children: [
          { type: "text", value: "Some " },
          { type: "strong", children: [{ type: "text", value: "bold wor" }] },
        ],
      },
    ]);
    expect(words(renderer.render("See [the doc](https://exam", false).pages.flat())).toBe("Seethedoc");
    expect(renderer.render("```js\nconst a", false).pages[0]).toEqual([
      { type: "code", lang: "js", meta: null, value: "const a" },
    ]);
  });

  it("resolves references, footnotes and definitions into links and text", () => {
    expect(only("A [link][x], note[^1].\n\n[x]: https://a.example\n\n[^1]: the note")).toEqual([
      {
        type: "paragraph",
        children: [
          { type: "text", value: "A " },
          { type: "link", url: "https://a.example", title: null, children: [{ type: "text", value: "link" }] },
          { type: "text", value: ", note" },
          { type: "text", value: "[1]" },
          { type: "text", value: "." },
        ],
      },
      {
        type: "paragraph",
        children: [
          { type: "text", value: "[1] " },
          { type: "text", value: "the note" },
        ],
      },
    ]);
  });

  it("makes links only of addresses that people can open", () => {
    expect(links(only("[a](javascript:alert(1)) [b](/local) [c](data:text/html,x) <https://d.example>"))).toEqual([
      "https://d.example",
    ]);
  });

  it("keeps HTML as text", () => {
    expect(only("<script>alert(1)</script>")).toEqual([{ type: "html", value: "<script>alert(1)</script>" }]);
  });
});

/** What of `expected` does not come in `text`, in its order. */
const missingFrom = (text: string, expected: string): string => {
  let at = 0;
  for (const character of text) if (expected.startsWith(character, at)) at += character.length;
  return expected.slice(at);
};

describe("pages", () => {
  const small = fc.record({ characters: fc.integer({ min: 60, max: 600 }), blocks: fc.integer({ min: 1, max: 50 }) });

  it("fit, and lose no word", () => {
    fc.assert(
      fc.property(markdown, small, (text, size) => {
        const limits = limitsOf({ ...size, messagesPerReply: 1_000 });
        const pages = render(text, limits);
        for (const page of pages) expect(within(costOf(page, limits), limits)).toBe(true);
        const whole = only(text);
        const [paged, unpaged] = [words(pages.flat()), words(whole)];
        expect(missingFrom(paged, unpaged)).toBe("");
        // Only a table's header is there more than once, and an address as text where its link fits no message.
        const repeats = /"type":"(?:table|link|image)"/.test(JSON.stringify(whole));
        expect(repeats ? unpaged : paged).toBe(unpaged);
      }),
      { numRuns: 400 },
    );
  });

  it("do not change once another follows, when whole blocks are appended", () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ mode: "sentences", maxCount: 8 }), { minLength: 4, maxLength: 30 }), (paragraphs) => {
        const renderer = createRenderer(limitsOf({ characters: 400, messagesPerReply: 1_000 }));
        let full: readonly Page[] = [];
        for (let count = 1; count <= paragraphs.length; count++) {
          const { pages } = renderer.render(paragraphs.slice(0, count).join("\n\n"), false);
          full.forEach((page, index) => expect(pages[index]).toEqual(page));
          full = pages.slice(0, -1);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("do not change once another follows, while one paragraph grows by a few characters", () => {
    const text = "The keeper counts ships, and 3.5 of them are late. Is it fog? No one knows! ".repeat(40);
    const renderer = createRenderer(limitsOf({ characters: 500, messagesPerReply: 1_000 }));
    let full: readonly Page[] = [];
    for (let end = 1; end <= text.length; end += 7) {
      const { pages } = renderer.render(text.slice(0, end), false);
      full.forEach((page, index) => expect(pages[index]).toEqual(page));
      full = pages.slice(0, -1);
    }
    expect(full.length).toBeGreaterThan(4);
  });

  it("never cut a character as people see it", () => {
    const family = "👩‍👩‍👧‍👦";
    for (let characters = 40; characters < 90; characters++) {
      for (const text of [family.repeat(40), "e\u0301".repeat(200), "🇩🇪".repeat(80)]) {
        const pieces = render(text, limitsOf({ characters, messagesPerReply: 1_000 })).map((page) => words(page));
        const graphemes = (value: string): number => [...new Intl.Segmenter().segment(value)].length;
        expect(pieces.map(graphemes).reduce((a, b) => a + b)).toBe(graphemes(text));
      }
    }
  });

  it("reopen code with its language, and repeat a table's header", () => {
    const limits = limitsOf({ characters: 300, messagesPerReply: 100 });
    const code = Array.from({ length: 60 }, (_, line) => `line ${line};`).join("\n");
    const blocks = render("```ts\n" + code + "\n```", limits).flat();
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.every((block) => block.type === "code" && block.lang === "ts")).toBe(true);
    expect(blocks.map((block) => (block.type === "code" ? block.value : "")).join("\n")).toBe(code);
    const rows = Array.from({ length: 40 }, (_, row) => `| r${row} | x |`).join("\n");
    const tables = render(`| Name | Value |\n|---|---|\n${rows}`, limits).flat();
    expect(tables.length).toBeGreaterThan(1);
    for (const table of tables) expect(table.type === "table" && words(table.children.slice(0, 1))).toBe("NameValue");
  });

  it("go on counting in a list", () => {
    const items = Array.from({ length: 40 }, (_, item) => `${item + 1}. item number ${item + 1}`).join("\n");
    const lists = render(items, limitsOf({ characters: 300, messagesPerReply: 100 })).flat();
    let next = 1;
    for (const list of lists) {
      if (list.type !== "list") throw new Error("not a list");
      expect(list.start).toBe(next);
      next += list.children.length;
    }
    expect(next).toBe(41);
  });

  it("keep a link whole", () => {
    const sentence = "word ".repeat(20) + "[a link of some words](https://example.com/path) ";
    const pages = render(sentence.repeat(20), limitsOf({ characters: 400, messagesPerReply: 100 }));
    expect(pages.length).toBeGreaterThan(5);
    const found = pages.flat().flatMap((block) => (block.type === "paragraph" ? block.children : []));
    expect(found.filter(({ type }) => type === "link").map((link) => words([link]))).toEqual(Array(20).fill("alinkofsomewords"));
  });

  it("say that the whole is attached when there are too many", () => {
    const limits = limitsOf({ characters: 400, messagesPerReply: 3 });
    const { pages, truncated } = createRenderer(limits).render("Many words. ".repeat(1_000), true);
    expect(truncated).toBe(true);
    expect(pages).toHaveLength(3);
    expect(words(pages.at(-1)?.slice(-1) ?? [])).toBe("Thewholeanswerisattached.");
    for (const page of pages) expect(within(costOf(page, limits), limits)).toBe(true);
  });
});

describe("hostile text", () => {
  // Four messages, so that the whole suite stays quick; ten take in proportion.
  const megabyte = (unit: string): string => unit.repeat(Math.ceil(1_000_000 / unit.length));

  it.each([
    "[",
    "]",
    "*a ",
    "**a *b ",
    "![",
    "> ",
    "- ",
    "<a ",
    "`",
    "|a|b|\n",
    "- a\n\n",
    "[a]: b\n",
    "~a~ ",
    "\\",
    "\u0000",
    "\u{1F600}",
    "a\u0301",
    "x",
  ])("a megabyte of %j ends, within the limits", (unit) => {
    const limits = limitsOf({ messagesPerReply: 4 });
    const { pages, truncated } = createRenderer(limits).render(megabyte(unit), true);
    expect(pages.length).toBeLessThanOrEqual(limits.messagesPerReply);
    for (const page of pages) expect(within(costOf(page, limits), limits)).toBe(true);
    expect(truncated).toBe(true);
  });
});
