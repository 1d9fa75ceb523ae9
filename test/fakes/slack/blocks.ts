/** Slack's documented limits of blocks, checked as the real one does: the first thing wrong refuses the whole message. */
import { refuse } from "./errors.ts";
import type { Json } from "./state.ts";

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const invalid = (where: string, what: string): never => refuse("invalid_blocks", `[ERROR] ${what} [json-pointer:${where}]`);

function bounded(value: unknown, most: number, where: string, least = 1): void {
  const length = Array.from(text(value)).length;
  if (length > most) invalid(where, `must be less than ${most + 1} characters`);
  if (length < least) invalid(where, `must be more than ${least - 1} characters`);
}

function textObject(value: unknown, most: number, where: string, kinds: readonly string[] = ["plain_text", "mrkdwn"]): void {
  const object = value as Json | undefined;
  if (object === undefined || !kinds.includes(text(object["type"]))) return invalid(where, `expected one of ${kinds.join(", ")}`);
  bounded(object["text"], most, `${where}/text`);
}

function element(value: Json, where: string, actionIds: Set<string>): void {
  const id = text(value["action_id"]);
  if (id !== "") {
    if (actionIds.has(id)) invalid(where, `action_id "${id}" already exists`);
    actionIds.add(id);
    bounded(id, 255, `${where}/action_id`);
  }
  switch (value["type"]) {
    case "button":
      textObject(value["text"], 75, `${where}/text`, ["plain_text"]);
      bounded(value["value"], 2_000, `${where}/value`, 0);
      bounded(value["url"], 3_000, `${where}/url`, 0);
      if (value["style"] !== undefined && !["primary", "danger"].includes(text(value["style"]))) invalid(where, "unknown style");
      return;
    case "static_select":
    case "external_select":
    case "multi_static_select":
    case "multi_external_select":
    case "overflow":
    case "radio_buttons":
    case "checkboxes": {
      const options = list(value["options"]);
      if (options.length > 100) invalid(`${where}/options`, "no more than 100 items allowed");
      if (text(value["type"]).endsWith("static_select") && options.length === 0 && value["option_groups"] === undefined)
        invalid(`${where}/options`, "must provide options");
      for (const [index, option] of options.entries()) {
        textObject(option["text"], 75, `${where}/options/${index}/text`);
        bounded(option["value"], 150, `${where}/options/${index}/value`);
        if (option["description"] !== undefined) textObject(option["description"], 75, `${where}/options/${index}/description`);
      }
      const initial = value["initial_option"] as Json | undefined;
      if (initial !== undefined && options.length > 0 && !options.some((option) => option["value"] === initial["value"]))
        invalid(`${where}/initial_option`, "not in options");
      for (const one of list(value["initial_options"]))
        if (options.length > 0 && !options.some((option) => option["value"] === one["value"]))
          invalid(`${where}/initial_options`, "not in options");
      const several = text(value["type"]).startsWith("multi_") || value["type"] === "checkboxes";
      if (value[several ? "initial_option" : "initial_options"] !== undefined) invalid(where, "unexpected initial option");
      return;
    }
    case "plain_text_input":
      bounded(value["initial_value"], Number(value["max_length"] ?? 3_000), `${where}/initial_value`, 0);
      if (Number(value["max_length"] ?? 1) < 1 || Number(value["max_length"] ?? 1) > 3_000)
        invalid(where, "unexpected max_length");
      return;
    case "feedback_buttons":
      for (const side of ["positive_button", "negative_button"]) {
        const button = value[side] as Json | undefined;
        textObject(button?.["text"], 75, `${where}/${side}/text`, ["plain_text"]);
        bounded(button?.["value"], 2_000, `${where}/${side}/value`);
      }
      return;
    case "conversations_select":
    case "icon_button":
    case "image":
    case "file_input":
      return;
    case "mrkdwn":
    case "plain_text":
      return textObject(value, 3_000, where);
    default:
      invalid(where, `unsupported element ${text(value["type"])}`);
  }
}

const inlineTypes = new Set(["text", "link", "user", "usergroup", "channel", "broadcast", "emoji", "date", "color", "team"]);
const richTypes = new Set(["rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote"]);

function richText(value: Json, where: string): void {
  const elements = list(value["elements"]);
  if (elements.length === 0 && value["type"] !== "rich_text_section") invalid(where, "elements must not be empty");
  for (const [index, one] of elements.entries()) {
    const at = `${where}/elements/${index}`;
    const type = text(one["type"]);
    if (
      value["type"] === "rich_text"
        ? !richTypes.has(type)
        : value["type"] === "rich_text_list"
          ? type !== "rich_text_section"
          : !inlineTypes.has(type)
    )
      invalid(at, `unsupported rich text element ${type}`);
    if (richTypes.has(type)) richText(one, at);
    if (type === "text") bounded(one["text"], 100_000, `${at}/text`);
    if (type === "link") {
      bounded(one["url"], 3_000, `${at}/url`);
      if (!/^(https?:|mailto:|tel:|slack:)/i.test(text(one["url"]))) invalid(`${at}/url`, "invalid url");
    }
  }
}

/** Characters that a reader sees, anywhere in a block. */
export function charactersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + charactersOf(one), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, one]) =>
      sum +
      (typeof one === "string"
        ? ["text", "url", "alt_text", "image_url", "title"].includes(name)
          ? Array.from(one).length
          : 0
        : charactersOf(one)),
    0,
  );
}

function table(block: Json, where: string): void {
  const rows = block["rows"];
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > 100) return invalid(`${where}/rows`, "expected 1 to 100 rows");
  for (const [index, row] of (rows as unknown[]).entries()) {
    const cells = list(row);
    if (cells.length === 0 || cells.length > 20) invalid(`${where}/rows/${index}`, "expected 1 to 20 cells");
    for (const [column, cell] of cells.entries()) {
      const at = `${where}/rows/${index}/${column}`;
      if (cell["type"] === "raw_text") bounded(cell["text"], 10_000, `${at}/text`);
      else if (cell["type"] === "rich_text") richText(cell, at);
      else invalid(at, "expected raw_text or rich_text");
    }
  }
  if (charactersOf(rows) > 10_000) invalid(where, "a table has at most 10000 characters");
}

function block(value: Json, where: string, surface: "message" | "view", actionIds: Set<string>): void {
  const elements = list(value["elements"]);
  bounded(value["block_id"], 255, `${where}/block_id`, 0);
  switch (value["type"]) {
    case "section": {
      if (value["text"] === undefined && value["fields"] === undefined) invalid(where, "missing required field: text");
      if (value["text"] !== undefined) textObject(value["text"], 3_000, `${where}/text`);
      const fields = list(value["fields"]);
      if (fields.length > 10) invalid(`${where}/fields`, "no more than 10 items allowed");
      for (const [index, field] of fields.entries()) textObject(field, 2_000, `${where}/fields/${index}`);
      if (value["accessory"] !== undefined) element(value["accessory"] as Json, `${where}/accessory`, actionIds);
      return;
    }
    case "header":
      return textObject(value["text"], 150, `${where}/text`, ["plain_text"]);
    case "divider":
      return;
    case "actions":
      if (elements.length < 1 || elements.length > 25) invalid(`${where}/elements`, "expected 1 to 25 items");
      return elements.forEach((one, index) => element(one, `${where}/elements/${index}`, actionIds));
    case "context":
      if (elements.length < 1 || elements.length > 10) invalid(`${where}/elements`, "expected 1 to 10 items");
      return elements.forEach((one, index) => element(one, `${where}/elements/${index}`, actionIds));
    case "context_actions":
      if (surface === "view" || elements.length < 1 || elements.length > 5) invalid(`${where}/elements`, "expected 1 to 5 items");
      return elements.forEach((one, index) => element(one, `${where}/elements/${index}`, actionIds));
    case "image":
      bounded(value["alt_text"], 2_000, `${where}/alt_text`);
      if (value["image_url"] !== undefined) bounded(value["image_url"], 3_000, `${where}/image_url`);
      else if (value["slack_file"] === undefined) invalid(where, "expected image_url or slack_file");
      return;
    case "rich_text":
      if (elements.length === 0) invalid(where, "elements must not be empty");
      return richText(value, where);
    case "table":
      if (surface === "view") invalid(where, "tables belong to messages");
      return table(value, where);
    case "markdown":
      if (surface === "view") invalid(where, "markdown blocks belong to messages");
      return bounded(value["text"], 12_000, `${where}/text`);
    case "input":
      if (surface === "message") invalid(where, "inputs belong to views");
      textObject(value["label"], 2_000, `${where}/label`, ["plain_text"]);
      if (value["hint"] !== undefined) textObject(value["hint"], 2_000, `${where}/hint`, ["plain_text"]);
      return element(value["element"] as Json, `${where}/element`, actionIds);
    default:
      invalid(where, `unsupported type: ${text(value["type"])}`);
  }
}

/** Throws what Slack would refuse these blocks with. */
export function checkBlocks(value: unknown, surface: "message" | "view" = "message"): readonly Json[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return refuse("invalid_blocks_format");
  const blocks = value as Json[];
  const most = surface === "message" ? 50 : 100;
  if (blocks.length > most) invalid("/blocks", `no more than ${most} items allowed`);
  const blockIds = blocks.map((one) => text(one["block_id"])).filter((id) => id !== "");
  if (new Set(blockIds).size !== blockIds.length) invalid("/blocks", "block_id already exists");
  // An action_id is its block's own.
  blocks.forEach((one, index) => block(one, `/blocks/${index}`, surface, new Set()));
  if (blocks.filter((one) => one["type"] === "table").length > 1) refuse("only_one_table_allowed");
  if (surface === "message") {
    const markdown = blocks
      .filter((one) => one["type"] === "markdown")
      .reduce((sum, one) => sum + Array.from(text(one["text"])).length, 0);
    if (markdown > 12_000) refuse("msg_blocks_too_long");
    if (charactersOf(blocks) > 13_200) refuse("msg_blocks_too_long");
  }
  return blocks;
}
