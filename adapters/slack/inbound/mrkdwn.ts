/** Runs of a message's text where it has no `rich_text` blocks: Slack's own escapes, as integrations and old clients send them. */
import { objectsIn, textIn, type Payload } from "../payload.ts";
import { referenceText } from "./names.ts";
import { piecesOfBlocks, runsOf, type Piece } from "./runs.ts";

const marked = /<([^<>]+)>/g;

const unescaped = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** What stands between angle brackets: a mention, a special word or a link, each with an optional label. */
function pieceOf(inner: string, self: string): Piece {
  const [target = "", label] = inner.split("|", 2);
  const rest = target.slice(1);
  if (target.startsWith("@")) return rest === self ? "parley" : { name: referenceText({ kind: "user", id: rest }) };
  if (target.startsWith("#"))
    return { name: label === undefined || label === "" ? referenceText({ kind: "channel", id: rest }) : `#${unescaped(label)}` };
  if (target.startsWith("!subteam^")) {
    const id = target.slice("!subteam^".length);
    return { name: label === undefined || label === "" ? referenceText({ kind: "usergroup", id }) : unescaped(label) };
  }
  // `<!date^1700000000^{date}|fallback>` and others of its kind say in their label what to show.
  if (target.startsWith("!")) return label === undefined ? { name: `@${rest}` } : { typed: unescaped(label) };
  const url = unescaped(target);
  return { typed: label === undefined || unescaped(label) === url ? url : `[${unescaped(label)}](${url})` };
}

function piecesOfText(text: string, self: string): Piece[] {
  const pieces: Piece[] = [];
  // Lines that begin with an escaped ">" are quotes; only what was typed may address an agent.
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0) pieces.push({ typed: "\n" });
    const quoted = line.startsWith("&gt;");
    const own: Piece[] = [];
    let from = 0;
    for (const found of line.matchAll(marked)) {
      if (found.index > from) own.push({ typed: unescaped(line.slice(from, found.index)) });
      own.push(pieceOf(found[1] ?? "", self));
      from = found.index + found[0].length;
    }
    if (from < line.length) own.push({ typed: unescaped(line.slice(from)) });
    pieces.push(
      ...(quoted ? own.map((piece): Piece => (piece !== "parley" && "typed" in piece ? { quoted: piece.typed } : piece)) : own),
    );
  }
  return pieces;
}

/** What a message says, and whether it mentions Parley (outside of quotes it is left out of the runs). */
export function readMessage(message: Payload, self: string): ReturnType<typeof runsOf> {
  return runsOf(piecesOfBlocks(objectsIn(message, "blocks"), self) ?? piecesOfText(textIn(message, "text"), self));
}
