/** The command table: each command once, for every platform. */
import type { Clock } from "../../clock.ts";
import type { ServedTool } from "../../contract/tools.ts";
import type { CommandButton } from "../command-buttons.ts";
import type { Account } from "../accounts.ts";
import type { WorkspaceLists } from "../directory.ts";
import type { Action } from "../document.ts";
import type { FormDraft } from "../forms.ts";
import type { Forgetting } from "../forgetting.ts";
import type { InboundCommand, InboundFile } from "../inbound.ts";
import type { Deed } from "../permissions.ts";
import type { Creations } from "../media/creations.ts";
import type { MediaOrder } from "../media/order.ts";
import type { Linking } from "../linking.ts";
import type { Oversight } from "../oversight.ts";
import type { Limits } from "../platform.ts";
import type { PromptOrder } from "../prompts/order.ts";
import type { Refusal } from "../refusal.ts";
import type { SettingsBook } from "../settings.ts";
import type { Threads } from "../threads.ts";
import type { TurnStore } from "../turns/store.ts";
import type { Workspace } from "../workspace.ts";
import type { Proposal } from "./proposal.ts";
import type { CommandInfo, OptionInfo } from "./types.ts";

/** What a handler may use. */
export interface CommandContext {
  readonly command: InboundCommand;
  /**
   * The account that the command's deed is done with; of one that does no deed, the shared one. Its workspace refuses calls that
   * may change something: they are proposed.
   */
  readonly account: Account;
  /** The account's. */
  readonly workspace: Workspace;
  readonly lists: WorkspaceLists;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly store: TurnStore;
  /** What was made here. */
  readonly creations: Creations;
  /** What the asker's own account has begun here. */
  readonly forgetting: Pick<Forgetting, "begun">;
  /** For operators' commands. */
  readonly oversight: Oversight;
  /** People's own accounts. */
  readonly linking: Linking;
  /** What the asker's platform can; null where this process does not have it. */
  readonly limits: Limits | null;
  /** Files of the newest messages of the command's place, the newest first. */
  readonly recentFiles: () => Promise<readonly InboundFile[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** True when the asker may do this here, too, with the command's account or one of their own. */
  readonly may: (deed: Deed) => Promise<boolean>;
  /** False when the key of the account that this would be done with may certainly not call the tool. */
  readonly offered: (deed: Deed, tool: ServedTool) => Promise<boolean>;
}

/** Makes what a command may use, for the account that its deed is done with. */
export type CommandContexts = (
  command: InboundCommand,
  by: { readonly account: Account; readonly deed: Deed | null },
  signal: AbortSignal,
) => CommandContext;

/**
 * What a handler gives back:
 * - `tell`: Markdown for the asker alone, with buttons that open `form`, that run a command, and others;
 * - `ask`: words that begin (or go on with) a conversation; with `recordings`, which are written down for it;
 * - `prompt`: a saved prompt that is run, and whose conversation goes on;
 * - `answer`: Markdown for everybody in the place, with a quiet last line;
 * - `make`: something that is made for credits, and shown to everybody in the place;
 * - `stop`, `retry`: the key of the turn that this is done to;
 * - `propose`: what it would do, once its asker has said yes. Nothing else changes anything at the workspace;
 * - `forget`: the asker is forgotten, and with `all` the conversations that their own account began are deleted.
 */
export type CommandResult =
  | {
      readonly tell: string;
      readonly form?: FormDraft | readonly FormDraft[];
      readonly run?: readonly CommandButton[];
      readonly actions?: readonly Action[];
    }
  | { readonly prompt: PromptOrder }
  | { readonly ask: string; readonly recordings?: readonly InboundFile[] }
  | { readonly answer: string; readonly footer: string | null }
  | { readonly make: MediaOrder }
  | { readonly stop: string }
  | { readonly retry: string }
  | { readonly propose: Proposal }
  | { readonly forget: "asker" | "all" }
  | { readonly refusal: Refusal; readonly actions?: readonly Action[] };

export type Options = Readonly<Record<string, string | undefined>>;

export interface Command extends CommandInfo {
  /** `lane`: waits for its turn behind the place's messages. `now`: runs at once, also while an answer forms. */
  readonly order: "lane" | "now";
  /** What it does at the workspace, by which the table of permissions says who may, and as whom; null when it does nothing there. */
  readonly deed: Deed | null;
  /** The workspace's tool that does the same: a key that may not call it is not offered this. */
  readonly tool?: ServedTool;
  /** Shown while it works, where the answer is for everybody. */
  readonly slow?: true;
  readonly run: (options: Options, context: CommandContext) => Promise<CommandResult>;
  /** With `opensForm`, its own or its menu's: the form; undefined where there is nothing to ask. */
  readonly form?: (context: CommandContext) => Promise<FormDraft | undefined>;
}

/**
 * Options of a command, checked. Where the platform has none of its own, what was typed behind the name is read:
 * `name:value` for named ones, and the rest is the first option.
 */
export function readOptions(command: CommandInfo, inbound: InboundCommand): Options | { readonly problem: string } {
  if (inbound.chosen === true) return {};
  const values: Record<string, string | undefined> = { ...inbound.options };
  let rest = inbound.text.trim();
  const [first, ...named] = typedOptions(command);
  for (const option of named) {
    const found = new RegExp(`(?:^|\\s)${option.name}:(?:"([^"]*)"|(\\S+))`, "u").exec(rest);
    if (found === null || values[option.name] !== undefined) continue;
    values[option.name] = found[1] ?? found[2];
    rest = rest.replace(found[0], " ").trim();
  }
  if (first !== undefined && values[first.name] === undefined && rest !== "")
    values[first.name] = rest.replace(new RegExp(`^${first.name}:\\s*`, "u"), "");
  for (const option of typedOptions(command)) {
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

/** Those that are written behind the name; files are not. */
const typedOptions = ({ options }: CommandInfo): readonly OptionInfo[] => options.filter(({ type }) => type !== "file");

/** `/name <required> [optional]`. */
export const usage = (command: CommandInfo): string =>
  [
    `/${command.name}`,
    ...typedOptions(command).map((option) => (option.required ? `<${option.name}>` : `[${option.name}]`)),
  ].join(" ");
