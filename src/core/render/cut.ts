/** Where running text may be cut, and its two parts: at a sentence, else a word, never inside a character as people see it. */
import type { PhrasingContent } from "mdast";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How much of the room a sentence's or a word's end may leave unused. */
const leastFill = 0.5;

/** An image is one character of this text: it is never cut. */
const flatten = (node: PhrasingContent): string => {
  if (node.type === "break") return "\n";
  if (node.type === "image") return "\uFFFC";
  if ("children" in node) return node.children.map(flatten).join("");
  return "value" in node ? node.value : "\uFFFC";
};

/** The longest beginning that fits, by halving: a longer beginning never takes less. 0 when none fits. */
export function longestFitting(length: number, fits: (end: number) => boolean): number {
  let low = 0;
  for (let high = length; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The best place to cut `text` at or before `most`.
 * @param closed whether a place lies inside what should stay whole
 * @returns 0 where there is none
 */
function boundary(text: string, most: number, closed: (at: number) => boolean): number {
  const segments = graphemes.segment(text);
  const open = (at: number): boolean => at > 0 && !closed(at) && (at >= text.length || segments.containing(at)?.index === at);
  const window = text.slice(0, most);
  for (const ends of [/\n+|[.!?…。！？]["'”’)\]]*\s+|[。！？]/g, /\s+/g]) {
    const places = [...window.matchAll(ends)].map((match) => match.index + match[0].length);
    const best = places.findLast((at) => at >= most * leastFill && open(at));
    if (best !== undefined) return best;
  }
  for (let at = most; at > 0; at--) if (open(at)) return at;
  return 0;
}

/** The part of `nodes` between two places of their flat text. */
function slice(nodes: readonly PhrasingContent[], from: number, to: number): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let at = 0;
  for (const node of nodes) {
    const length = flatten(node).length;
    const start = Math.max(0, from - at);
    const end = Math.min(length, to - at);
    at += length;
    if (start >= end) continue;
    if (start === 0 && end === length) parts.push(node);
    else if ("children" in node) parts.push({ ...node, children: slice(node.children, start, end) } as PhrasingContent);
    else if ("value" in node) parts.push({ ...node, value: node.value.slice(start, end) });
  }
  return parts;
}

/** The places inside links. */
function linkInsides(nodes: readonly PhrasingContent[]): (at: number) => boolean {
  const spans: [number, number][] = [];
  let at = 0;
  const walk = (node: PhrasingContent): void => {
    const start = at;
    if ("children" in node) node.children.forEach(walk);
    else at += flatten(node).length;
    if (node.type === "link") spans.push([start, at]);
  };
  nodes.forEach(walk);
  return (place) => spans.some(([start, end]) => place > start && place < end);
}

/**
 * Cuts phrasing so that the first part fits. Links stay whole; one that is too long even alone is repeated for its second part.
 * @returns null when not even one character fits
 */
export function cutPhrasing(
  nodes: readonly PhrasingContent[],
  fits: (part: PhrasingContent[]) => boolean,
): [PhrasingContent[], PhrasingContent[]] | null {
  const text = nodes.map(flatten).join("");
  const most = longestFitting(text.length, (end) => fits(slice(nodes, 0, end)));
  if (most === 0) return null;
  const at =
    boundary(text, most, linkInsides(nodes)) ||
    boundary(text, most, () => false) ||
    // A single "character" of more code points than fit.
    (isHighSurrogate(text.charCodeAt(most - 1)) && most < text.length ? most - 1 : most);
  return at === 0 ? null : [slice(nodes, 0, at), slice(nodes, at, text.length)];
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** Cuts lines so that the first part fits: between lines where it can, whose line break then goes. */
export function cutLines(text: string, fits: (part: string) => boolean): [string, string] | null {
  const most = longestFitting(text.length, (end) => fits(text.slice(0, end)));
  if (most === 0) return null;
  if (text[most] === "\n") return [text.slice(0, most), text.slice(most + 1)];
  const line = text.lastIndexOf("\n", most - 1);
  if (line > 0) return [text.slice(0, line), text.slice(line + 1)];
  const parts = cutPhrasing(
    [{ type: "text", value: text }],
    ([part]) => part !== undefined && "value" in part && fits(part.value),
  );
  return parts === null ? null : [text.slice(0, lengthOf(parts[0])), text.slice(lengthOf(parts[0]))];
}

const lengthOf = (nodes: readonly PhrasingContent[]): number => nodes.map(flatten).join("").length;
