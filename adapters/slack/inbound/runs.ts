/** Runs of a message's text, from its `rich_text` blocks: what the composer meant, without the escapes of `text`. */
import type { Run } from "../../../src/core/inbound.ts";
import { objectIn, objectsIn, textIn, type Payload } from "../payload.ts";
import { referenceText, type Reference } from "./names.ts";

/** A run, or a mention of Parley itself, which is left out. */
export type Piece = Run | "parley";

const typed = (text: string): Run => ({ typed: text });
const named = (kind: Reference["kind"], id: string): Run => ({ name: referenceText({ kind, id }) });

/** Markdown's marks for what is styled, outside of blanks, so that the workspace reads what the person saw. */
function styled(text: string, style: Payload): string {
  const [, before = "", inner = "", after = ""] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? [];
  if (inner === "") return text;
  const marked = style["code"] === true ? `\`${inner}\`` : inner;
  const struck = style["strike"] === true ? `~~${marked}~~` : marked;
  const slanted = style["italic"] === true ? `_${struck}_` : struck;
  return before + (style["bold"] === true ? `**${slanted}**` : slanted) + after;
}

function inline(element: Payload, self: string): Piece {
  switch (element["type"]) {
    case "text":
      return typed(styled(textIn(element, "text"), objectIn(element, "style")));
    case "link": {
      const url = textIn(element, "url");
      const label = textIn(element, "text");
      return typed(label === "" || label === url ? url : `[${label}](${url})`);
    }
    case "user":
      return textIn(element, "user_id") === self ? "parley" : named("user", textIn(element, "user_id"));
    case "channel":
      return named("channel", textIn(element, "channel_id"));
    case "usergroup":
      return named("usergroup", textIn(element, "usergroup_id"));
    case "broadcast":
      return { name: `@${textIn(element, "range")}` };
    case "emoji":
      return typed(emojiOf(element));
    case "date":
      return typed(dateOf(element));
    case "color":
      return typed(textIn(element, "value"));
    default:
      return typed(textIn(element, "text"));
  }
}

/** The character itself where Slack gives its code points, else its name. */
function emojiOf(element: Payload): string {
  const codes = textIn(element, "unicode")
    .split("-")
    .map((code) => Number.parseInt(code, 16));
  const valid = codes.length > 0 && codes.every((code) => Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff);
  return valid ? String.fromCodePoint(...codes) : `:${textIn(element, "name")}:`;
}

function dateOf(element: Payload): string {
  const timestamp = Number(element["timestamp"]);
  const fallback = textIn(element, "fallback");
  return fallback !== "" || !Number.isFinite(timestamp)
    ? fallback
    : new Date(timestamp * 1000).toISOString().slice(0, 16).replace("T", " ");
}

const textOf = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => (piece === "parley" ? "" : "typed" in piece ? piece.typed : "name" in piece ? piece.name : piece.quoted))
    .join("");

function section(element: Payload, self: string): Piece[] {
  const pieces = objectsIn(element, "elements").map((one) => inline(one, self));
  switch (element["type"]) {
    case "rich_text_quote":
      return [
        {
          quoted: textOf(pieces)
            .split("\n")
            .map((line) => `> ${line}`)
            .join("\n"),
        },
      ];
    case "rich_text_preformatted":
      return [{ quoted: `\`\`\`\n${textOf(pieces)}\n\`\`\`` }];
    default:
      return pieces;
  }
}

function list(element: Payload, self: string): Piece[] {
  const indent = "  ".repeat(Number(element["indent"] ?? 0) || 0);
  const ordered = element["style"] === "ordered";
  const first = (Number(element["offset"] ?? 0) || 0) + 1;
  return objectsIn(element, "elements").flatMap((item, index): Piece[] => [
    typed(`${index === 0 ? "" : "\n"}${indent}${ordered ? `${first + index}.` : "-"} `),
    ...section(item, self),
  ]);
}

/** Everything that the `rich_text` blocks say; undefined when there are none. */
export function piecesOfBlocks(blocks: readonly Payload[], self: string): Piece[] | undefined {
  const rich = blocks.filter((block) => block["type"] === "rich_text");
  if (rich.length === 0) return undefined;
  const parts = rich.flatMap((block) => objectsIn(block, "elements"));
  return parts.flatMap((element, index): Piece[] => {
    const pieces = element["type"] === "rich_text_list" ? list(element, self) : section(element, self);
    // Slack ends a section with a line break of its own before a list or a quote.
    return index === 0 ? pieces : [typed("\n"), ...pieces];
  });
}

/** Neighbours of one sort become one run, what Parley's mention leaves over goes, and the ends are trimmed. */
export function runsOf(pieces: readonly Piece[]): { readonly runs: readonly Run[]; readonly mentioned: boolean } {
  const runs: Run[] = [];
  let afterMention = false;
  for (const piece of pieces) {
    if (piece === "parley") {
      afterMention = true;
      continue;
    }
    const last = runs.at(-1);
    let run = piece;
    if ("typed" in run && afterMention) run = typed(run.typed.replace(/^[,:]?[ \t]?/, ""));
    if (!("typed" in run) || run.typed !== "") afterMention = false;
    if (last !== undefined && "typed" in last && "typed" in run) runs[runs.length - 1] = typed(last.typed + run.typed);
    else runs.push(run);
  }
  return { runs: trimmed(runs), mentioned: pieces.includes("parley") };
}

function trimmed(runs: readonly Run[]): Run[] {
  const ends = runs.map((run, index) => {
    if (!("typed" in run)) return run;
    const start = index === 0 ? run.typed.trimStart() : run.typed;
    return typed(index === runs.length - 1 ? start.trimEnd() : start);
  });
  return ends.filter((run) => !("typed" in run) || run.typed !== "");
}
