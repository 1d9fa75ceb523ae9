/** What a tool takes, read from its JSON Schema, and values for it, read from what people write. */

type Json = Readonly<Record<string, unknown>>;
type Scalar = "string" | "integer" | "number" | "boolean";

export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly required: boolean;
  /** `one`: a value of any of `types`; `list`: several of them, one a line; `json`: anything else, written as JSON. */
  readonly shape: "one" | "list" | "json";
  readonly types: readonly Scalar[];
  /** The only values that there are; empty: any of `types`. */
  readonly options: ReadonlyArray<string | number | boolean>;
  /** As the schema states it; null where it does not. */
  readonly longest: number | null;
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): value is string | number | boolean => ["string", "number", "boolean"].includes(typeof value);
const scalars: readonly string[] = ["string", "integer", "number", "boolean"] satisfies readonly Scalar[];

/** What a value may be; null: something that has to be written as JSON. */
function scalarOf(schema: unknown): Pick<Argument, "types" | "options" | "longest"> | null {
  if (!isObject(schema)) return null;
  const either = [schema["anyOf"], schema["oneOf"]].find((one) => Array.isArray(one));
  if (Array.isArray(either)) {
    const read = either.filter((one) => !(isObject(one) && one["type"] === "null")).map(scalarOf);
    const known = read.filter((one) => one !== null);
    if (known.length === 0 || known.length < read.length) return null;
    return {
      types: [...new Set(known.flatMap(({ types }) => types))],
      // An option among free values says nothing of what else there may be.
      options: known.every(({ options }) => options.length > 0) ? known.flatMap(({ options }) => options) : [],
      longest: known.length === 1 ? (known[0]?.longest ?? null) : null,
    };
  }
  const values = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : [];
  const options = values.filter(isScalar);
  if (options.length > 0) return { types: ["string"], options, longest: null };
  const named = (Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]]).filter((type) => type !== "null");
  if (named.length === 0 || !named.every((type) => typeof type === "string" && scalars.includes(type))) return null;
  const longest = schema["maxLength"];
  return { types: named as Scalar[], options: [], longest: typeof longest === "number" ? longest : null };
}

function argumentOf(name: string, schema: unknown, required: boolean): Argument {
  const { description, default: usual } = isObject(schema) ? schema : {};
  const words = typeof description === "string" ? description.replace(/\s+/g, " ").trim() : "";
  const without = isScalar(usual) && usual !== "" ? `Without it ${String(usual)}` : "";
  const help = [words, without].filter((part) => part !== "").join(". ");
  const around = { name, help, required: required && usual === undefined };
  const one = scalarOf(schema);
  if (one !== null) return { ...around, shape: "one", ...one };
  const items = isObject(schema) && schema["type"] === "array" ? scalarOf(schema["items"]) : null;
  if (items !== null) return { ...around, shape: "list", ...items };
  return { ...around, shape: "json", types: [], options: [], longest: null };
}

/** Those that a list is turned over with. */
const turning = ["limit", "offset"];

/** What is required first, and what turns pages last. */
export function argumentsOf(schema: Json): readonly Argument[] {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const all = Object.entries(properties).map(([name, one]) => argumentOf(name, one, required.includes(name)));
  const rank = (one: Argument): number => (one.required ? 0 : turning.includes(one.name) ? 2 : 1);
  return all.toSorted((a, b) => rank(a) - rank(b));
}

type Read = { readonly value: unknown } | { readonly problem: string };

const named: Readonly<Record<Scalar, string>> = {
  string: "words",
  integer: "a whole number",
  number: "a number",
  boolean: "yes or no",
};

/** A value of one of the types; what reads as a number is one where there may be numbers. */
function readScalar({ types, options, longest }: Argument, text: string): Read {
  if (options.length > 0) {
    const found = options.find((option) => String(option).toLowerCase() === text.toLowerCase());
    return found === undefined
      ? { problem: `Please choose one of ${options.slice(0, 12).map(String).join(", ")}.` }
      : { value: found };
  }
  const number = Number(text);
  if (text !== "" && types.includes("integer") && Number.isSafeInteger(number)) return { value: number };
  if (text !== "" && types.includes("number") && Number.isFinite(number)) return { value: number };
  if (types.includes("boolean") && /^(yes|true|no|false)$/i.test(text)) return { value: /^(yes|true)$/i.test(text) };
  if (!types.includes("string")) return { problem: `Expected ${types.map((type) => named[type]).join(" or ")}.` };
  if (longest !== null && text.length > longest)
    return {
      problem: `Please use at most ${longest.toLocaleString("en")} characters; these are ${text.length.toLocaleString("en")}.`,
    };
  return { value: text };
}

function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'This is no JSON. Expected something like {"name": "value"} or ["one", "two"].' };
  }
}

/** Reads one argument. @param between what stands between the values of a list */
export function readArgument(argument: Argument, text: string, between: RegExp): Read {
  if (argument.shape === "json") return readJson(text);
  if (argument.shape === "one") return readScalar(argument, text.trim());
  const read = text
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => readScalar(argument, part));
  const wrong = read.find((one) => "problem" in one);
  return wrong ?? { value: read.map((one) => ("value" in one ? one.value : null)) };
}
