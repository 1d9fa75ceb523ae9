import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { read } from "../../adapters/console/address.ts";

const textOf = (text: string): string =>
  read(text)
    .runs.map((run) => ("typed" in run ? run.typed : "quoted" in run ? run.quoted : run.name))
    .join("");

describe("what was typed", () => {
  it.each([
    ["@parley hello", "hello"],
    ["@Parley, hello", "hello"],
    ["hello @PARLEY: you", "hello you"],
    ["(@parley) hello", "() hello"],
    ["@parley\nhello", "hello"],
    ["hello @parley.", "hello ."],
  ])("takes the mention out of %j", (text, rest) => {
    expect(read(text)).toMatchObject({ mentioned: true, runs: [{ typed: rest }] });
  });

  it.each(["me@parley.example", "@parley-test hello", "@parleys", "x@parley", "@parley.example/a", "parley", "`/@parley`"])(
    "finds no mention in %j",
    (text) => {
      expect(read(text).mentioned).toBe(false);
      expect(textOf(text)).toBe(text);
    },
  );

  it("keeps quoted lines apart, so that they address nobody", () => {
    expect(read("> @legal said no\n> @parley too\nis that so?")).toEqual({
      mentioned: false,
      runs: [{ quoted: "> @legal said no\n> @parley too" }, { typed: "\nis that so?" }],
      command: null,
    });
  });

  it.each([
    ["/style brief", "style", "brief"],
    ["/Stop", "stop", ""],
    ["@parley /image a lighthouse\nat night", "image", "a lighthouse\nat night"],
    ["  /unknown x", "unknown", "x"],
  ])("reads the command in %j", (text, name, rest) => {
    expect(read(text).command).toEqual({ name, text: rest });
  });

  it.each(["/usr/bin is full", "look at /style", "/ style", "//style", "> /style"])("finds no command in %j", (text) => {
    expect(read(text).command).toBeNull();
  });

  it("says nothing for a mention alone", () => {
    expect(read(" @parley ")).toEqual({ mentioned: true, runs: [], command: null });
  });

  it("loses nothing of a text without a mention but the space around it", () => {
    const line = fc.constantFrom("word", "> quote", "", "  indented", "/x y", "ends ");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.join("\n");
        expect(textOf(text).replace(/\s+/g, " ").trim()).toBe(text.replace(/\s+/g, " ").trim());
      }),
    );
  });

  it("reads any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(read(text).runs.every((run) => Object.values(run)[0] !== "")).toBe(true);
      }),
    );
  });
});
