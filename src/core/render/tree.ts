/** Parsed nodes as the plain blocks that platforms write: no positions, no references, no deep nests, only real links. */
import type { BlockContent, DefinitionContent, ListItem, Nodes, PhrasingContent, RootContent, TableCell, TableRow } from "mdast";
import { paragraph, type Block } from "../document.ts";
import { endOf, startOf } from "./parse.ts";

interface Target {
  readonly url: string;
  readonly title?: string | null | undefined;
}

/** Where references lead to, by identifier. */
export type Definitions = ReadonlyMap<string, Target>;

interface Reading {
  readonly source: string;
  readonly definitions: Definitions;
}

/** Deeper nodes are shown as their source; chats have no form for them, and recursion stays shallow. */
const deepest = 16;

const sourceOf = (node: Nodes, { source }: Reading): string => source.slice(startOf(node), endOf(node));

/** Other addresses mean nothing in a chat, or harm. */
const isAddress = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:)\S+$/i.test(url);

/** Definitions at any depth; the first of an identifier counts. */
export function collectDefinitions(nodes: readonly Nodes[], into = new Map<string, Target>(), depth = 0): Map<string, Target> {
  if (depth > deepest) return into;
  for (const node of nodes) {
    if (node.type === "definition" && !into.has(node.identifier)) into.set(node.identifier, node);
    else if ("children" in node) collectDefinitions(node.children, into, depth + 1);
  }
  return into;
}

/** Whether what other blocks refer to is defined here. */
export const defines = (node: Nodes, depth = 0): boolean =>
  node.type === "definition" ||
  node.type === "footnoteDefinition" ||
  ((node.type === "blockquote" || node.type === "list" || node.type === "listItem") &&
    depth <= deepest &&
    node.children.some((child) => defines(child, depth + 1)));

/** The blocks that one parsed node becomes: none for a definition. */
export function blocksOf(node: RootContent, source: string, definitions: Definitions): Block[] {
  return flowOf(node, { source, definitions }, 0);
}

type Flow = BlockContent | DefinitionContent;

const flowChildren = (children: readonly RootContent[], reading: Reading, depth: number): Flow[] =>
  children.flatMap((child) => flowOf(child, reading, depth + 1)) as Flow[];

function flowOf(node: RootContent, reading: Reading, depth: number): Block[] {
  if (depth > deepest) return [paragraph(sourceOf(node, reading))];
  switch (node.type) {
    case "paragraph":
      return [{ type: "paragraph", children: phrasingOf(node.children, reading, depth) }];
    case "heading":
      return [{ type: "heading", depth: node.depth, children: phrasingOf(node.children, reading, depth) }];
    case "code":
      return [{ type: "code", lang: node.lang ?? null, meta: node.meta ?? null, value: node.value }];
    case "html":
      return [{ type: "html", value: node.value }];
    case "thematicBreak":
      return [{ type: "thematicBreak" }];
    case "blockquote": {
      const children = flowChildren(node.children, reading, depth);
      return children.length === 0 ? [] : [{ type: "blockquote", children }];
    }
    case "list": {
      const children = node.children.map((item) => listItem(item, reading, depth));
      return [
        { type: "list", ordered: node.ordered ?? false, start: node.start ?? null, spread: node.spread ?? false, children },
      ];
    }
    case "table": {
      const children = node.children.map((row) => tableRow(row, reading, depth));
      return [{ type: "table", align: node.align ?? [], children }];
    }
    case "footnoteDefinition": {
      const label = `[${node.label ?? node.identifier}] `;
      const [first, ...rest] = flowChildren(node.children, reading, depth);
      if (first?.type !== "paragraph") return [paragraph(label.trimEnd()), ...(first === undefined ? [] : [first]), ...rest];
      return [{ type: "paragraph", children: [{ type: "text", value: label }, ...first.children] }, ...rest];
    }
    case "definition":
      return [];
    case "yaml":
    case "listItem":
    case "tableRow":
    case "tableCell":
      return [paragraph(sourceOf(node, reading))];
    case "text":
    case "inlineCode":
    case "emphasis":
    case "strong":
    case "delete":
    case "break":
    case "link":
    case "linkReference":
    case "image":
    case "imageReference":
    case "footnoteReference":
      return [{ type: "paragraph", children: phrase(node, reading, depth) }];
  }
}

const listItem = ({ checked, spread, children }: ListItem, reading: Reading, depth: number): ListItem => ({
  type: "listItem",
  checked: checked ?? null,
  spread: spread ?? false,
  children: flowChildren(children, reading, depth + 1),
});

const tableRow = ({ children }: TableRow, reading: Reading, depth: number): TableRow => ({
  type: "tableRow",
  children: children.map((cell): TableCell => ({ type: "tableCell", children: phrasingOf(cell.children, reading, depth) })),
});

const phrasingOf = (children: readonly PhrasingContent[], reading: Reading, depth: number): PhrasingContent[] =>
  children.flatMap((child) => phrase(child, reading, depth + 1));

function phrase(node: PhrasingContent, reading: Reading, depth: number): PhrasingContent[] {
  if (depth > deepest) return [{ type: "text", value: sourceOf(node, reading) }];
  switch (node.type) {
    case "text":
    case "inlineCode":
    case "html":
      return [{ type: node.type, value: node.value }];
    case "break":
      return [{ type: "break" }];
    case "emphasis":
    case "strong":
    case "delete":
      return [{ type: node.type, children: phrasingOf(node.children, reading, depth) }];
    case "link":
      return linkTo(node, node.children, reading, depth);
    case "linkReference":
      return linkTo(reading.definitions.get(node.identifier), node.children, reading, depth);
    case "image":
      return imageAt(node, node.alt);
    case "imageReference":
      return imageAt(reading.definitions.get(node.identifier), node.alt);
    case "footnoteReference":
      return [{ type: "text", value: `[${node.label ?? node.identifier}]` }];
    default:
      return [{ type: "text", value: sourceOf(node, reading) }];
  }
}

function linkTo(
  target: Target | undefined,
  children: readonly PhrasingContent[],
  reading: Reading,
  depth: number,
): PhrasingContent[] {
  const words = phrasingOf(children, reading, depth);
  if (target === undefined) return words;
  if (isAddress(target.url)) return [{ type: "link", url: target.url, title: target.title ?? null, children: words }];
  return target.url === "" ? words : [...words, { type: "text", value: ` (${target.url})` }];
}

function imageAt(target: Target | undefined, alt: string | null | undefined): PhrasingContent[] {
  const words = alt ?? "";
  if (target !== undefined && isAddress(target.url)) {
    return [{ type: "image", url: target.url, title: target.title ?? null, alt: words }];
  }
  const url = target === undefined || target.url === "" ? "" : ` (${target.url})`;
  return words + url === "" ? [] : [{ type: "text", value: words + url }];
}

/** The same block without its links and images, whose words stay; the same object when it has none. */
export const withoutLinks = (block: Block): Block => unlink(block)[0] as Block;

function unlink(node: Nodes): Nodes[] {
  if (node.type === "link") return node.children.flatMap(unlink);
  if (node.type === "image") return [{ type: "text", value: node.alt ?? "" }];
  if (!("children" in node)) return [node];
  const children = node.children.map((child) => unlink(child));
  if (children.every((same, index) => same.length === 1 && same[0] === node.children[index])) return [node];
  return [{ ...node, children: children.flat() } as Nodes];
}

/**
 * Whether a later definition could still change this block's links: it has brackets that are text,
 * or were a reference. Judged on the parsed node.
 */
export function hasLooseBrackets(node: Nodes, depth = 0): boolean {
  if (node.type === "text") return /[[\]]/.test(node.value);
  if (node.type === "linkReference" || node.type === "imageReference" || node.type === "footnoteReference") return true;
  return "children" in node && (depth > deepest || node.children.some((child) => hasLooseBrackets(child, depth + 1)));
}

const lineByLine: ReadonlySet<string> = new Set(["list", "listItem", "blockquote", "table"]);

/** All that a node says, as text; addresses in parentheses. */
export function plainText(node: Nodes): string {
  if (node.type === "break") return "\n";
  if (node.type === "image") return `${node.alt ?? ""} (${node.url})`;
  if ("value" in node) return node.value;
  if (!("children" in node)) return "";
  const parts = node.children.map((child) => plainText(child));
  if (node.type === "link") return parts.join("") === node.url ? node.url : `${parts.join("")} (${node.url})`;
  if (node.type === "tableRow") return parts.join(" | ");
  return parts.join(lineByLine.has(node.type) ? "\n" : "");
}
