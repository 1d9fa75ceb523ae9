/** What a prompt asks for. No documented way reads it with a key, so it is looked for wherever the workspace may tell. */
import { WorkspaceFault } from "../../errors.ts";
import type { CallOptions, Workspace } from "../workspace.ts";

export interface Variable {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly help: string;
  readonly kind: "text" | "long" | "number" | "choice" | "choices" | "file";
  readonly fallback: string;
  readonly required: boolean;
  /** Empty: anything may be written. */
  readonly options: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const first = (from: Json, names: readonly string[]): unknown => names.map((name) => from[name]).find((found) => found != null);
const textOf = (from: Json, ...names: readonly string[]): string => {
  const found = first(from, names);
  return typeof found === "string" ? found : typeof found === "number" || typeof found === "boolean" ? String(found) : "";
};

function optionsOf(from: Json): string[] {
  const found = first(from, ["options", "choices", "values", "enum"]);
  if (!Array.isArray(found)) return [];
  const texts = found.map((one: unknown) =>
    isObject(one) ? textOf(one, "value", "name", "label") : typeof one === "string" || typeof one === "number" ? String(one) : "",
  );
  return [...new Set(texts.filter((text) => text !== ""))];
}

function kindOf(type: string, options: readonly string[], several: boolean): Variable["kind"] {
  if (options.length > 0) return several ? "choices" : "choice";
  if (/file|image|document/i.test(type)) return "file";
  if (/long|multi|area|paragraph/i.test(type)) return "long";
  return /num|int|float|decimal/i.test(type) ? "number" : "text";
}

function variableOf(from: unknown): Variable | undefined {
  if (!isObject(from)) return undefined;
  const id = Number(first(from, ["variable_id", "ID", "id"]));
  const slug = textOf(from, "slug", "key");
  if (!Number.isSafeInteger(id) || id <= 0 || slug === "") return undefined;
  const options = optionsOf(from);
  return {
    id,
    slug,
    name: textOf(from, "name", "label", "title") || slug,
    help: textOf(from, "description", "help"),
    kind: kindOf(textOf(from, "data_type", "type"), options, from["is_multi_select"] === true),
    fallback: textOf(from, "default_value", "default"),
    required: from["required"] === true,
    options,
  };
}

/** Objects within objects that are looked into. */
const deepest = 6;

/** The array under `variables`, nearest to the top; undefined where there is none. */
function arrayIn(value: unknown, depth = 0): readonly unknown[] | undefined {
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) return value.map((one) => arrayIn(one, depth + 1)).find((found) => found !== undefined);
  if (!isObject(value)) return undefined;
  if (Array.isArray(value["variables"])) return value["variables"];
  return Object.values(value)
    .map((one) => arrayIn(one, depth + 1))
    .find((found) => found !== undefined);
}

/** Whether a prompt's content that stands somewhere in `value` has a place for a variable. */
function hasPlaces(value: unknown, depth = 0): boolean {
  if (depth > deepest || typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, one]) =>
    name === "content" && typeof one === "string" ? /\{\{[^{}]+\}\}/.test(one) : hasPlaces(one, depth + 1),
  );
}

/**
 * Variables, as somebody's answer has them, in the order of their `sort`.
 * Undefined: the answer does not tell of all of them, so nothing may be made of it.
 */
function readVariables(answer: unknown): readonly Variable[] | undefined {
  const found = arrayIn(answer);
  if (found === undefined)
    return hasPlaces(answer) || !isObject(answer) ? undefined : "current_version" in answer ? [] : undefined;
  const read = found.map((one) => ({ variable: variableOf(one), sort: isObject(one) ? Number(one["sort"] ?? 0) : 0 }));
  if (read.some(({ variable }) => variable === undefined)) return undefined;
  return read
    .toSorted((a, b) => a.sort - b.sort)
    .map(({ variable }) => variable)
    .filter((variable) => variable !== undefined);
}

/** A fault after which another way may still tell. A key that is not accepted, or a workspace that is away, ends the search. */
const tellsNothing = (thrown: unknown): boolean =>
  thrown instanceof WorkspaceFault && ["not_found", "forbidden", "rejected", "malformed", "unavailable"].includes(thrown.kind);

const otherwise = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (thrown) {
    if (tellsNothing(thrown)) return undefined;
    throw thrown;
  }
};

/** Asks the tool server, else the prompt's earlier runs. Undefined: neither tells. */
export async function variablesOf(
  { tools, prompts }: Workspace,
  promptId: number,
  options: CallOptions,
): Promise<readonly Variable[] | undefined> {
  const told = readVariables(await otherwise(tools.call("get_prompt", { id: promptId }, options)));
  if (told !== undefined) return told;
  const runs = await otherwise(prompts.runHistory(promptId, { ...options, size: 1 }));
  // Without their types, and with what they were given the last time in the place of defaults.
  return runs?.items[0]?.variables.map(({ variable_id, slug, value }) => ({
    id: variable_id,
    slug,
    name: slug,
    help: "",
    kind: "text",
    fallback: value,
    required: false,
    options: [],
  }));
}
