/** The modals that ask a question, or for a command's options. */
import type { CommandInfo, OptionInfo, Suggestion } from "../../../src/core/commands/types.ts";
import { shorten } from "../../../src/core/shorten.ts";

/** Where the answer to a modal belongs; kept in its `private_metadata`. */
export interface ModalOrigin {
  readonly channel: string;
  readonly thread: string | null;
  /** The command that is asked about. */
  readonly command: string;
  readonly joins?: true;
}

export const modalCallback = "parley_modal";
/** Of the select that says where to ask, where the modal came from nowhere. */
export const placeBlock = "place";
/** Of every input; its block's id is the option's name. */
export const inputAction = "value";

/** Slack's limits: https://docs.slack.dev/reference/block-kit/composition-objects/option-object. */
const optionCharacters = 75;
const optionValueCharacters = 150;
const questionCharacters = 3_000;

export const plain = (text: string) => ({ type: "plain_text", text, emoji: false });

/** An option of a select. Null where Slack has no room for its value. */
export function selectOption({ value, label }: Suggestion) {
  return value === "" || value.length > optionValueCharacters
    ? null
    : { text: plain(shorten(label || value, optionCharacters)), value };
}

const options = (choices: readonly Suggestion[]) => choices.map(selectOption).filter((option) => option !== null);

function element(option: OptionInfo) {
  if (option.type === "file") return { type: "file_input", action_id: inputAction, max_files: 1 };
  if (option.choices !== undefined) return { type: "static_select", action_id: inputAction, options: options(option.choices) };
  if (option.source !== undefined) return { type: "external_select", action_id: inputAction, min_query_length: 0 };
  return {
    type: "plain_text_input",
    action_id: inputAction,
    multiline: option.name === "question",
    max_length: questionCharacters,
  };
}

const input = (option: OptionInfo) => ({
  type: "input",
  block_id: option.name,
  optional: !option.required,
  label: plain(option.help),
  element: element(option),
});

const modal = (title: string, submit: string, origin: ModalOrigin, blocks: readonly object[]) => ({
  type: "modal",
  callback_id: modalCallback,
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
  const title = command.name === "ask" ? "Ask Parley" : `Parley: ${shorten(command.name, 16)}`;
  return modal(title, command.name === "ask" ? "Ask" : "Done", origin, [
    ...command.options.map((option) => input(option)),
    ...where,
    hint,
  ]);
}
