/** What people type on Discord, read into runs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText, type Names } from "../../adapters/discord/inbound/text.ts";

const names: Names = {
  person: (id) => ({ "7": "Ann" })[id],
  channel: (id) => ({ "5": "general" })[id],
  role: (id) => ({ "6": "crew" })[id],
};
const self = { id: "1", role: "2" };
const read = (content: string) => readText(content, self, names);

describe("text of Discord", () => {
  it("takes the mention out, wherever it stands, and knows the role that stands for Parley", () => {
    expect(read("<@1> hi")).toEqual({ mentioned: true, runs: [{ typed: "hi" }] });
    expect(read("hi <@!1>")).toEqual({ mentioned: true, runs: [{ typed: "hi" }] });
    expect(read("hey <@&2>, what now?")).toEqual({ mentioned: true, runs: [{ typed: "hey what now?" }] });
    expect(read("<@7> hi")).toEqual({ mentioned: false, runs: [{ name: "Ann" }, { typed: " hi" }] });
  });

  it("reads names for ids, and says so where it knows none", () => {
    expect(read("<@7> <#5> <@&6> <:ok:12> <a:dance:13> </ask:14> <t:0:R>").runs.map((run) => Object.values(run)[0])).toEqual([
      "Ann",
      " ",
      "#general",
      " ",
      "crew",
      " ",
      ":ok:",
      " ",
      ":dance:",
      " ",
      "/ask",
      " ",
      "1970-01-01T00:00:00.000Z",
    ]);
    expect(read("<@99> <#98> <@&97>").runs).toEqual([
      { name: "somebody" },
      { typed: " " },
      { name: "#a-channel" },
      { typed: " " },
      { name: "a role" },
    ]);
  });

  it("keeps quotes apart, and does not take a quoted mention for one", () => {
    expect(read("> <@1> said\nyes")).toEqual({ mentioned: false, runs: [{ quoted: "> somebody said" }, { typed: "\nyes" }] });
    expect(read("a\n>>> b\nc").runs).toEqual([{ typed: "a" }, { quoted: "\n>>> b\nc" }]);
    expect(read(">b").runs).toEqual([{ typed: ">b" }]);
  });

  it("loses no word of what was typed, whatever it is", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("<@1>", "<@7>", "<#5>", "\n> ", "\n>>> ", "@all", "<@", "<t:9999999999999>"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const content = pieces.join("");
        const { runs } = read(content);
        const text = runs.map((run) => Object.values(run)[0]).join("");
        expect(text.replace(/\s/g, "").length).toBeGreaterThanOrEqual(content.replace(/<[^>]*>[,:]?|\s/g, "").length);
        expect(JSON.parse(JSON.stringify(runs))).toEqual(runs);
      }),
      { numRuns: 500 },
    );
  });
});
