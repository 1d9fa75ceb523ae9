import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Nodes } from "mdast";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/clock.ts";
import { bestPassages } from "../../../src/service/reading/passages.ts";
import { literal } from "../../../src/service/providers/offline-answer.ts";
import { offlineProvider } from "../../../src/service/providers/offline.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { asking, hear, never } from "./requests.ts";

const quick = offlineProvider({ clock: systemClock, passages: bestPassages, charactersPerSecond: 1e6 });

const parse = (text: string): Nodes => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
const typesIn = (node: Nodes): string[] => [node.type, ...("children" in node ? node.children.flatMap(typesIn) : [])];
const textIn = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textIn).join("") : "";

const handbook = {
  fileId: 7,
  name: "hand_book *draft*.txt",
  text: "Parking is free on weekends. Holidays must be requested two weeks ahead. The kitchen closes at six.",
};

describe("the offline model without documents", () => {
  it("says that no model is connected, how to connect one, and what it understood", async () => {
    const { text, events } = await hear(
      quick,
      asking("How tall is <b>Ben Nevis</b>?", {
        setting: { agent: "Guide", project: "Scotland", style: "formal" },
        turn: {
          unread: [{ name: "tour.mov", reason: "films cannot be read" }],
          images: [{ name: "hill.png", mediaType: "image/png", bytes: new Uint8Array(3) }],
        },
      }),
    );
    const shown = textIn(parse(text));
    expect(shown).toContain("No language model is connected yet");
    expect(shown).toContain("How tall is <b>Ben Nevis</b>?");
    expect(shown).toContain("as the agent Guide, in the project Scotland and in the style formal");
    expect(shown).toContain("tour.mov (films cannot be read); hill.png (a picture");
    for (const variable of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENAI_BASE_URL"])
      expect(text).toContain(`\`${variable}\``);
    expect(events.at(-1)).toMatchObject({ type: "usage" });
  });

  it("says the same every time", async () => {
    const once = await hear(quick, asking("Why?"));
    expect(await hear(quick, asking("Why?"))).toEqual(once);
  });

  it("shortens a long question without breaking a character", async () => {
    const { text } = await hear(quick, asking("😀".repeat(500)));
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThan(1500);
  });

  it("refuses a model that it does not have", async () => {
    const { fault } = await hear(quick, asking("hello", { modelKey: "offline:other" }));
    expect(fault).toMatchObject({ code: "provider_rejected" });
  });
});

describe("the offline model with documents", () => {
  it("quotes the sentences that match best, each with its citation", async () => {
    const { text, events } = await hear(quick, asking("When do I request holidays?", { turn: { documents: [handbook] } }));
    const tree = parse(text);
    expect(typesIn(tree)).toContain("blockquote");
    expect(textIn(tree)).toContain("Holidays must be requested two weeks ahead. [1]");
    expect(textIn(tree)).toContain("hand_book *draft*.txt");
    expect(text).not.toContain("kitchen");
    expect(events.filter(({ type }) => type === "citation")).toEqual([
      {
        type: "citation",
        citation: {
          url: "",
          file_path: handbook.name,
          title: handbook.name,
          info: { file_id: 7 },
          citation_index: 1,
        },
      },
    ]);
  });

  it("names the page, and cites each page once", async () => {
    const text = "Cats sleep a lot. Cats eat fish. Cats fear water.";
    const paged = {
      fileId: 3,
      name: "cats.pdf",
      text,
      places: { unit: "page" as const, starts: [0, text.indexOf("Cats fear")] },
    };
    const { events } = await hear(quick, asking("cats", { turn: { documents: [paged] } }));
    const citations = events.flatMap((event) => (event.type === "citation" ? [event.citation] : []));
    expect(citations.flatMap(({ info }) => info.pages ?? []).toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(citations.map(({ citation_index }) => citation_index)).toEqual([1, 2]);
  });

  it("looks into documents of earlier turns too, each once", async () => {
    const request = asking("", {
      turns: [
        { role: "user", text: "Here.", documents: [handbook] },
        { role: "assistant", text: "Thanks." },
        { role: "user", text: "When does the kitchen close?", documents: [handbook] },
      ],
    });
    const { text } = await hear(quick, request);
    expect(text.match(/kitchen closes/g)).toHaveLength(1);
  });

  it("shows how the document begins when nothing in it matches", async () => {
    const { text, events } = await hear(quick, asking("xylophone", { turn: { documents: [handbook] } }));
    expect(text).toContain("> Parking is free");
    expect(events.filter(({ type }) => type === "citation")).toHaveLength(1);
  });
});

describe("text of others in the offline model's Markdown", () => {
  it("stays literal, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("ab1 \\`*_[]()<>~|&#+-.!=:;@/é😀")) }), (raw) => {
        const line = raw.replace(/\s+/g, " ").trim();
        fc.pre(line !== "");
        const tree = parse(`> ${literal(line)}`);
        expect(typesIn(tree).filter((type) => !["root", "blockquote", "paragraph", "text", "link"].includes(type))).toEqual([]);
        expect(textIn(tree)).toBe(line);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the catalogue of the offline model", () => {
  it("has a plain, a thinking and a deprecated model with a successor", async () => {
    const entries = await quick.catalogue(never);
    expect(new Set(entries.map(({ key }) => key)).size).toBe(3);
    const thinking = entries.find(({ thinking_model }) => thinking_model);
    expect(thinking?.reasoning_efforts).toContain(thinking?.default_reasoning_effort);
    const deprecated = entries.find((entry) => entry.deprecated);
    expect(entries.find(({ key }) => key === deprecated?.successorKey)).toMatchObject({ deprecated: false });
  });

  it("thinks more with more effort, and answers the same", async () => {
    const heard = await Promise.all(
      ["low", "medium", "high"].map((reasoningEffort) =>
        hear(quick, asking("Why?", { modelKey: "offline:parley-thinking", reasoningEffort })),
      ),
    );
    const lengths = heard.map(({ thinking }) => thinking.length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBe(3);
    expect(new Set(heard.map(({ text }) => text)).size).toBe(1);
    expect(heard[0]?.events[0]?.type).toBe("thinking");
  });
});

describe("demonstrations", () => {
  it("show Markdown of every kind", async () => {
    const { text } = await hear(quick, asking("@parley Show me markdown, please!"));
    const types = new Set(typesIn(parse(text)));
    for (const type of ["table", "code", "list", "blockquote", "heading", "link", "strong", "delete", "inlineCode"])
      expect(types).toContain(type);
  });

  it.each([
    ["write 3000 words about the sea", 3000],
    ["long", 1500],
    ["write 1 words", 50],
    ["write 999999 words", 20_000],
  ])("%s gives about that many words", async (question, words) => {
    const { text } = await hear(quick, asking(question));
    const count = text.split(/\s+/).filter((word) => word !== "").length;
    expect(count).toBeGreaterThanOrEqual(words);
    expect(count).toBeLessThan(words + 60);
  });

  it("fail breaks off after some words, every time", async () => {
    for (const attempt of [1, 2]) {
      const { text, fault, events } = await hear(quick, asking("fail"));
      expect(text.length, `attempt ${attempt}`).toBeGreaterThan(50);
      expect(fault).toMatchObject({ code: "provider_demonstration" });
      expect(events.some(({ type }) => type === "usage")).toBe(false);
    }
  });

  it("fail once works when it is tried again, and fails when it is asked anew", async () => {
    const provider = offlineProvider({ clock: systemClock, passages: bestPassages, charactersPerSecond: 1e6 });
    expect((await hear(provider, asking("Fail once"))).fault).toMatchObject({ code: "provider_demonstration" });
    expect((await hear(provider, asking("Fail once"))).fault).toBeUndefined();
    expect((await hear(provider, asking("Fail once"))).fault).toMatchObject({ code: "provider_demonstration" });
  });

  it("do not come in the way of questions that only sound alike", async () => {
    for (const question of ["Why did the build fail?", "How long is the Nile?", "Explain markdown to me"])
      expect((await hear(quick, asking(question))).text).toContain("No language model is connected");
  });
});

describe("the pace", () => {
  const text = "write 200 words";

  it("is that of the clock: nothing comes early, and everything by its time", async () => {
    const clock = fakeClock();
    const provider = offlineProvider({ clock, passages: bestPassages, charactersPerSecond: 100 });
    let written = 0;
    let ended = false;
    const reading = (async () => {
      for await (const event of provider.run(asking(text), never)) if (event.type === "text") written += event.text.length;
      ended = true;
    })();
    for (let second = 1; second <= 5; second++) {
      await clock.advance(1000);
      expect(written).toBeLessThanOrEqual(second * 100);
      // A piece is given out when it is complete: one piece of words may still be missing.
      expect(written).toBeGreaterThan(second * 100 - 25);
    }
    expect(ended).toBe(false);
    await clock.advance(60_000);
    await reading;
    expect(ended).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it("is raised for very long answers, which end within a minute and a half", async () => {
    const clock = fakeClock();
    const provider = offlineProvider({ clock, passages: bestPassages, charactersPerSecond: 1 });
    const start = clock.now();
    let ended = 0;
    const reading = hear(provider, asking(text)).then(() => (ended = clock.now()));
    await clock.advance(100_000);
    await reading;
    expect(ended - start).toBeLessThanOrEqual(90_000);
  });

  it("ends at once when it is aborted, and leaves no timer", async () => {
    const clock = fakeClock();
    const provider = offlineProvider({ clock, passages: bestPassages });
    const stop = new AbortController();
    const reading = hear(provider, asking(text), stop.signal);
    await clock.advance(1000);
    stop.abort(new Error("stopped"));
    const { fault, text: heard } = await reading;
    expect(fault).toMatchObject({ message: "stopped" });
    expect(heard.length).toBeGreaterThan(0);
    expect(clock.pending).toBe(0);
  });
});
