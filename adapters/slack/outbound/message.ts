/** A document as the `blocks` and `text` of one Slack message. */
import type { Document, Footnote } from "../../../src/core/document.ts";
import { plainText } from "../../../src/core/render/tree.ts";
import { actionBlocks } from "./actions.ts";
import { plain, richText, section, type RichInline, type SlackBlock } from "./block-kit.ts";
import { blocksOf } from "./blocks.ts";
import { mostFallbackBytes } from "./limits.ts";
import { escaped, hasMarkup, literal } from "./literal.ts";
import { joined, link, words } from "./phrasing.ts";

export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

/** Of a context block's text. */
const longestQuiet = 2_000;

/** A small grey line. Its text object may read markup, which rich text does not. */
function quiet(text: string): SlackBlock {
  const shown = literal(text);
  return hasMarkup(shown) || shown.length > longestQuiet
    ? richText([section(words(shown))])
    : { type: "context", elements: [plain(shown)] };
}

function footnoteLine({ index, title, url, detail }: Footnote): RichInline[] {
  const name = title === "" ? (url ?? "") : title;
  const named = url === null ? words(name) : link(url, name);
  return [...words(`[${index}] `), ...named, ...words(detail === "" ? "" : ` · ${detail}`)];
}

const footnotes = (all: readonly Footnote[]): SlackBlock[] =>
  all.length === 0
    ? []
    : [
        richText([
          section(joined(all.flatMap((footnote, index) => [...words(index === 0 ? "" : "\n"), ...footnoteLine(footnote)]))),
        ]),
      ];

const noticeMark = { failed: "⚠️ ", stopped: "⏹️ " } as const;

const notice = ({ notice: text, state }: Document): SlackBlock[] => {
  const mark = state === "failed" || state === "stopped" ? noticeMark[state] : "";
  return text === null || text === "" ? [] : [richText([section(words(mark + text))])];
};

/** The beginning of `text` that is at most `bytes` long in UTF-8, cut between characters. */
function shortened(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let length = 0;
  let end = 0;
  for (const character of text) {
    length += Buffer.byteLength(character);
    if (length > bytes - 3) break;
    end += character.length;
  }
  // An entity that was cut in two would be shown as it is.
  return `${text.slice(0, end).replace(/&[a-z]{0,3}$/, "")}…`;
}

/** What notifications and screen readers have of it. */
function fallback({ blocks, status, notice: text, footnotes: sources }: Document): string {
  const answer = blocks.map((block) => plainText(block).trim()).filter((part) => part !== "");
  const titles = answer.length === 0 ? sources.map(({ index, title }) => `[${index}] ${title}`) : [];
  const parts = [...answer, ...titles, text ?? "", answer.length === 0 ? (status ?? "") : ""].filter((part) => part !== "");
  return shortened(escaped(parts.join("\n")).trim(), mostFallbackBytes) || "…";
}

/** What surrounds the answer, in its order. */
const around = (document: Document): SlackBlock[] => [
  ...notice(document),
  ...footnotes(document.footnotes),
  ...(document.status === null || document.status === "" ? [] : [quiet(document.status)]),
  ...(document.footer === null || document.footer === "" ? [] : [quiet(document.footer)]),
  ...actionBlocks(document.actions),
];

/** Slack takes no message without content. */
const something = (blocks: readonly SlackBlock[]): readonly SlackBlock[] =>
  blocks.length > 0 ? blocks : [richText([section(words("…"))])];

export function messageOf(document: Document): SlackMessage {
  let tables = true;
  const blocks: SlackBlock[] = [];
  for (const block of document.blocks) {
    const written = blocksOf(block, tables);
    if (written.some(({ type }) => type === "table")) tables = false;
    blocks.push(...written);
  }
  return { text: fallback(document), blocks: something([...blocks, ...around(document)]) };
}

/** The same words in the least that Slack can be asked for: for when it refuses the form. */
export function plainMessageOf(document: Document): SlackMessage {
  const text = document.blocks.map((block) => plainText(block)).join("\n\n");
  const answer = words(text);
  const blocks = answer.length === 0 ? [] : [richText([section(answer)])];
  return { text: fallback(document), blocks: something([...blocks, ...around(document)]) };
}
