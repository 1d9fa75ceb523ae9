/** Reads what a person typed on Discord: names for ids, quotes apart, and the mention of Parley taken out. */
import type { Run } from "../../../src/core/inbound.ts";

/** What the ids in a text stand for; undefined where that is not known. */
export interface Names {
  readonly person: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
  readonly role: (id: string) => string | undefined;
}

/** What mentions Parley: its own id, and that of the role that Discord gave it. */
export interface Self {
  readonly id: string;
  readonly role: string | undefined;
}

/** https://docs.discord.com/developers/reference#message-formatting */
const token =
  /<(?:@!?(?<person>\d+)|@&(?<role>\d+)|#(?<channel>\d+)|a?:(?<emoji>\w+):\d+|t:(?<time>-?\d{1,13})(?::[tTdDfFR])?|\/(?<command>[^:>\n]+):\d+)>/g;
// Lines behind ">>>" are quoted to the end; ">" quotes its line, and only with a blank behind it.
const quotedLine = /^>(?: |$)/;
const quotedRest = /^>>>(?: |$)/;

interface Stretch {
  readonly quoted: boolean;
  text: string;
}

/** Consecutive lines of one sort. */
function stretches(text: string): Stretch[] {
  const found: Stretch[] = [];
  let toTheEnd = false;
  for (const line of text.split("\n")) {
    toTheEnd ||= quotedRest.test(line);
    const quoted = toTheEnd || quotedLine.test(line);
    const last = found.at(-1);
    if (last?.quoted === quoted) last.text += `\n${line}`;
    else found.push({ quoted, text: line });
  }
  return found;
}

/** What a token other than a mention of Parley reads as. */
function wordOf(groups: Readonly<Record<string, string | undefined>>, names: Names): string {
  const { person, role, channel, emoji, time, command } = groups;
  if (person !== undefined) return names.person(person) ?? "somebody";
  if (role !== undefined) return names.role(role) ?? "a role";
  if (channel !== undefined) return `#${names.channel(channel) ?? "a-channel"}`;
  if (emoji !== undefined) return `:${emoji}:`;
  if (command !== undefined) return `/${command}`;
  const at = new Date(Number(time) * 1000);
  return Number.isNaN(at.getTime()) ? "some time" : at.toISOString();
}

export interface Reading {
  /** Parley stands in it, outside of quotes. */
  readonly mentioned: boolean;
  readonly runs: readonly Run[];
}

/** Only what was typed outside of quotes and names may address an agent. */
export function readText(content: string, self: Self, names: Names): Reading {
  let mentioned = false;
  const runs: Run[] = [];
  const add = (run: Run): void => {
    const last = runs.at(-1);
    if ("typed" in run && last !== undefined && "typed" in last) runs[runs.length - 1] = { typed: last.typed + run.typed };
    else if (!("typed" in run && run.typed === "")) runs.push(run);
  };

  for (const [index, { quoted, text }] of stretches(content.replaceAll("\r\n", "\n")).entries()) {
    const whole = index === 0 ? text : `\n${text}`;
    if (quoted) {
      add({ quoted: whole.replace(token, (...match) => wordOf(match.at(-1) as Record<string, string | undefined>, names)) });
      continue;
    }
    let from = 0;
    for (const found of whole.matchAll(token)) {
      const { groups = {} } = found;
      add({ typed: whole.slice(from, found.index) });
      from = found.index + found[0].length;
      if (groups["person"] === self.id || (self.role !== undefined && groups["role"] === self.role)) {
        mentioned = true;
        from += /^[,:]?[ \t]?/.exec(whole.slice(from))?.[0].length ?? 0;
      } else {
        add({ name: wordOf(groups, names) });
      }
    }
    add({ typed: whole.slice(from) });
  }
  return { mentioned, runs: trimmed(runs) };
}

/** Without blanks at either end, and without runs that are nothing but these. */
function trimmed(runs: readonly Run[]): Run[] {
  const kept = [...runs];
  for (let first = kept[0]; first !== undefined && "typed" in first; first = kept[0]) {
    const text = first.typed.trimStart();
    if (text !== "") {
      kept[0] = { typed: text };
      break;
    }
    kept.shift();
  }
  for (let last = kept.at(-1); last !== undefined && "typed" in last; last = kept.at(-1)) {
    const text = last.typed.trimEnd();
    if (text !== "") {
      kept[kept.length - 1] = { typed: text };
      break;
    }
    kept.pop();
  }
  return kept;
}

/** A message's words as plain text, for context and for names. */
export const plainText = (content: string, names: Names): string =>
  content.replace(token, (...match) => wordOf(match.at(-1) as Record<string, string | undefined>, names)).trim();
