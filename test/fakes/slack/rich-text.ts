/** What Slack's composer makes of a text that a person writes: the `rich_text` block beside the escaped text. */
import type { Json } from "./state.ts";

const inline =
  /<@([UW]\w+)(?:\|[^>]*)?>|<#(C\w+)(?:\|[^>]*)?>|<!subteam\^(S\w+)(?:\|[^>]*)?>|<!(here|channel|everyone)>|<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>|:([a-z0-9_+-]+):/g;

const plain = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

function elementsOf(text: string): Json[] {
  const elements: Json[] = [];
  let from = 0;
  for (const found of text.matchAll(inline)) {
    if (found.index > from) elements.push({ type: "text", text: plain(text.slice(from, found.index)) });
    from = found.index + found[0].length;
    const [, user, channel, group, range, url, label, emoji] = found;
    if (user !== undefined) elements.push({ type: "user", user_id: user });
    else if (channel !== undefined) elements.push({ type: "channel", channel_id: channel });
    else if (group !== undefined) elements.push({ type: "usergroup", usergroup_id: group });
    else if (range !== undefined) elements.push({ type: "broadcast", range });
    else if (url !== undefined) elements.push({ type: "link", url, ...(label === undefined ? {} : { text: label }) });
    else elements.push({ type: "emoji", name: emoji });
  }
  if (from < text.length) elements.push({ type: "text", text: plain(text.slice(from)) });
  return elements;
}

/** Quoted lines begin with `&gt; `, code stands between ``` lines; anything else is one section. */
export function richTextOf(text: string): Json {
  const elements: Json[] = [];
  for (const part of text.split(/(^```\n[^]*?\n```$)/m)) {
    if (part.startsWith("```\n")) {
      elements.push({ type: "rich_text_preformatted", elements: [{ type: "text", text: plain(part.slice(4, -4)) }] });
      continue;
    }
    const lines = part.replace(/^\n|\n$/g, "").split("\n");
    for (let at = 0; at < lines.length;) {
      const quoted = lines[at]?.startsWith("&gt; ") === true;
      let end = at + 1;
      while (end < lines.length && (lines[end]?.startsWith("&gt; ") === true) === quoted) end++;
      const stretch = lines
        .slice(at, end)
        .map((line) => (quoted ? line.slice(5) : line))
        .join("\n");
      if (stretch !== "")
        elements.push({ type: quoted ? "rich_text_quote" : "rich_text_section", elements: elementsOf(stretch) });
      at = end;
    }
  }
  return { type: "rich_text", block_id: "b1", elements };
}
