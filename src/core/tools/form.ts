/** A tool's arguments as a form, and what was filled in as its arguments again. */
import type { CheckedValues } from "../forms/check.ts";
import { formPurpose, type FormPurpose } from "../forms/purpose.ts";
import type { FormDraft, FormField } from "../forms.ts";
import { readArgument, type Argument } from "./arguments.ts";
import { runTool } from "./run.ts";

interface About {
  readonly tool: string;
  readonly known: readonly Argument[];
}

/** Arguments whose words are often more than a line. */
const longNames = /^(text|message|content|body|prompt|query|sql|description|instructions?|system_prompt|data)$/i;

const nameOf = (at: number): string => `a${at}`;

function fieldOf({ name, help, required, shape, types, options, longest }: Argument, at: number): FormField {
  const around = { name: nameOf(at), label: name, required };
  const choices = options.map((value) => ({ value: String(value), label: String(value) }));
  const hint = (more: string) => ({ help: [help, more].filter((part) => part !== "").join(". ") });
  const helped = help === "" ? {} : { help };
  if (shape === "json") return { ...around, type: "long", ...hint('As JSON, such as {"name": "value"}') };
  if (shape === "list")
    return choices.length > 0
      ? { ...around, type: "choices", ...helped, choices }
      : { ...around, type: "long", ...hint("One a line") };
  if (choices.length > 0) return { ...around, type: "choice", ...helped, choices };
  const [type, ...others] = types;
  if (others.length === 0 && type === "boolean") return { ...around, type: "yes_no", ...helped };
  if (types.every((one) => one === "integer" || one === "number")) return { ...around, type: "number", ...helped };
  return { ...around, type: longNames.test(name) || (longest ?? 0) > 300 ? "long" : "text", ...helped };
}

const textOf = (value: CheckedValues[string]): string => (Array.isArray(value) ? value.join("\n") : String(value));

function readFilled(
  known: readonly Argument[],
  filled: CheckedValues,
): { readonly args: Readonly<Record<string, unknown>>; readonly wrong: Readonly<Record<string, string>> } {
  const args: Record<string, unknown> = {};
  const wrong: Record<string, string> = {};
  for (const [at, argument] of known.entries()) {
    const value = filled[nameOf(at)];
    if (value === undefined) continue;
    const read = readArgument(argument, textOf(value), /\n/);
    if ("problem" in read) wrong[nameOf(at)] = read.problem;
    else args[argument.name] = read.value;
  }
  return { args, wrong };
}

const toolForms = formPurpose<About>({
  kind: "tool",
  order: "now",
  deed: "tool",
  run({ tool, known }, filled, context) {
    const { args, wrong } = readFilled(known, filled);
    return Object.keys(wrong).length > 0 ? Promise.resolve({ wrong }) : runTool(tool, args, context);
  },
});
export const toolPurpose: FormPurpose = toolForms;

/**
 * The forms of a tool. What does not fit one page is in a second form with everything, so that nobody has to turn
 * pages for what they leave out.
 * @param size fields that the platform shows at once
 */
export function toolDrafts(tool: string, known: readonly Argument[], size: number): readonly FormDraft[] {
  if (known.length === 0) return [];
  const draft = (open: string, fields: readonly Argument[]): FormDraft => ({
    title: tool,
    submit: "Run",
    open,
    fields: fields.map(fieldOf),
    purpose: toolForms.about({ tool, known: fields }),
  });
  const required = known.filter((one) => one.required).length;
  const first = known.slice(0, Math.max(size, required));
  return first.length === known.length ? [draft("Fill in", known)] : [draft("Fill in", first), draft("More options", known)];
}
