/** A prompt's variables as a form, and what was filled in as the values of a run. */
import type { CheckedValues } from "../forms/check.ts";
import { formPurpose } from "../forms/purpose.ts";
import { usualMax, type FieldType, type FormDraft, type FormField } from "../forms.ts";
import type { PromptOrder, PromptValue } from "./order.ts";
import type { Variable } from "./variables.ts";

const types: Readonly<Record<Variable["kind"], FieldType>> = {
  text: "text",
  long: "long",
  number: "number",
  choice: "choice",
  choices: "choices",
  file: "text",
};

// A slug may have any letters; a field's name may not.
const nameOf = ({ id }: Variable): string => `v${id}`;

function fieldOf(variable: Variable): FormField {
  const { kind, name, help, fallback, required, options } = variable;
  const chosen = kind === "choices" ? options.filter((option) => fallback.split(",").some((one) => one.trim() === option)) : [];
  const usable = fallback.length <= usualMax && (kind !== "choice" || options.includes(fallback)) && kind !== "choices";
  return {
    name: nameOf(variable),
    label: name,
    type: types[kind],
    // What is left empty has the prompt's own default.
    required: required && fallback === "",
    ...(help === "" && kind !== "file" ? {} : { help: help || "The number of a file in the workspace" }),
    ...(options.length === 0 ? {} : { choices: options.map((value) => ({ value, label: value })) }),
    ...(usable && fallback !== "" ? { value: fallback } : {}),
    ...(chosen.length > 0 ? { value: chosen } : {}),
  };
}

interface About {
  readonly id: number;
  readonly name: string;
  readonly variables: readonly Variable[];
}

function valuesOf(variables: readonly Variable[], filled: CheckedValues): PromptValue[] {
  return variables.flatMap((variable) => {
    const value = filled[nameOf(variable)];
    if (value === undefined) return [];
    return [{ variable_id: variable.id, name: variable.name, value: Array.isArray(value) ? value.join(", ") : String(value) }];
  });
}

export const promptPurpose = formPurpose<About>({
  kind: "prompt",
  order: "now",
  deed: "prompt",
  run({ id, name, variables }, filled) {
    const prompt: PromptOrder = { id, name, values: valuesOf(variables, filled) };
    return Promise.resolve({ prompt });
  },
});

export const promptForm = (about: About): FormDraft => ({
  title: about.name,
  submit: "Run",
  open: "Fill in and run",
  fields: about.variables.map(fieldOf),
  forEverybody: true,
  purpose: promptPurpose.about(about),
});
