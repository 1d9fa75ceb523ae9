/** A growing reply's Markdown as the pages of its messages; only what may still change is parsed again. */
import type { Nodes, RootContent } from "mdast";
import remend from "remend";
import { paragraph, type Block } from "../document.ts";
import type { Limits } from "../platform.ts";
import { minus } from "./measure.ts";
import { createPaginator, type Page } from "./paginate.ts";
import { parse, startOf } from "./parse.ts";
import { blocksOf, collectDefinitions, defines, hasLooseBrackets, withoutLinks } from "./tree.ts";

export type { Page } from "./paginate.ts";

export interface Rendered {
  readonly pages: readonly Page[];
  /** There is more than fits the messages of one reply: the last page says that the whole is attached. */
  readonly truncated: boolean;
}

export interface Renderer {
  /**
   * The same pages for the same final text, however it came.
   * @param final false while more text may come: half-written Markdown is closed, and a link is shown as its words until it is certain
   */
  render(text: string, final: boolean): Rendered;
}

/** Source characters for each character that a reply can show: addresses and marks take the rest. */
const sourcePerShown = 1.5;

const attachedNote = "The whole answer is attached.";
const tooLongNote = "The answer is longer than fits here. It will be attached when it is complete.";

/** One line that ends every kind of line break, and characters that any platform can take. */
const normalized = (text: string, final: boolean): string => {
  const whole = final || !/[\uD800-\uDBFF]$/.test(text) ? text : text.slice(0, -1);
  const lines = whole.includes("\r") ? whole.replace(/\r\n?/g, "\n") : whole;
  return lines.replace(/^\uFEFF/, "").toWellFormed();
};

/** A block that no further text can change, save by definitions: as it is, and as it is shown until those are known. */
interface Settled {
  readonly block: Block;
  readonly shown: Block;
}

const noDefinitions = new Map<string, never>();

export function createRenderer(limits: Limits): Renderer {
  const paginator = createPaginator(limits);
  const mostSource = Math.ceil(limits.characters * limits.messagesPerReply * sourcePerShown);
  let source = "";
  let settled: Settled[] = [];
  let settledTo = 0;
  /** There were definitions, which change how other blocks are read: the final text is parsed whole. */
  let defining = false;
  let last: { readonly text: string; readonly final: boolean; readonly rendered: Rendered } | undefined;

  const startOver = (): void => {
    settled = [];
    settledTo = 0;
    defining = false;
  };

  /** Moves what can no longer change to `settled`: all before the last node that begins on a whole line after a blank one. */
  const settle = (tail: string, nodes: readonly RootContent[]): readonly RootContent[] => {
    const from = nodes.findLastIndex((node, index) => {
      const before = nodes[index - 1];
      return before !== undefined && !endsInIndentedCode(tail, before) && opensAfresh(tail, lineStart(tail, startOf(node)));
    });
    const first = nodes[from];
    if (first === undefined) return nodes;
    for (const node of nodes.slice(0, from)) {
      const loose = hasLooseBrackets(node);
      for (const block of blocksOf(node, tail, noDefinitions))
        settled.push({ block, shown: loose ? withoutLinks(block) : block });
    }
    settledTo += lineStart(tail, startOf(first));
    return nodes.slice(from);
  };

  const growing = (): Block[] => {
    const tail = source.slice(settledTo);
    const { nodes, literalFrom } = parse(tail);
    // Even one that may yet turn out to be none has changed how the blocks with it were read.
    defining ||= nodes.some((node) => defines(node));
    const rest = settle(tail, nodes);
    const shown = settled.map((some) => some.shown);
    const open = rest.at(-1);
    const whole = literalFrom === tail.length && open !== undefined ? closed(tail, open) : undefined;
    const before = whole === undefined ? rest : rest.slice(0, -1);
    for (const node of before) shown.push(...blocksOf(node, tail, noDefinitions).map(withoutLinks));
    if (whole !== undefined) {
      for (const node of parse(whole).nodes) shown.push(...blocksOf(node, whole, noDefinitions).map(withoutLinks));
    }
    return [...shown, ...literal(tail.slice(literalFrom))];
  };

  const finished = (): Block[] => {
    const from = defining ? 0 : settledTo;
    const tail = source.slice(from);
    const { nodes, literalFrom } = parse(tail);
    if (from > 0 && nodes.some((node) => defines(node))) {
      defining = true;
      return finished();
    }
    const definitions = collectDefinitions(nodes);
    const before = from === 0 ? [] : settled.map(({ block }) => block);
    return [...before, ...nodes.flatMap((node) => blocksOf(node, tail, definitions)), ...literal(tail.slice(literalFrom))];
  };

  /** Holds a reply to its messages: the last one says that there is more. */
  const limited = (blocks: readonly Block[], cutShort: boolean, final: boolean): Rendered => {
    const pages = paginator.paginate(blocks);
    const most = limits.messagesPerReply;
    if (!cutShort && pages.length <= most) return { pages, truncated: false };
    const kept = pages.slice(0, most);
    const note = paragraph(final ? attachedNote : tooLongNote);
    const room = minus(paginator.room, paginator.cost(note));
    const end = createPaginator(limits).paginate(kept.at(-1) ?? [], room)[0] ?? [];
    return { pages: [...kept.slice(0, -1), [...end, note]], truncated: true };
  };

  return {
    render(given, final) {
      const cutShort = given.length > mostSource;
      const text = normalized(cutShort ? given.slice(0, mostSource) : given, final && !cutShort);
      if (last?.text === text && last.final === final) return last.rendered;
      if (!text.startsWith(source.slice(0, settledTo))) startOver();
      source = text;
      const blocks = final || cutShort ? finished() : growing();
      const rendered = limited(blocks, cutShort, final);
      last = { text, final, rendered };
      return rendered;
    },
  };
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;

/** Whether the line at `start` is whole, and a blank one is before it. A byte order mark would be dropped there. */
const opensAfresh = (text: string, start: number): boolean =>
  text.includes("\n", start) && text[start] !== "\uFEFF" && /\n[ \t]*\n$/.test(text.slice(Math.max(0, start - 200), start));

/** The parser takes an empty list item after indented code as part of a paragraph, however many blank lines are between. */
function endsInIndentedCode(tail: string, node: Nodes): boolean {
  if (node.type === "code") return !/[`~]/.test(tail[startOf(node)] ?? "");
  const last = "children" in node ? node.children.at(-1) : undefined;
  return last !== undefined && endsInIndentedCode(tail, last);
}

/** Text that is not read as Markdown, a paragraph for each run of lines. */
const literal = (text: string): Block[] =>
  text
    .split(/\n[ \t]*\n/)
    .map((lines) => lines.replace(/^\n+|\n+$/g, ""))
    .filter((lines) => lines.trim() !== "")
    .map(paragraph);

/**
 * The source of the open block with its half-written end closed.
 * @returns undefined when nothing is half-written
 */
function closed(tail: string, open: RootContent): string | undefined {
  const leaf = lastLeaf(open);
  if (leaf === undefined) return undefined;
  const end = tail.slice(startOf(leaf));
  const whole = remend(end, { linkMode: "text-only", katex: false });
  return whole === end ? undefined : tail.slice(lineStart(tail, startOf(open)), startOf(leaf)) + whole;
}

/** The last node of running text; undefined where there is none, as in code. */
function lastLeaf(node: Nodes): Nodes | undefined {
  if (node.type === "paragraph" || node.type === "heading") return node;
  const last = "children" in node ? node.children.at(-1) : undefined;
  return last === undefined ? undefined : lastLeaf(last);
}
