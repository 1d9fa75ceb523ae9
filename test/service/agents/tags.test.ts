import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentTagPattern } from "../../../src/contract/bodies.ts";
import { freeTag, tagOf } from "../../../src/service/agents/tags.ts";

describe("a tag made from a name", () => {
  test.each([
    ["Release Notes", "release-notes"],
    ["R&D_2", "r-d_2"],
    ["  Émile! ", "mile"],
    ["日本", "agent"],
    ["a".repeat(80), "a".repeat(50)],
  ])("%j gives %j", (name, tag) => {
    expect(tagOf(name)).toBe(tag);
  });

  test("has the form of a tag, and is free, whatever the name and whatever is taken", () => {
    const taken = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{0,50}$/), { maxLength: 5 });
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), taken, (name, others) => {
        const tag = tagOf(name);
        const free = freeTag(tag, new Set([tag, ...others]));
        expect(tag).toMatch(agentTagPattern);
        expect(free).toMatch(agentTagPattern);
        expect([tag, ...others]).not.toContain(free);
      }),
    );
  });
});
