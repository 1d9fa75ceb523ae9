/** Reads what a person typed: is it for Parley, is it a command, and which of it was only quoted. */
import type { Run } from "../../src/core/inbound.ts";

export interface Reading {
  /** `@parley` stands in it, outside of quotes. */
  readonly mentioned: boolean;
  /** The text without the mention; quoted lines apart, as only what was typed may address an agent. */
  readonly runs: readonly Run[];
  /** Set when what is left begins with `/name`. */
  readonly command: { readonly name: string; readonly text: string } | null;
}

// Not in an address (`me@parley.example`), and not another tag that begins the same (`@parley-test`).
const mention = /(?<![\w@./-])@parley(?![\w-]|\.\w)[,:]?[ \t]?/gi;
// A path like `/usr/bin` is no command.
const command = /^\/([a-z][a-z0-9_-]{0,31})(?:\s+([\s\S]*))?$/i;
const quote = /^ {0,3}>/;

/** Consecutive lines of one sort, so that quoted lines (Markdown's `>`) stay apart from typed ones. */
function stretches(text: string): { quoted: boolean; text: string }[] {
  const found: { quoted: boolean; text: string }[] = [];
  for (const line of text.split("\n")) {
    const quoted = quote.test(line);
    const last = found.at(-1);
    if (last?.quoted === quoted) last.text += `\n${line}`;
    else found.push({ quoted, text: line });
  }
  return found;
}

export function read(text: string): Reading {
  let mentioned = false;
  const parts = stretches(text.replaceAll("\r\n", "\n")).map((part) => {
    if (part.quoted) return part;
    const without = part.text.replace(mention, () => ((mentioned = true), ""));
    return { quoted: false, text: without };
  });
  const runs: Run[] = [];
  parts.forEach((part, index) => {
    const own = (index === 0 ? part.text.trimStart() : `\n${part.text}`).replace(/^\n+$/, "");
    const whole = index === parts.length - 1 ? own.trimEnd() : own;
    if (whole !== "") runs.push(part.quoted ? { quoted: whole } : { typed: whole });
  });
  const [first] = runs;
  const found = runs.length === 1 && first !== undefined && "typed" in first ? command.exec(first.typed) : null;
  return {
    mentioned,
    runs,
    command: found === null ? null : { name: (found[1] ?? "").toLowerCase(), text: (found[2] ?? "").trim() },
  };
}
