import { describe, expect, it } from "vitest";
import { commands } from "./host.ts";

// A module of the page, which has no types of its own.
// oxlint-disable-next-line typescript/no-explicit-any
const page = (await import(new URL("../../adapters/console/page/suggest.js", import.meta.url).href)) as Record<string, any>;
const { accept, commandItems, matching, nameItems, wantedAt } = page;

const all = [
  ...commands,
  {
    name: "ask",
    help: "Asks",
    options: [
      { name: "question", help: "What to ask", type: "text", required: true },
      { name: "agent", help: "Who", type: "text", required: false, source: "agents" },
      { name: "picture", help: "Attached, not typed", type: "file", required: false },
    ],
  },
];
const at = (text: string) => wantedAt(text, text.length, all);

describe("suggestions at the caret", () => {
  it.each([
    ["/", "command", "", 0],
    ["/st", "command", "st", 0],
    ["@parley /st", "command", "st", 8],
    ["@", "agent", "", 0],
    ["ask @le", "agent", "le", 4],
    ["(@le", "agent", "le", 1],
    ["/style br", "option", "br", 7],
    ["/style ", "option", "", 7],
    ["/ask why agent:le", "option", "le", 15],
    ["/ask what @le", "agent", "le", 10],
  ])("%j asks for a %s", (text, kind, query, from) => {
    expect(at(text)).toMatchObject({ kind, query, from, to: text.length });
  });

  it.each(["", "hello", "me@parley", "a /st", "/help ", "/nonsense x", "@le gal"])("%j asks for nothing", (text) => {
    expect(at(text)).toBeNull();
  });

  it("lists commands with their options, and names of options that begin like what was typed", () => {
    expect(commandItems(at("/as"), all)).toEqual([{ value: "/ask", label: "/ask <question> [agent]", detail: "Asks" }]);
    expect(nameItems(at("/ask why pic"))).toEqual([]);
    expect(nameItems(at("/ask why ag"))).toEqual([{ value: "agent:", label: "agent:", detail: "Who" }]);
  });

  it("puts what begins like the query before what only has it in it", () => {
    const items = ["informal", "formal", "brief"].map((value) => ({ value, label: value }));
    expect(matching(items, "form").map((item: { value: string }) => item.value)).toEqual(["formal", "informal"]);
  });

  it.each([
    ["/st", "/style", "/style "],
    ["@parley /st", "/style", "@parley /style "],
    ["ask @le", "@legal", "ask @legal "],
    ["/ask why ag", "agent:", "/ask why agent:"],
    ["/ask why agent:l", "@legal", "/ask why agent:@legal "],
    ["/ask why agent:l", "the lawyer", '/ask why agent:"the lawyer" '],
    ["/model sm", "Small One", "/model Small One "],
  ])("makes %j with %j into %j", (text, value, whole) => {
    expect(accept(text, at(text), value)).toEqual({ text: whole, caret: whole.length });
  });

  it("keeps what stands behind the caret", () => {
    expect(accept("ask @le about it", wantedAt("ask @le about it", 7, all), "@legal").text).toBe("ask @legal about it");
  });
});
