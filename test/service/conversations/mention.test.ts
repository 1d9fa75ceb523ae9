import fc from "fast-check";
import { expect, test } from "vitest";
import { mentioned } from "../../../src/service/conversations/mention.ts";

const agents = [{ tag: "sales" }, { tag: "sales-eu" }, { tag: "a_b" }, { tag: "x-" }];
const tagIn = (text: string): string | undefined => mentioned(text, agents)?.tag;

test.for<[string, string | undefined]>([
  ["@sales hello", "sales"],
  ["hello (@sales), and you", "sales"],
  ["ask @sales.", "sales"],
  ["@sales-eu hello", "sales-eu"],
  ["@sales- or not", "sales"],
  ["*@a_b* hello", "a_b"],
  ["_@a_b_ hello", "a_b"],
  ["@x- hello", "x-"],
  ["@nobody then @sales", "sales"],
  ["@sales-eu before @sales", "sales-eu"],
  ["@salesman", undefined],
  ["@sales_eu", undefined],
  ["@salesä", undefined],
  ["@Sales", undefined],
  ["me@sales.example", undefined],
  ["https://x/@sales", undefined],
  ["@@sales", undefined],
  ["@\u2060sales", undefined],
  ["sales", undefined],
])("%j addresses %j", ([text, tag]) => {
  expect(tagIn(text)).toBe(tag);
});

test("no text makes an agent answer whose tag is not in it behind an @", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("@", "s", "sales", "-", "_", "a_b", " ", ".", "é") }), (text) => {
      const tag = tagIn(text);
      return tag === undefined || text.includes(`@${tag}`);
    }),
  );
  expect(tagIn("@sales")).toBe("sales");
});
