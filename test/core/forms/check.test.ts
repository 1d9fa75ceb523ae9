import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkValues, filledIn } from "../../../src/core/forms/check.ts";
import type { FieldType, FormField } from "../../../src/core/forms.ts";

const colours = [
  { value: "r", label: "Red" },
  { value: "g", label: "Green" },
];
const field = (type: FieldType, over: Partial<FormField> = {}): FormField => ({
  name: "it",
  label: "It",
  type,
  required: false,
  ...(type === "choice" || type === "choices" ? { choices: colours } : {}),
  ...over,
});

describe("what is filled into a field", () => {
  test.each<[string, FormField, string | string[], unknown]>([
    ["text, without the blanks around it", field("text"), "  tea ", "tea"],
    ["a number", field("number"), "3.5", 3.5],
    ["a number as some write it", field("number"), "3,5", 3.5],
    ["yes", field("yes_no"), "Yes", true],
    ["no", field("yes_no"), "no", false],
    ["a choice by its value", field("choice"), "g", "g"],
    ["a choice by what it reads, typed", field("choice"), "green", "g"],
    ["something that only a search would find", field("choice", { source: "models" }), "Rare 9", "Rare 9"],
    ["choices from a menu", field("choices"), ["r", "g"], ["r", "g"]],
    ["choices, typed", field("choices"), "red, Green", ["r", "g"]],
  ])("%s", (_name, one, given, value) => {
    expect(checkValues([one], { it: given })).toEqual({ values: { it: value }, problems: {} });
  });

  test.each<[string, FormField, string | string[] | undefined, string]>([
    ["nothing where something is needed", field("text", { required: true }), "  ", "Please fill this in."],
    ["no value at all", field("choice", { required: true }), undefined, "Please fill this in."],
    ["no number", field("number"), "three", "Please write a number, such as 3 or 0.5."],
    ["neither yes nor no", field("yes_no"), "maybe", "Please answer yes or no."],
    ["no choice", field("choice"), "blue", "Please choose one of Red, Green."],
    ["one that is none of the choices", field("choices"), ["r", "blue"], "Please choose from Red, Green."],
    ["too much", field("text", { max: 3 }), "four", "Please use at most 3 characters; these are 4."],
    ["more than any platform takes", field("long"), "x".repeat(3_001), "Please use at most 3,000 characters; these are 3,001."],
  ])("%s is a problem that says what was expected", (_name, one, given, problem) => {
    expect(checkValues([one], given === undefined ? {} : { it: given })).toEqual({ values: {}, problems: { it: problem } });
  });

  test("nothing, where nothing is needed, is no value", () => {
    expect(checkValues([field("text"), field("choices", { name: "more" })], { it: "", more: [] })).toEqual({
      values: {},
      problems: {},
    });
  });
});

test("what is offered again has what was typed, but no secret", () => {
  const fields = [field("text", { value: "before" }), field("secret", { name: "key" }), field("choices", { name: "more" })];
  expect(filledIn(fields, { it: "typed", key: "hidden", more: ["r"] })).toEqual([
    field("text", { value: "typed" }),
    field("secret", { name: "key" }),
    field("choices", { name: "more", value: ["r"] }),
  ]);
});

test("whatever is sent is a value or a problem of a field of the form, and never both", () => {
  const types = fc.constantFrom<FieldType>("text", "long", "secret", "choice", "choices", "number", "yes_no");
  const names = fc.constantFrom("a", "b", "__proto__", "constructor");
  const fields = fc.uniqueArray(fc.record({ name: names, type: types, required: fc.boolean() }), {
    selector: ({ name }) => name,
  });
  const given = fc.dictionary(fc.oneof(names, fc.string()), fc.oneof(fc.string(), fc.array(fc.string())));
  fc.assert(
    fc.property(fields, given, (kinds, typed) => {
      const form = kinds.map(({ name, type, required }) => field(type, { name, required }));
      const { values, problems } = checkValues(form, typed);
      for (const one of Object.keys({ ...values, ...problems })) expect(form.map(({ name }) => name)).toContain(one);
      for (const { name, required } of form) {
        if (name === "__proto__") continue;
        expect(Object.hasOwn(values, name) && Object.hasOwn(problems, name)).toBe(false);
        expect(required && !Object.hasOwn(values, name)).toBe(required && Object.hasOwn(problems, name));
      }
    }),
  );
});
