/** What a person typed, as a document: Markdown, as people write it in chats everywhere. */
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Nodes } from "mdast";
import { emptyDocument, type Document } from "../../src/core/document.ts";

function withoutPositions(node: Nodes): void {
  delete node.position;
  if ("children" in node) for (const child of node.children) withoutPositions(child);
}

export function typedDocument(text: string): Document {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  withoutPositions(tree);
  return { ...emptyDocument, blocks: tree.children };
}
