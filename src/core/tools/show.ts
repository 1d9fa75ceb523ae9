/** A tool's answer as people read it: lists as tables, records line by line, everything as literal text. */
import { literalMarkdown } from "../words.ts";
import { oneLine } from "../shorten.ts";

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** What fits a phone. */
const most = { rows: 20, columns: 4, cell: 60, fields: 40, value: 600, text: 3_000, depth: 2, listed: 8 } as const;

/** Columns that say most about a record, in this order. */
const telling = ["ID", "id", "name", "title", "slug", "tag", "email", "status", "kind", "type", "description", "text"];
/** Columns that say little. */
const dull = /^(CreatedAt|UpdatedAt|DeletedAt|created_at|updated_at|deleted_at|user_id|color|icon|.*_path|path)$/;

export interface Shown {
  readonly markdown: string;
  /** Items of a list that came; null where it is none. */
  readonly count: number | null;
  /** Items that there are, as far as the tool says so. */
  readonly total: number | null;
}

/** Long texts are folded, and say how much there is more. */
function folded(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).toWellFormed()}… (${(text.length - longest).toLocaleString("en")} characters more)`;
}

const plain = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
/** A column's name is the tool's: one such as `valueOf` is not what every object inherits. */
const cellOf = (item: Json, name: string): unknown => (Object.hasOwn(item, name) ? item[name] : undefined);

/** Blanks at a line's begin, and a line of `=`, would make more of it than text. */
const literal = (text: string): string =>
  text
    .split("\n")
    .map((line) => literalMarkdown(line.trim()).replace(/^=/, "\\="))
    .join("  \n")
    .trim();
const lineOf = (value: unknown, longest: number): string => literalMarkdown(oneLine(plain(value), longest));

interface List {
  readonly items: readonly unknown[];
  readonly total: number | null;
}

/** A list, or an object that is about one. */
function listIn(value: unknown): List | null {
  if (Array.isArray(value)) return { items: value, total: null };
  if (!isObject(value)) return null;
  const lists = Object.values(value).filter((one) => Array.isArray(one));
  const total = [value["total_count"], value["total"]].find((one) => typeof one === "number") ?? null;
  const [items, ...others] = lists;
  const about = total !== null || Object.keys(value).length === 1;
  return items === undefined || others.length > 0 || !about ? null : { items, total: total as number | null };
}

function columnsOf(items: readonly Json[]): string[] {
  const isScalar = (value: unknown): boolean => !isObject(value) && !Array.isArray(value);
  const says = (name: string): boolean => items.some((item) => plain(cellOf(item, name)) !== "" && isScalar(cellOf(item, name)));
  const all = [...new Set(items.flatMap((item) => Object.keys(item)))].filter(says);
  const rank = (name: string): number => {
    const at = telling.indexOf(name);
    return at >= 0 ? at : dull.test(name) ? 1_000 : 100;
  };
  return all.toSorted((a, b) => rank(a) - rank(b)).slice(0, most.columns);
}

function tableOf(items: readonly Json[]): string {
  const columns = columnsOf(items);
  if (columns.length === 0) return items.map((item) => `- ${lineOf(item, most.value)}`).join("\n");
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    row(columns.map(literalMarkdown)),
    row(columns.map(() => "---")),
    ...items.map((item) => row(columns.map((name) => lineOf(cellOf(item, name), most.cell)))),
  ].join("\n");
}

/** `10 of 40`, or `11–20 of 40` further on. */
function counted(shown: number, { total }: List, offset: number): string {
  const of = total === null ? "" : ` of ${total}`;
  const range = offset > 0 && shown > 0 ? `${offset + 1}–${offset + shown}` : String(shown);
  return `${range}${of}`;
}

function linesOf(value: Json, depth: number): string[] {
  const indent = "  ".repeat(depth);
  const entries = Object.entries(value).filter(([, one]) => plain(one) !== "" && plain(one) !== "[]" && plain(one) !== "{}");
  const lines = entries.slice(0, most.fields).flatMap(([name, one]): string[] => {
    const label = `${indent}- **${lineOf(name, most.cell) || "no name"}**`;
    if (isObject(one) && depth < most.depth) return [label, ...linesOf(one, depth + 1)];
    if (Array.isArray(one) && one.some(isObject) && depth < most.depth) {
      const rest = one.length - most.listed;
      // A line of nothing but its dash would make a heading of the one above.
      const shown = one.slice(0, most.listed).map((item) => `${indent}  - ${lineOf(nameOf(item), most.value) || "empty"}`);
      return [`${label} (${one.length})`, ...shown, ...(rest > 0 ? [`${indent}  - … and ${rest} more`] : [])];
    }
    const text = Array.isArray(one) ? one.map(plain).join(", ") : plain(one);
    return [`${label}: ${literalMarkdown(folded(text.replace(/\s+/g, " "), most.value))}`];
  });
  const rest = entries.length - most.fields;
  return rest > 0 ? [...lines, `${indent}- … and ${rest} more fields`] : lines;
}

/** A record within a record is named, where it has a name. */
function nameOf(item: unknown): unknown {
  if (!isObject(item)) return item;
  const parts = [item["ID"] ?? item["id"], item["name"] ?? item["title"] ?? item["slug"] ?? item["text"]];
  const known = parts.filter((part) => part !== undefined && part !== null && part !== "");
  return known.length === 0 ? item : known.map(plain).join(" ");
}

/** @param offset how many items were left out before those that came */
export function shownResult(value: unknown, offset = 0): Shown {
  const list = listIn(value);
  if (list !== null) {
    const { items, total } = list;
    const shown = items.slice(0, most.rows);
    const records = shown.filter(isObject);
    const body =
      records.length === shown.length ? tableOf(records) : shown.map((one) => `- ${lineOf(one, most.value)}`).join("\n");
    const head = items.length === 0 && offset === 0 ? "There are none." : counted(shown.length, list, offset);
    return {
      markdown: shown.length === 0 ? head : `${head}:\n\n${body}`,
      count: shown.length,
      total: total ?? items.length + offset,
    };
  }
  const lines = isObject(value) ? linesOf(value, 0) : [];
  const markdown = lines.length > 0 ? lines.join("\n") : literal(folded(plain(value), most.text));
  return {
    markdown: markdown === "" || markdown === "\\{\\}" ? "Done. The tool says nothing more." : markdown,
    count: null,
    total: null,
  };
}
