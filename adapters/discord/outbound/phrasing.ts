/** Running text as Discord's Markdown. */
import type { PhrasingContent } from "mdast";
import { literal, shown, zeroWidthSpace } from "./literal.ts";

/** Longer addresses are shown as text. */
const longestUrl = 1_000;

/** What people read of running text, addresses left out. */
const labelOf = (nodes: readonly PhrasingContent[]): string =>
  nodes
    .map((node) => {
      if (node.type === "break") return " ";
      if (node.type === "image") return node.alt ?? "";
      if ("children" in node) return labelOf(node.children);
      return "value" in node ? node.value : "";
    })
    .join("");

/** A web address in the form that stands between "<" and ">", and its host in ASCII, so that a look-alike cannot be mistaken. */
function addressOf(url: string): { readonly href: string; readonly host: string } | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { href, host } = new URL(url);
  const escaped = href.replace(/[\\()[\]<>*_~`|\s]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return escaped.length > longestUrl || !URL.canParse(escaped) ? undefined : { href: escaped, host };
}

const bare = (text: string): string => text.trim().replace(/^https?:\/\//i, "");
const showsHost = (text: string, host: string): boolean =>
  bare(text).toLowerCase() === host ||
  ["/", "?", "#"].some((next) =>
    bare(text)
      .toLowerCase()
      .startsWith(host + next),
  );
/** Discord takes no masked link whose words look like an address. */
const looksLikeAddress = (text: string): boolean => /:\/\/|^\s*www\.|discord\.(?:gg|com)/i.test(text);

/** A link, with its host behind it where its words do not show it. Angle brackets keep an address without a preview. */
export function link(url: string, words: string): string {
  const label = shown(words)
    .replace(/\s*\n\s*/g, " ")
    .trim();
  const address = addressOf(url);
  if (address === undefined) {
    return literal(label === "" || label === url || `mailto:${label}` === url ? label || url : `${label} (${url})`);
  }
  const { href, host } = address;
  if (label === "" || bare(label) === bare(url) || bare(label) === bare(href)) return `<${href}>`;
  if (looksLikeAddress(label)) return `${literal(label)} (<${href}>)`;
  return `[${literal(label)}](<${href}>)${showsHost(label, host) ? "" : ` (${literal(host)})`}`;
}

/** Code between one or two backticks, whichever it has none of: three would begin a block. */
function inlineCode(value: string): string {
  const code = shown(value).replaceAll("\n", " ");
  if (code.trim() === "") return "";
  const runs = new Set([...code.matchAll(/`+/g)].map(([run]) => run.length));
  const neither = runs.has(1) && runs.has(2);
  const text = neither ? code.replace(/`(?=`)/g, `\`${zeroWidthSpace}`) : code;
  const fence = runs.has(1) ? "``" : "`";
  const space = /^`|`$/.test(text) ? " " : "";
  return fence + space + text + space + fence;
}

/** Puts marks around text. Spaces stay outside, where Discord wants them. */
function marked(mark: string, text: string): string {
  const inner = text.trim();
  if (inner === "") return text;
  const before = text.slice(0, text.indexOf(inner));
  return before + mark + inner + mark + text.slice(before.length + inner.length);
}

/** @param strong whether it stands in bold text, where "*" would be mistaken for the end of that */
function phrase(node: PhrasingContent, strong: boolean): string {
  switch (node.type) {
    case "text":
    case "html":
      return literal(node.value);
    case "inlineCode":
      return inlineCode(node.value);
    case "break":
      return "\n";
    case "strong":
      return strong ? phrasing(node.children, true) : marked("**", phrasing(node.children, true));
    case "emphasis":
      return marked(strong ? "_" : "*", phrasing(node.children, strong));
    case "delete":
      return marked("~~", phrasing(node.children, strong));
    case "link":
      return link(node.url, labelOf(node.children));
    case "image":
      return link(node.url, node.alt || "image");
    case "footnoteReference":
    case "imageReference":
    case "linkReference":
      // The tree has none: they are resolved before it is shown.
      return literal(labelOf([node]));
  }
}

export const phrasing = (nodes: readonly PhrasingContent[], strong = false): string =>
  nodes.map((node) => phrase(node, strong)).join("");
