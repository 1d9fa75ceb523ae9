/** Running text as rich text elements: only text and web links, so that nothing in it can mention, broadcast or unfurl. */
import type { PhrasingContent } from "mdast";
import type { RichInline, RichText, TextStyle } from "./block-kit.ts";
import { literal } from "./literal.ts";

/** Slack refuses longer addresses. */
const longestUrl = 3_000;

const inline = (text: string, style: TextStyle): RichText[] => {
  const value = literal(text);
  if (value === "") return [];
  return [Object.keys(style).length === 0 ? { type: "text", text: value } : { type: "text", text: value, style }];
};

/** Text with one style. */
export const words = (text: string, style: TextStyle = {}): RichText[] => inline(text, style);

/** What people read of running text, addresses left out. */
const label = (nodes: readonly PhrasingContent[]): string =>
  nodes
    .map((node) => {
      if (node.type === "break") return " ";
      if (node.type === "image") return node.alt ?? "";
      if ("children" in node) return label(node.children);
      return "value" in node ? node.value : "";
    })
    .join("");

/**
 * The host that a link leads to; undefined for what is no web address. In ASCII, so that a look-alike cannot be mistaken.
 */
function hostOf(url: string): string | undefined {
  if (url.length > longestUrl || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).host;
}

/** Whether a label that looks like an address begins with the real host. */
function showsHost(text: string, host: string): boolean {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, "")
    .toLowerCase();
  return bare === host || ["/", "?", "#"].some((next) => bare.startsWith(host + next));
}

/** A link, with its host behind it where its label does not show it. Other addresses are shown as text. */
export function link(url: string, text: string, style: TextStyle = {}): RichInline[] {
  const shown = literal(text).replace(/\s*\n\s*/g, " ");
  const host = hostOf(url);
  if (host === undefined)
    return inline(shown === "" || shown === url || `mailto:${shown}` === url ? shown || url : `${shown} (${url})`, style);
  const styled = Object.keys(style).length === 0 ? {} : { style };
  const element: RichInline = { type: "link", url, text: shown.trim() === "" ? host : shown, ...styled };
  return shown.trim() === "" || showsHost(shown, host) ? [element] : [element, ...inline(` (${host})`, {})];
}

const styles: Partial<Record<PhrasingContent["type"], TextStyle>> = {
  strong: { bold: true },
  emphasis: { italic: true },
  delete: { strike: true },
  inlineCode: { code: true },
};

/** The styles that all of a link's label has. */
function styleOfAll(nodes: readonly PhrasingContent[], style: TextStyle): TextStyle {
  const only = nodes.length === 1 ? nodes[0] : undefined;
  const own = only === undefined ? undefined : styles[only.type];
  if (only === undefined || own === undefined) return style;
  return styleOfAll("children" in only ? only.children : [], { ...style, ...own });
}

function phrase(node: PhrasingContent, style: TextStyle): RichInline[] {
  switch (node.type) {
    case "text":
    case "html":
      return inline(node.value, style);
    case "inlineCode":
      return inline(node.value, { ...style, code: true });
    case "break":
      return inline("\n", style);
    case "strong":
    case "emphasis":
    case "delete":
      return node.children.flatMap((child) => phrase(child, { ...style, ...styles[node.type] }));
    case "link":
      return link(node.url, label(node.children), styleOfAll(node.children, style));
    case "image":
      // An image block would be fetched by Slack at once, and with it whatever the address gives away.
      return link(node.url, node.alt || "image", style);
    case "footnoteReference":
    case "imageReference":
    case "linkReference":
      // The tree has none: they are resolved before it is shown.
      return inline(label([node]), style);
  }
}

const sameStyle = (a: TextStyle = {}, b: TextStyle = {}): boolean =>
  a.bold === b.bold && a.italic === b.italic && a.strike === b.strike && a.code === b.code;

/** Neighbours of one style become one element. */
export function joined(elements: readonly RichInline[]): RichInline[] {
  const result: RichInline[] = [];
  for (const element of elements) {
    const last = result.at(-1);
    if (last?.type === "text" && element.type === "text" && sameStyle(last.style, element.style)) {
      result[result.length - 1] = { ...last, text: last.text + element.text };
    } else result.push(element);
  }
  return result;
}

export const phrasing = (nodes: readonly PhrasingContent[], style: TextStyle = {}): RichInline[] =>
  joined(nodes.flatMap((node) => phrase(node, style)));
