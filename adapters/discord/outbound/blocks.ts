/** A block of Markdown as Discord's Markdown. */
import type { List, ListItem, PhrasingContent, RootContent } from "mdast";
import type { Block } from "../../../src/core/document.ts";
import { plainText } from "../../../src/core/render/tree.ts";
import { literal, plainLines, shown, zeroWidthSpace } from "./literal.ts";
import { phrasing } from "./phrasing.ts";
import { columns, records } from "./table.ts";

/** Deeper headings are bold text. */
const deepestHeading = 3;
/** Deeper lists are shown at this depth: a phone has no room for more. */
const deepestIndent = 4;

function code(value: string, lang: string | null | undefined): string {
  // Discord takes a fence anywhere, of whatever length.
  const text = shown(value).replace(/``(?=`)/g, `\`\`${zeroWidthSpace}`);
  // Discord shows the fences of code that is empty.
  const body = text.trim() === "" ? `${zeroWidthSpace}${text}` : text;
  return `\`\`\`${/^[a-z0-9_+\-.#]{1,30}$/i.test(lang ?? "") ? lang : ""}\n${body}\n\`\`\``;
}

/** What begins a line of an item is put behind its bullet, so that it must begin nothing itself. */
const paragraph = (children: readonly PhrasingContent[]): string => plainLines(phrasing(children)).trim();

function heading(depth: number, children: readonly PhrasingContent[], nested: boolean): string {
  const plain = nested || depth > deepestHeading;
  const words = phrasing(children, plain)
    .replace(/\s*\n\s*/g, " ")
    .trim();
  if (words === "") return "";
  return plain ? `**${words}**` : `${"#".repeat(depth)} ${plainLines(words)}`;
}

const mark = ({ checked }: ListItem): string => (typeof checked === "boolean" ? (checked ? "☑ " : "☐ ") : "");

/** Fences and quotations begin lines of their own, without the list's indent, and the list goes on behind them. */
function list({ ordered, start, children }: List, depth: number): string {
  const indent = "  ".repeat(Math.min(depth, deepestIndent));
  const lines = children.flatMap((item, index): string[] => {
    const bullet = ordered === true ? `${(start ?? 1) + index}. ` : "- ";
    const [first, ...rest] = item.children;
    const leads = first?.type === "paragraph" || first?.type === "heading" || first?.type === "html";
    const words = leads ? flow(first, depth + 1, true).replace(/\n+/g, `\n${indent}  `) : "";
    const inner = (leads ? rest : item.children).map((child) => nested(child, depth + 1, `${indent}  `));
    return [`${indent}${bullet}${mark(item)}${words || zeroWidthSpace}`, ...inner.filter((text) => text !== "")];
  });
  return lines.join("\n");
}

function nested(node: RootContent, depth: number, indent: string): string {
  const text = flow(node, depth, true);
  const flat = node.type === "list" || node.type === "code" || node.type === "table" || node.type === "blockquote";
  return flat || text === "" ? text : indent + text.replace(/\n+/g, `\n${indent}`);
}

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

/** Discord has one level of quotation. */
const quotation = (children: readonly RootContent[]): string =>
  children
    .map((child) => (child.type === "blockquote" ? quotation(child.children) : flow(child, 0, false)))
    .filter((text) => text !== "")
    .join("\n");

function flow(node: RootContent, depth: number, within: boolean): string {
  switch (node.type) {
    case "paragraph":
      return paragraph(node.children);
    case "heading":
      return heading(node.depth, node.children, within);
    case "html":
      return plainLines(literal(node.value)).trim();
    case "thematicBreak":
      return "———";
    case "code":
      return code(node.value, node.lang);
    case "table": {
      const aligned = columns(node);
      return aligned === undefined ? records(node) : code(aligned, null);
    }
    case "blockquote": {
      const text = quotation(node.children);
      return text === "" ? "" : quoted(text);
    }
    case "list":
      return list(node, depth);
    case "definition":
    case "footnoteDefinition":
    case "listItem":
    case "tableCell":
    case "tableRow":
    case "yaml":
      // The tree has none of these outside their parents.
      return plainLines(literal(plainText(node)));
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
      return paragraph([node]);
  }
}

/** The block's Markdown, without line breaks around it; empty where nothing of it is shown. */
export const written = (block: Block): string => flow(block, 0, false);
