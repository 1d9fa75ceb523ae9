/** Discord's application commands, from the command table. */
import type { CommandInfo, OptionInfo } from "../../../src/core/commands/types.ts";
import { shorten } from "../../../src/core/shorten.ts";

/** https://docs.discord.com/developers/interactions/application-commands */
const chatInput = 1;
const messageMenu = 3;
const textOption = 3;
const attachmentOption = 11;
const longestText = 100;
const mostChoices = 25;

/** For a server, and for a person who takes Parley along. */
const installs = [0, 1];
/** In servers, in direct messages with Parley, and in other direct messages. */
const everywhere = [0, 1, 2];
/** Manage Channels: what a command changes counts for everybody in the channel. A server's own settings win over it. */
const manageChannels = "16";

/** What stands in the menu of a message, beside what the command table has for it; Discord takes five. */
export const menu = { ask: "Ask Parley", summarise: "Summarise from here" } as const;

interface OptionDefinition {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly choices?: readonly { readonly name: string; readonly value: string }[];
  readonly autocomplete?: true;
}

export interface CommandDefinition {
  readonly type: number;
  readonly name: string;
  /** Empty for a menu's command. */
  readonly description: string;
  readonly options: readonly OptionDefinition[];
  readonly integration_types: readonly number[];
  readonly contexts: readonly number[];
  readonly default_member_permissions: string | null;
}

const cut = (text: string): string => shorten(text, longestText);

const optionOf = ({ name, help, type, required, choices, source }: OptionInfo): OptionDefinition => ({
  type: type === "file" ? attachmentOption : textOption,
  name,
  description: cut(help),
  required,
  ...(choices === undefined
    ? source === undefined
      ? {}
      : { autocomplete: true }
    : { choices: choices.slice(0, mostChoices).map(({ value, label }) => ({ name: cut(label), value })) }),
});

export const definitionsOf = (commands: readonly CommandInfo[]): readonly CommandDefinition[] => [
  ...commands.map(({ name, help, options, changesPlace }) => ({
    type: chatInput,
    name,
    description: cut(help),
    options: options.map(optionOf),
    integration_types: installs,
    contexts: everywhere,
    default_member_permissions: changesPlace === true ? manageChannels : null,
  })),
  ...[...Object.values(menu), ...commands.flatMap((command) => command.menu?.label ?? [])].map((name) => ({
    type: messageMenu,
    name,
    description: "",
    options: [],
    integration_types: installs,
    contexts: everywhere,
    default_member_permissions: null,
  })),
];

interface Registered {
  readonly [field: string]: unknown;
}

/** What is registered, as it would be defined: Discord adds fields of its own, and leaves out what is empty. */
function definedOf(command: Registered): CommandDefinition {
  const options = Array.isArray(command["options"]) ? (command["options"] as Registered[]) : [];
  const list = (value: unknown, otherwise: readonly number[]): readonly number[] =>
    Array.isArray(value) ? (value as number[]).toSorted((a, b) => a - b) : otherwise;
  return {
    type: Number(command["type"] ?? chatInput),
    name: String(command["name"]),
    description: typeof command["description"] === "string" ? command["description"] : "",
    options: options.map(({ type, name, description, required, choices, autocomplete }) => ({
      type: Number(type),
      name: String(name),
      description: String(description),
      required: required === true,
      ...(Array.isArray(choices)
        ? {
            choices: (choices as { name: string; value: string }[]).map((choice) => ({ name: choice.name, value: choice.value })),
          }
        : {}),
      ...(autocomplete === true ? { autocomplete: true as const } : {}),
    })),
    integration_types: list(command["integration_types"], [0]),
    contexts: list(command["contexts"], everywhere),
    default_member_permissions: (command["default_member_permissions"] ?? null) as string | null,
  };
}

/** True when what Discord has registered is what is wanted, in whatever order. */
export function areRegistered(wanted: readonly CommandDefinition[], registered: unknown): boolean {
  if (!Array.isArray(registered)) return false;
  const shape = (commands: readonly CommandDefinition[]): string =>
    JSON.stringify(commands.toSorted((a, b) => a.type - b.type || a.name.localeCompare(b.name)));
  return shape((registered as Registered[]).map(definedOf)) === shape(wanted.map((one) => definedOf({ ...one })));
}
