/** What can be suggested at the caret: read from the text alone, so that it can be tested without a page. */

/**
 * @import {CommandInfo as Command, OptionInfo as Option, Suggestion as Item} from "../../../src/core/commands/types.ts"
 * @typedef {object} Wanted
 * @property {"command" | "agent" | "option"} kind
 * @property {string} query what was typed of it
 * @property {number} from where in the text it begins
 * @property {number} to where it ends: the caret
 * @property {Option} [option]
 * @property {Option[]} [names] options that could be named here
 */

const commandText = /^(\s*(?:@parley[,:]?\s+)?)\/([a-z0-9_-]*)$/i;
const commandLine = /^\s*(?:@parley[,:]?\s+)?\/([a-z0-9_-]+)\s([\s\S]*)$/i;
const tag = /(?:^|[\s(])@([\w-]*)$/;

/** Files are attached, not typed. @param {Command} command @returns {Option[]} */
const typed = (command) => command.options.filter(({ type }) => type !== "file");

/**
 * Options of a command: `name:value` for named ones, and the rest is the first option.
 * @returns {Wanted | null}
 */
function optionAt(command, line, to) {
  const [first, ...others] = typed(command);
  if (first === undefined) return null;
  const open = others.find((option) => new RegExp(`(?:^|\\s)${option.name}:(\\S*)$`).test(line));
  if (open !== undefined) {
    const query = line.slice(line.lastIndexOf(`${open.name}:`) + open.name.length + 1);
    return { kind: "option", option: open, names: [], query, from: to - query.length, to };
  }
  const unused = others.filter((option) => !new RegExp(`(?:^|\\s)${option.name}:`).test(line));
  // The first option's value may have spaces; where it is free text, only the last word can begin a name.
  const offersFirst = first.choices !== undefined || first.source !== undefined;
  const query = unused.length === others.length && offersFirst ? line : (/\S*$/.exec(line)?.[0] ?? "");
  return {
    kind: "option",
    ...(offersFirst && query === line ? { option: first } : {}),
    names: unused,
    query,
    from: to - query.length,
    to,
  };
}

/**
 * @param {string} text
 * @param {number} caret
 * @param {readonly Command[]} commands
 * @returns {Wanted | null}
 */
export function wantedAt(text, caret, commands) {
  const before = text.slice(0, caret);
  const name = commandText.exec(before);
  if (name !== null) return { kind: "command", query: name[2].toLowerCase(), from: name[1].length, to: caret };
  const found = tag.exec(before);
  /** @type {Wanted | null} */
  const agent =
    found === null ? null : { kind: "agent", query: found[1].toLowerCase(), from: caret - found[1].length - 1, to: caret };
  const line = commandLine.exec(before);
  const command = line === null ? undefined : commands.find((one) => one.name === line[1].toLowerCase());
  const option = line === null || command === undefined ? null : optionAt(command, line[2], caret);
  // In free text an agent can be named; where values are listed, they come first.
  if (option?.option !== undefined) return option;
  return agent ?? (option !== null && option.names.length > 0 ? option : null);
}

/** @param {Wanted} wanted @param {readonly Command[]} commands @returns {Item[]} */
export function commandItems(wanted, commands) {
  return commands
    .filter((command) => command.name.startsWith(wanted.query))
    .map((command) => ({
      value: `/${command.name}`,
      label: [`/${command.name}`, ...typed(command).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))].join(
        " ",
      ),
      detail: command.help,
    }));
}

/** @param {Wanted} wanted @returns {Item[]} names of options that begin like this */
export const nameItems = (wanted) =>
  wanted.names
    .filter(({ name }) => name.startsWith(wanted.query.toLowerCase()))
    .map(({ name, help }) => ({ value: `${name}:`, label: `${name}:`, detail: help }));

/** @param {readonly Item[]} items those whose value or label has the query in it, those that begin with it first */
export function matching(items, query) {
  const wanted = query.trim().toLowerCase();
  const begins = ({ value, label }) => value.toLowerCase().startsWith(wanted) || label.toLowerCase().startsWith(wanted);
  const holds = ({ value, label }) => value.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted);
  const held = items.filter(holds);
  return [...held.filter(begins), ...held.filter((item) => !begins(item))];
}

/**
 * @param {string} text
 * @param {Wanted} wanted
 * @param {string} value
 * @returns {{text: string, caret: number}} the text with `value` in place of what was typed of it
 */
export function accept(text, wanted, value) {
  const quoted =
    wanted.kind === "option" &&
    wanted.option !== undefined &&
    wanted.from > 0 &&
    text[wanted.from - 1] === ":" &&
    /\s/.test(value);
  const whole = quoted ? `"${value}"` : value;
  const after = text.slice(wanted.to).replace(/^ /, "");
  const space = whole.endsWith(":") ? "" : " ";
  return { text: text.slice(0, wanted.from) + whole + space + after, caret: wanted.from + whole.length + space.length };
}
