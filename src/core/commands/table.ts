/** The command table: each command once, for every platform. */
import type { Clock } from "../../clock.ts";
import type { Permission } from "../access.ts";
import type { WorkspaceLists } from "../directory.ts";
import type { InboundCommand } from "../inbound.ts";
import type { Refusal } from "../refusal.ts";
import type { SettingsBook } from "../settings.ts";
import type { Threads } from "../threads.ts";
import type { TurnStore } from "../turns/store.ts";
import type { Workspace } from "../workspace.ts";
import type { CommandInfo, OptionInfo } from "./types.ts";

/** What a handler may use. */
export interface CommandContext {
  readonly command: InboundCommand;
  readonly workspace: Workspace;
  readonly lists: WorkspaceLists;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly store: TurnStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** True when the asker may do what needs this. */
  readonly may: (permission: Permission) => boolean;
}

/**
 * What a handler gives back:
 * - `tell`: Markdown for the asker alone;
 * - `ask`: words that begin (or go on with) a conversation;
 * - `answer`: Markdown for everybody in the place, with a quiet last line;
 * - `stop`, `retry`: the key of the turn that this is done to.
 */
export type CommandResult =
  | { readonly tell: string }
  | { readonly ask: string }
  | { readonly answer: string; readonly footer: string | null }
  | { readonly stop: string }
  | { readonly retry: string }
  | { readonly refusal: Refusal };

export type Options = Readonly<Record<string, string | undefined>>;

export interface Command extends CommandInfo {
  /** `lane`: waits for its turn behind the place's messages. `now`: runs at once, also while an answer forms. */
  readonly order: "lane" | "now";
  /** What a person needs to be to use it; without it anybody may. */
  readonly needs?: Permission;
  /** Shown while it works, where the answer is for everybody. */
  readonly slow?: true;
  readonly run: (options: Options, context: CommandContext) => Promise<CommandResult>;
}

/**
 * Options of a command, checked. Where the platform has none of its own, what was typed behind the name is read:
 * `name:value` for named ones, and the rest is the first option.
 */
export function readOptions(command: CommandInfo, inbound: InboundCommand): Options | { readonly problem: string } {
  const values: Record<string, string | undefined> = { ...inbound.options };
  let rest = inbound.text.trim();
  const [first] = command.options;
  for (const option of command.options.slice(1)) {
    const found = new RegExp(`(?:^|\\s)${option.name}:(?:"([^"]*)"|(\\S+))`, "u").exec(rest);
    if (found === null || values[option.name] !== undefined) continue;
    values[option.name] = found[1] ?? found[2];
    rest = rest.replace(found[0], " ").trim();
  }
  if (first !== undefined && values[first.name] === undefined && rest !== "")
    values[first.name] = rest.replace(new RegExp(`^${first.name}:\\s*`, "u"), "");
  for (const option of command.options) {
    const problem = problemOf(command, option, values[option.name]);
    if (problem !== null) return { problem };
  }
  return values;
}

function problemOf(command: CommandInfo, option: OptionInfo, value: string | undefined): string | null {
  if (value === undefined || value.trim() === "") {
    return option.required ? `\`/${command.name}\` needs ${option.help.toLowerCase()}: \`${usage(command)}\`.` : null;
  }
  if (option.choices === undefined || option.choices.some((choice) => choice.value === value)) return null;
  return `“${value}” is not a choice for ${option.name}: expected ${option.choices.map((choice) => choice.value).join(", ")}.`;
}

/** `/name <required> [optional]`. */
export const usage = (command: CommandInfo): string =>
  [`/${command.name}`, ...command.options.map((option) => (option.required ? `<${option.name}>` : `[${option.name}]`))].join(" ");
