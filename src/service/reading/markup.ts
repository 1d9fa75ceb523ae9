/** Simple well-formed HTML, as a converter of ours writes it, back to text: a line a paragraph, a line a table row. */

const named: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
const unescape = (text: string): string => text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => named[entity] ?? entity);

/** What stands for a tag: `inRow` is true between `<tr>` and `</tr>`, where a paragraph must not end the line. */
function standIn(tag: string, inRow: boolean): string {
  if (/^<\/t[dh]/.test(tag)) return " | ";
  if (/^<(?:\/p|\/h\d|br)/.test(tag)) return inRow ? " " : "\n";
  if (/^<\/(?:tr|table|ul|ol)/.test(tag)) return inRow ? " " : "\n";
  if (tag.startsWith("<li")) return inRow ? " - " : "\n- ";
  return "";
}

/** A line without double spaces, and without the bars of empty cells at its end. */
function tidy(line: string): string {
  const single = line.replace(/ {2,}/g, " ");
  let end = single.length;
  while (end > 0 && " |".includes(single.charAt(end - 1))) end -= 1;
  return single.slice(0, end);
}

/** The text of `html`. It knows paragraphs, headings, lists and tables; every other tag is left out. */
export function markupText(html: string): string {
  let text = "";
  let rows = 0;
  for (const [piece] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    if (piece.startsWith("</tr")) rows -= 1;
    text += piece.startsWith("<") ? standIn(piece, rows > 0) : unescape(piece);
    if (piece.startsWith("<tr")) rows += 1;
  }
  return text
    .split("\n")
    .map(tidy)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
