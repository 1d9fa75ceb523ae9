import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paragraph, type Action, type Document, type Footnote } from "../../../src/core/document.ts";
import { createLayout } from "../../../src/core/render/layout.ts";
import { documentCost, within } from "../../../src/core/render/measure.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { createFakePlatform } from "../../fakes/platform.ts";

const { limits } = createFakePlatform({ clock: fakeClock(), limits: { characters: 500, blocks: 12 } });

const line = fc.option(fc.string({ maxLength: 700 }), { nil: null });
const footnote: fc.Arbitrary<Footnote> = fc.record({
  index: fc.nat(99),
  title: fc.string({ maxLength: 600 }),
  url: fc.option(fc.string({ maxLength: 600 }), { nil: null }),
  detail: fc.string({ maxLength: 600 }),
});
const action: fc.Arbitrary<Action> = fc.record({ action: fc.string(), label: fc.string({ maxLength: 20 }), turn: fc.string() });
const surroundings: fc.Arbitrary<Omit<Document, "blocks">> = fc.record({
  state: fc.constantFrom("waiting", "working", "done", "failed", "stopped"),
  status: line,
  notice: line,
  footnotes: fc.array(footnote, { maxLength: 20 }),
  footer: line,
  actions: fc.array(action, { maxLength: 4 }),
});
const page = fc.array(fc.string({ maxLength: 60 }).map(paragraph), { minLength: 1, maxLength: 6 });

describe("layout", () => {
  it("makes no document larger than a message, whatever surrounds the answer", () => {
    fc.assert(
      fc.property(fc.array(page, { maxLength: 3 }), surroundings, (pages, around) => {
        for (const document of createLayout(limits).documents(pages, around)) {
          expect(within(documentCost(document, limits), limits)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("shows every page, every source that fits a message and the buttons once, when it is final", () => {
    fc.assert(
      fc.property(fc.array(page, { maxLength: 3 }), surroundings, (pages, around) => {
        const documents = createLayout(limits).documents(pages, { ...around, state: "done" });
        expect(documents.flatMap(({ blocks }) => blocks)).toEqual(pages.flat());
        expect(documents.flatMap(({ footnotes }) => footnotes.map(({ index }) => index))).toEqual(
          around.footnotes.map(({ index }) => index),
        );
        expect(documents.flatMap(({ actions }) => actions)).toEqual(around.actions);
        expect(around.notice ?? "").toContain((documents.at(-1)?.notice ?? "").replace(/…$/, ""));
        expect(Boolean(documents.at(-1)?.notice)).toBe(Boolean(around.notice));
      }),
      { numRuns: 500 },
    );
  });

  it("opens no message for the surroundings of a reply that still grows", () => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 3 }), surroundings, (pages, around) => {
        expect(createLayout(limits).documents(pages, { ...around, state: "working" })).toHaveLength(pages.length);
      }),
      { numRuns: 200 },
    );
  });

  it("gives the same document for the same full page", () => {
    const layout = createLayout(limits);
    const pages = [[paragraph("one")], [paragraph("two")]];
    const around: Omit<Document, "blocks"> = {
      state: "working",
      status: "…",
      notice: null,
      footnotes: [],
      footer: null,
      actions: [],
    };
    expect(layout.documents(pages, around)[0]).toBe(layout.documents([...pages, [paragraph("three")]], around)[0]);
  });

  it("shows nothing when there is nothing", () => {
    const around: Omit<Document, "blocks"> = {
      state: "done",
      status: null,
      notice: null,
      footnotes: [],
      footer: null,
      actions: [],
    };
    expect(createLayout(limits).documents([], around)).toEqual([]);
  });
});
