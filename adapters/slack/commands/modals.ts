/** The modals: a question, a command's options, and the settings of a channel. */
import type { CommandInfo, OptionInfo, Suggestion } from "../../../src/core/commands/types.ts";
import type { Settings } from "../../../src/core/settings.ts";

/** Where the answer to a modal belongs; kept in its `private_metadata`. */
export interface ModalOrigin {
  readonly channel: string;
  readonly thread: string | null;
  /** The command that is asked about. */
  readonly command: string;
  readonly joins?: true;
}

export const modalCallback = "parley_modal";
export const settingsCallback = "parley_settings";
/** Of the select that says where to ask, where the modal came from nowhere. */
export const placeBlock = "place";
/** Of every input; its block's id is the option's name. */
export const inputAction = "value";

/** Slack's limits: https://docs.slack.dev/reference/block-kit/composition-objects/option-object. */
const optionCharacters = 75;
const optionValueCharacters = 150;
const questionCharacters = 3_000;

const plain = (text: string) => ({ type: "plain_text", text, emoji: false });
const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`);

/** An option of a select. Null where Slack has no room for its value. */
export function selectOption({ value, label }: Suggestion) {
  return value === "" || value.length > optionValueCharacters
    ? null
    : { text: plain(cut(label || value, optionCharacters)), value };
}

const options = (choices: readonly Suggestion[]) => choices.map(selectOption).filter((option) => option !== null);

function element(option: OptionInfo, chosen: string | undefined) {
  const initial = chosen === undefined ? null : selectOption({ value: chosen, label: labelOf(option, chosen) });
  const initialOption = initial === null ? {} : { initial_option: initial };
  if (option.choices !== undefined)
    return { type: "static_select", action_id: inputAction, options: options(option.choices), ...initialOption };
  if (option.source !== undefined)
    return { type: "external_select", action_id: inputAction, min_query_length: 0, ...initialOption };
  return {
    type: "plain_text_input",
    action_id: inputAction,
    multiline: option.name === "question",
    max_length: questionCharacters,
    ...(chosen === undefined ? {} : { initial_value: chosen }),
  };
}

const labelOf = (option: OptionInfo, value: string): string =>
  option.choices?.find((choice) => choice.value === value)?.label ?? value;

const input = (option: OptionInfo, name: string, chosen?: string) => ({
  type: "input",
  block_id: name,
  optional: !option.required,
  label: plain(option.help),
  element: element(option, chosen),
});

const modal = (callback: string, title: string, submit: string, origin: ModalOrigin, blocks: readonly object[]) => ({
  type: "modal",
  callback_id: callback,
  title: plain(title),
  submit: plain(submit),
  close: plain("Cancel"),
  private_metadata: JSON.stringify(origin),
  blocks,
});

/** Asks for the options of a command; also where, when the person was nowhere. */
export function commandModal(command: CommandInfo, origin: ModalOrigin): object {
  const where =
    origin.channel !== ""
      ? []
      : [
          {
            type: "input",
            block_id: placeBlock,
            label: plain("Where"),
            element: { type: "conversations_select", action_id: inputAction, default_to_current_conversation: true },
          },
        ];
  const hint = { type: "context", elements: [{ type: "mrkdwn", text: "`/parley help` shows everything that Parley can do." }] };
  const title = command.name === "ask" ? "Ask Parley" : `Parley: ${cut(command.name, 16)}`;
  return modal(modalCallback, title, command.name === "ask" ? "Ask" : "Done", origin, [
    ...command.options.map((option) => input(option, option.name)),
    ...where,
    hint,
  ]);
}

/** One input of the settings modal: an option of one of the commands that change settings. */
interface SettingInput {
  /** The block's id. */
  readonly id: string;
  readonly command: string;
  readonly option: OptionInfo;
  readonly chosen: (settings: Settings) => string | undefined;
  /** What the command is given for a value. */
  readonly given: (value: string) => Readonly<Record<string, string>>;
  /** What takes the choice back; undefined where an emptied input changes nothing. */
  readonly none?: string;
}

const optionOf = (commands: readonly CommandInfo[], name: string): OptionInfo | undefined =>
  commands.find((command) => command.name === name)?.options[0];

/** Those that are commands of their own. */
const named: ReadonlyArray<Pick<SettingInput, "command" | "chosen" | "none">> = [
  { command: "model", chosen: ({ model, auto }) => model?.name ?? auto },
  { command: "agent", chosen: ({ agent }) => agent?.name, none: "none" },
  { command: "project", chosen: ({ project }) => project?.name, none: "none" },
  { command: "effort", chosen: ({ effort }) => effort },
];

interface Choice extends Pick<SettingInput, "id" | "chosen"> {
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Those that `/settings` changes by name and value. */
const choices: readonly Choice[] = [
  {
    id: "follow_ups",
    help: "Messages of a thread that Parley takes part in",
    labels: { thread: "All of them are for Parley", mention: "Only those that mention it" },
    chosen: ({ followUps }) => followUps,
  },
  {
    id: "streaming",
    help: "How answers grow",
    labels: { auto: "As serves best", edit: "By edits", native: "By Slack's own streams" },
    chosen: ({ streaming }) => streaming,
  },
  {
    id: "footer",
    help: "Model, time and credits under answers",
    labels: { on: "Shown", off: "Not shown" },
    chosen: ({ footer }) => (footer === undefined ? undefined : footer ? "on" : "off"),
  },
];

function settingInputs(commands: readonly CommandInfo[]): readonly SettingInput[] {
  const ownCommands = named.flatMap(({ command, ...rest }): SettingInput[] => {
    const option = optionOf(commands, command);
    return option === undefined ? [] : [{ id: command, command, option, given: (value) => ({ [option.name]: value }), ...rest }];
  });
  const byName = choices.map(({ id, help, labels, chosen }): SettingInput => {
    const values = Object.entries(labels).map(([value, label]) => ({ value, label }));
    const option: OptionInfo = { name: id, help, type: "choice", required: false, choices: values };
    return { id, command: "settings", option, chosen, given: (value) => ({ change: `${id} ${value}` }), none: "default" };
  });
  return [...ownCommands, ...byName];
}

/** Everything that can be chosen for a channel, with what is chosen now. */
export function settingsModal(commands: readonly CommandInfo[], settings: Settings, origin: ModalOrigin): object {
  const blocks = settingInputs(commands).map(({ id, option, chosen }) =>
    input({ ...option, required: false }, id, chosen(settings)),
  );
  return modal(settingsCallback, "Parley here", "Save", origin, blocks);
}

/** A command that a submitted settings modal stands for. */
export interface SettingChange {
  readonly id: string;
  readonly command: string;
  readonly options: Readonly<Record<string, string>>;
}

/** What is as it was is left out. */
export function changedSettings(
  commands: readonly CommandInfo[],
  values: Readonly<Record<string, string>>,
  settings: Settings,
): readonly SettingChange[] {
  return settingInputs(commands).flatMap(({ id, command, chosen, given, none }) => {
    const value = values[id];
    if (value === undefined || value === (chosen(settings) ?? "")) return [];
    const wanted = value === "" ? none : value;
    return wanted === undefined ? [] : [{ id, command, options: given(wanted) }];
  });
}
