/** Reads Discord's Markdown as its clients do, as far as that matters: what is text, what leads where, and what would mention somebody. */

export interface ReadMarkdown {
  /** What people read, without marks. */
  readonly text: string;
  /** Where links lead, masked or bare. */
  readonly links: readonly string[];
  /** Addresses that are links with a preview. */
  readonly previews: readonly string[];
  /** Mentions, custom emoji, time stamps, commands. */
  readonly mentions: readonly string[];
  /** Every fence is closed. */
  readonly closed: boolean;
}

const lineMarks = /^ *(?:#{1,3} |-# |>>> |> |[-*] |\d+\. )/;
const fence = /^```(?:[a-z0-9_+\-.#]+\n|\n)?([\s\S]*?)\n?```/i;
const code = /^(`+)([\s\S]*?[^`])\1(?!`)/;
const masked = /^\[((?:\\.|[^\]\\])+)\]\(<(https?:\/\/[^>\s]+)>\)/;
const bracketed = /^<(https?:\/\/[^>\s]+)>/;
const mention = /^<(?:@[!&]?\d+|#\d+|a?:\w+:\d+|t:-?\d+(?::[tTdDfFR])?|\/[^:>]+:\d+|id:\w+)>|^@(?:everyone|here)/;
const preview = /^https?:\/\/[^\s<]+/i;
const invitation = /^discord(?:app)?\.(?:gg|com\/invite)\/\w+/i;
const escaped = /^\\([^0-9A-Za-z\s])/;
const mark = /^(?:\*{1,3}|_{1,2}|~~|\|\|)/;

export function readMarkdown(content: string): ReadMarkdown {
  const links: string[] = [];
  const previews: string[] = [];
  const mentions: string[] = [];
  let text = "";
  let closed = true;
  const read = (source: string): void => {
    for (let at = 0; at < source.length;) {
      const rest = source.slice(at);
      const take = (pattern: RegExp): RegExpExecArray | null => {
        const found = pattern.exec(rest);
        if (found !== null) at += found[0].length;
        return found;
      };
      let found: RegExpExecArray | null;
      if ((at === 0 || source[at - 1] === "\n") && (found = take(lineMarks)) !== null) continue;
      if ((found = take(fence)) !== null) text += found[1] ?? "";
      else if (rest.startsWith("```")) {
        closed = false;
        at += 3;
      } else if ((found = take(code)) !== null) text += found[2] ?? "";
      else if ((found = take(escaped)) !== null) text += found[1] ?? "";
      else if ((found = take(masked)) !== null) {
        links.push(found[2] ?? "");
        read(found[1] ?? "");
      } else if ((found = take(bracketed)) !== null) {
        links.push(found[1] ?? "");
        text += found[1] ?? "";
      } else if ((found = take(mention)) !== null) mentions.push(found[0]);
      else if ((found = take(preview) ?? take(invitation)) !== null) previews.push(found[0]);
      else if (take(mark) === null) {
        text += source[at] ?? "";
        at++;
      }
    }
  };
  read(content);
  return { text, links, previews, mentions, closed };
}
