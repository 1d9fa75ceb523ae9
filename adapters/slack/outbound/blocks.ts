/** A block of Markdown as Slack blocks. */
import type { Heading, List, ListItem, PhrasingContent, RootContent } from "mdast";
import type { Block } from "../../../src/core/document.ts";
import { plainText } from "../../../src/core/render/tree.ts";
import { plain, richText, section, type RichElement, type RichInline, type RichSection, type SlackBlock } from "./block-kit.ts";
import { hasMarkup, literal } from "./literal.ts";
import { joined, phrasing, words } from "./phrasing.ts";
import { tableBlock, tableText } from "./table.ts";

/** Characters of a header block, https://docs.slack.dev/reference/block-kit/blocks/header-block. */
const longestHeader = 150;
/** Deeper lists are shown at this depth. */
const deepestIndent = 8;

/** Where a piece of text stands. */
interface Inside {
  readonly indent: number;
  readonly quoted: boolean;
}

const border = ({ quoted }: Inside): { border?: 1 } => (quoted ? { border: 1 } : {});

/** Running text; neighbouring ones become one, a line apart. */
function pushText(into: RichElement[], elements: readonly RichInline[], { quoted }: Inside): void {
  if (elements.length === 0) return;
  const type = quoted ? "rich_text_quote" : "rich_text_section";
  const last = into.at(-1);
  if (last?.type !== type) into.push({ type, elements });
  else into[into.length - 1] = { type, elements: joined([...last.elements, ...words("\n"), ...elements]) };
}

function pushCode(into: RichElement[], text: string, inside: Inside): void {
  const elements = words(text);
  if (elements.length > 0) into.push({ type: "rich_text_preformatted", elements, ...border(inside) });
}

const mark = ({ checked }: ListItem): RichInline[] => (typeof checked === "boolean" ? words(checked ? "☑ " : "☐ ") : []);

/** Items are running text only: what else an item has is put after it, and the list goes on behind that. */
function pushList(into: RichElement[], list: List, inside: Inside): void {
  const ordered = list.ordered === true;
  const first = Math.max(0, (list.start ?? 1) - 1);
  let run: RichSection[] = [];
  let done = 0;
  const flush = (): void => {
    if (run.length === 0) return;
    const offset = ordered && first + done > 0 ? { offset: first + done } : {};
    const style = ordered ? "ordered" : "bullet";
    into.push({
      type: "rich_text_list",
      style,
      indent: Math.min(inside.indent, deepestIndent),
      ...offset,
      ...border(inside),
      elements: run,
    });
    done += run.length;
    run = [];
  };
  for (const item of list.children) {
    const leading = item.children.findIndex(({ type }) => type !== "paragraph");
    const texts = leading < 0 ? item.children : item.children.slice(0, leading);
    const lines = texts.map((node) => ("children" in node ? phrasing(node.children as PhrasingContent[]) : []));
    const elements = joined([...mark(item), ...lines.flatMap((line, index) => (index === 0 ? line : [...words("\n"), ...line]))]);
    run.push(section(elements.length === 0 ? words(" ") : elements));
    if (leading < 0) continue;
    flush();
    for (const child of item.children.slice(leading)) push(into, child, { ...inside, indent: inside.indent + 1 });
  }
  flush();
}

function push(into: RichElement[], node: RootContent, inside: Inside): void {
  switch (node.type) {
    case "paragraph":
      return pushText(into, phrasing(node.children), inside);
    case "heading":
      return pushText(into, phrasing(node.children, { bold: true }), inside);
    case "html":
      return pushText(into, words(node.value), inside);
    case "thematicBreak":
      return pushText(into, words("———"), inside);
    case "code":
      return pushCode(into, node.value, inside);
    case "table":
      return pushCode(into, tableText(node), inside);
    case "blockquote":
      for (const child of node.children) push(into, child, { indent: 0, quoted: true });
      return;
    case "list":
      return pushList(into, node, inside);
    case "definition":
    case "footnoteDefinition":
    case "listItem":
    case "tableCell":
    case "tableRow":
    case "yaml":
      // The tree has none of these outside their parents.
      return pushText(into, words(plainText(node)), inside);
    case "break":
    case "delete":
    case "emphasis":
    case "footnoteReference":
    case "image":
    case "imageReference":
    case "inlineCode":
    case "link":
    case "linkReference":
    case "strong":
    case "text":
      return pushText(into, phrasing([node]), inside);
  }
}

const isPlain = (nodes: readonly PhrasingContent[]): boolean =>
  nodes.every((node) => node.type === "text" || ("children" in node && node.type !== "link" && isPlain(node.children)));

/** A header block has no links, and may read markup: what could be lost or misread there is bold text. */
function headerOf(node: Heading): SlackBlock | undefined {
  if (node.depth > 2 || !isPlain(node.children)) return undefined;
  const text = phrasing(node.children)
    .map((element) => element.text)
    .join("")
    .trim();
  return text === "" || text.length > longestHeader || hasMarkup(text)
    ? undefined
    : { type: "header", text: plain(literal(text)) };
}

const asRichText = (node: Block): SlackBlock[] => {
  const elements: RichElement[] = [];
  push(elements, node, { indent: 0, quoted: false });
  return elements.length === 0 ? [] : [richText(elements)];
};

/** @param tables whether Slack's own table may be used; it allows one a message */
export function blocksOf(node: Block, tables = true): SlackBlock[] {
  if (node.type === "thematicBreak") return [{ type: "divider" }];
  const own = node.type === "heading" ? headerOf(node) : node.type === "table" && tables ? tableBlock(node) : undefined;
  return own === undefined ? asRichText(node) : [own];
}
