/** The HTML of a prompt's result as Markdown. Loaded when a result has nothing else. */
import { fromHtml } from "hast-util-from-html";
import { toMdast } from "hast-util-to-mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";

/** Nothing of these is words for people. */
const unseen = new Set(
  (
    "script style template noscript iframe object embed svg math head title textarea select button input form " +
    "audio video canvas link meta base xmp noembed noframes"
  ).split(" "),
);

type Tree = ReturnType<typeof fromHtml>;
type Node = Tree["children"][number];
type Element = Extract<Node, { readonly type: "element" }>;

const isAddress = (value: unknown): boolean => typeof value === "string" && /^(https?:\/\/|mailto:)/i.test(value.trim());

/** A link or picture of anything but an address of the web is its words alone. */
function withoutOthers(element: Element): Element {
  const address =
    element.tagName === "a" ? element.properties["href"] : element.tagName === "img" ? element.properties["src"] : null;
  const others = address !== null && !isAddress(address);
  return others ? { ...element, tagName: "span", properties: {} } : element;
}

const isBlank = (node: Node): boolean => node.type === "text" && node.value.trim() === "";

/** Whatever stands in a list is an item of it: as anything else its words would not be written as text. */
const itemsOf = (nodes: readonly Node[]): Node[] =>
  nodes
    .filter((node) => !isBlank(node))
    .map((node) =>
      node.type === "element" && node.tagName === "li"
        ? node
        : { type: "element", tagName: "li", properties: {}, children: [node as Element["children"][number]] },
    );

function seen(nodes: readonly Node[]): Node[] {
  return nodes
    .filter(({ type }) => type !== "comment" && type !== "doctype")
    .filter((node) => !(node.type === "element" && unseen.has(node.tagName)))
    .map((node) => {
      if (node.type !== "element") return node;
      const children = seen(node.children);
      const list = node.tagName === "ul" || node.tagName === "ol";
      return { ...withoutOthers(node), children: (list ? itemsOf(children) : children) as Element["children"] };
    });
}

/** Elements within elements that are read; what is deeper is not to be shown. */
const deepest = 200;

function depthOf(html: string): number {
  let depth = 0;
  let most = 0;
  for (const [tag] of html.matchAll(/<\/?[a-z][^<>]*>/gi)) {
    depth = tag.startsWith("</") ? Math.max(0, depth - 1) : depth + 1;
    most = Math.max(most, depth);
  }
  return most;
}

/** Empty where there are no words in it. */
export function markdownOf(html: string): string {
  if (depthOf(html) > deepest) return html.replace(/<[^<>]*>/g, " ").trim();
  const tree = fromHtml(html, { fragment: true });
  const root = { ...tree, children: seen(tree.children) };
  const document = toMdast(root as Tree);
  if (document.type !== "root") return "";
  return toMarkdown(document, { extensions: [gfmToMarkdown()] }).trim();
}
