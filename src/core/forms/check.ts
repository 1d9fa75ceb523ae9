/** Holds what was filled in against the form's fields. */
import { usualMax, type FormField, type FormValues } from "../forms.ts";

/** What a purpose is given: numbers and yes or no as such; what was left empty is absent. */
export type CheckedValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface Checked {
  readonly values: CheckedValues;
  /** By field name: what was expected. */
  readonly problems: Readonly<Record<string, string>>;
}

type Read = { readonly value: CheckedValues[string] } | { readonly problem: string } | null;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A choice by its value or by what it reads, as some platforms have it typed. */
function choiceOf({ choices = [] }: FormField, given: string): string | undefined {
  return (
    choices.find(({ value }) => value === given) ?? choices.find(({ value, label }) => same(value, given) || same(label, given))
  )?.value;
}

/** Named in full where that reads well. */
function expected({ choices = [] }: FormField): string {
  const names = choices.slice(0, 12).map(({ label, value }) => label || value);
  return `${names.join(", ")}${names.length < choices.length ? ", …" : ""}`;
}

function readOne(field: FormField, text: string): Read {
  const max = field.max ?? usualMax;
  if (text.length > max)
    return {
      problem: `Please use at most ${max.toLocaleString("en")} characters; these are ${text.length.toLocaleString("en")}.`,
    };
  switch (field.type) {
    case "number": {
      const number = Number(text.replace(",", "."));
      return Number.isFinite(number) ? { value: number } : { problem: "Please write a number, such as 3 or 0.5." };
    }
    case "yes_no": {
      if (same(text, "yes") || same(text, "no")) return { value: same(text, "yes") };
      return { problem: "Please answer yes or no." };
    }
    case "choice": {
      const value = choiceOf(field, text);
      if (value !== undefined) return { value };
      return field.source === undefined ? { problem: `Please choose one of ${expected(field)}.` } : { value: text };
    }
    case "text":
    case "long":
    case "secret":
    case "choices":
      return { value: text };
  }
}

function readMany(field: FormField, given: readonly string[]): Read {
  const values: string[] = [];
  for (const one of given) {
    const value = choiceOf(field, one);
    if (value === undefined && field.source === undefined) return { problem: `Please choose from ${expected(field)}.` };
    values.push(value ?? one);
  }
  return { value: values };
}

/** Blanks around a value are nobody's intention; a secret's are cut too, as they come along when it is pasted. */
const textsOf = (given: FormValues[string] | undefined): readonly string[] =>
  (typeof given === "string" ? [given] : (given ?? [])).map((text) => text.trim()).filter((text) => text !== "");

function readField(field: FormField, given: FormValues[string] | undefined): Read {
  // Where a platform has no menu for several, they are typed with commas.
  const split = field.type === "choices" && typeof given === "string" ? given.split(",") : given;
  const texts = textsOf(split);
  const [first] = texts;
  if (first === undefined) return field.required ? { problem: "Please fill this in." } : null;
  return field.type === "choices" ? readMany(field, texts) : readOne(field, first);
}

/** Reads `given`; fields that the form does not have are left out. */
export function checkValues(fields: readonly FormField[], given: FormValues): Checked {
  const values: Record<string, CheckedValues[string]> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const read = readField(field, Object.hasOwn(given, field.name) ? given[field.name] : undefined);
    if (read === null) continue;
    if ("problem" in read) problems[field.name] = read.problem;
    else values[field.name] = read.value;
  }
  return { values, problems };
}

/** The fields with what was typed into them, to be offered again. Secrets are typed anew. */
export const filledIn = (fields: readonly FormField[], given: FormValues): FormField[] =>
  fields.map((field) => {
    const { value: _before, ...rest } = field;
    const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    return value === undefined || field.type === "secret" ? rest : { ...rest, value };
  });
