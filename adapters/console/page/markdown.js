/** Draws a Markdown tree (mdast) as nodes. Nothing in it is ever read as HTML, and no picture in it is loaded. */
import { Component } from "./vendor/preact.js";
import { CodeBlock } from "./code-block.js";
import { html } from "./html.js";
import { realTarget, safeUrl } from "./links.js";

/**
 * @import {Definition} from "mdast"
 * @import {Block} from "../../../src/core/document.ts"
 */

const textOf = (node) => node.value ?? node.alt ?? node.children?.map(textOf).join("") ?? "";

/** A link that says where it leads. */
export function Link({ address, label, children }) {
  const url = safeUrl(address);
  if (url === null) return html`<span>${children} <span class="host">(${address})</span></span>`;
  const target = realTarget(url, label);
  return html`<a href=${url.href} target="_blank" rel="noopener noreferrer nofollow">${children}</a>${
      target === null ? null : html`${" "}<span class="host">(${target})</span>`
    }`;
}

/** `@name` stands out, in what people typed. */
const withMentions = (text) =>
  text
    .split(/((?<![\w@./-])@[a-z][\w-]*)/i)
    .map((part, index) => (index % 2 === 1 ? html`<span class="mention">${part}</span>` : part));

function Table({ node, context }) {
  const [head, ...rows] = node.children;
  const cells = (row, Tag) =>
    row.children.map(
      (cell, index) => html`<${Tag} class=${`align-${node.align?.[index] ?? "left"}`}>${drawAll(cell.children, context)}<//>`,
    );
  return html`<div class="table" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${cells(head, "th")}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row, "td")}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function List({ node, context }) {
  const items = node.children.map(
    (item) =>
      html`<li class=${typeof item.checked === "boolean" ? "task" : undefined}>
        ${
          typeof item.checked === "boolean"
            ? html`<input type="checkbox" checked=${item.checked} disabled aria-label=${item.checked ? "Done" : "Not done"} />`
            : null
        }
        ${item.children.map((child) =>
          // In a tight list a paragraph is only its text.
          child.type === "paragraph" && !item.spread && !node.spread
            ? html`<span>${drawAll(child.children, context)}</span>`
            : draw(child, context),
        )}
      </li>`,
  );
  return node.ordered
    ? html`<ol start=${node.start ?? 1}>
        ${items}
      </ol>`
    : html`<ul>
        ${items}
      </ul>`;
}

/** A picture that somebody else's server would learn of if it were loaded: a link to it instead. */
const pictureLink = (address, alt) => html`<${Link} address=${address} label="">${`Picture: ${alt || "untitled"}`}<//>`;

const headings = ["h3", "h4", "h5", "h6", "h6", "h6"];

function drawAll(nodes, context) {
  return nodes.map((node) => draw(node, context));
}

/** @param {{definitions: Map<string, Definition>, typed: boolean}} context */
function draw(node, context) {
  const inside = () => drawAll(node.children, context);
  switch (node.type) {
    case "text":
      return context.typed ? withMentions(node.value) : node.value;
    case "paragraph":
      return html`<p>${inside()}</p>`;
    case "heading":
      return html`<${headings[node.depth - 1] ?? "h6"}>${inside()}<//>`;
    case "emphasis":
      return html`<em>${inside()}</em>`;
    case "strong":
      return html`<strong>${inside()}</strong>`;
    case "delete":
      return html`<del>${inside()}</del>`;
    case "inlineCode":
      return html`<code>${node.value}</code>`;
    case "break":
      return html`<br />`;
    case "code":
      return html`<${CodeBlock} language=${node.lang ?? ""} text=${node.value} />`;
    case "blockquote":
      return html`<blockquote>${inside()}</blockquote>`;
    case "thematicBreak":
      return html`<hr />`;
    case "list":
      return html`<${List} node=${node} context=${context} />`;
    case "table":
      return html`<${Table} node=${node} context=${context} />`;
    case "link":
      return html`<${Link} address=${node.url} label=${textOf(node)}>${inside()}<//>`;
    case "image":
      return pictureLink(node.url, node.alt);
    case "linkReference":
    case "imageReference": {
      const definition = context.definitions.get(node.identifier);
      if (definition === undefined) return node.type === "linkReference" ? inside() : (node.alt ?? "");
      if (node.type === "imageReference") return pictureLink(definition.url, node.alt);
      return html`<${Link} address=${definition.url} label=${textOf(node)}>${inside()}<//>`;
    }
    case "footnoteReference":
      return html`<sup>[${node.label ?? node.identifier}]</sup>`;
    case "footnoteDefinition":
      return html`<div class="footnote"><span>[${node.label ?? node.identifier}]</span>${inside()}</div>`;
    case "definition":
      return null;
    case "html":
      return html`<span class="literal">${node.value}</span>`;
    default:
      return node.children === undefined ? (node.value ?? null) : inside();
  }
}

/** @returns {Map<string, Definition>} */
function definitionsIn(nodes, found = new Map()) {
  for (const node of nodes) {
    if (node.type === "definition") found.set(node.identifier, node);
    if (node.children !== undefined) definitionsIn(node.children, found);
  }
  return found;
}

/** Drawn again only when its block is another object. */
class DrawnBlock extends Component {
  shouldComponentUpdate(next) {
    return next.node !== this.props.node || next.links !== this.props.links;
  }

  render({ node, context }) {
    return draw(node, context);
  }
}

/** @param {{blocks: readonly Block[], typed?: boolean}} props `typed`: by a person */
export function Markdown({ blocks, typed = false }) {
  const context = { definitions: definitionsIn(blocks), typed };
  const links = [...context.definitions].map(([name, { url }]) => `${name} ${url}`).join("\n");
  return html`<div class="markdown">
    ${blocks.map((node, index) => html`<${DrawnBlock} key=${index} node=${node} links=${links} context=${context} />`)}
  </div>`;
}
