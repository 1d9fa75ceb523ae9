/** Buttons, and what their clicks bring back. */
import type { Action } from "../../../src/core/document.ts";
import { plain, type SlackBlock } from "./block-kit.ts";
import { shorten } from "../../../src/core/shorten.ts";

/** Slack's limits of a button: https://docs.slack.dev/reference/block-kit/block-elements/button-element. */
const longestLabel = 75;

const idPrefix = "parley_";
/** Begins the `action_id` of the buttons that open a form, whose id is the button's value. */
export const formButton = `${idPrefix}form_`;
/** Shown together, as Slack's own feedback buttons. */
const helpful = "helpful";
const unhelpful = "unhelpful";

const value = ({ action, turn, form }: Action): string => `${action} ${form ?? turn}`;
const label = (text: string): string => shorten(text, longestLabel);

/** What a clicked button's `value` stands for; undefined when it is none of Parley's. */
export function readActionValue(clicked: string): { readonly action: string; readonly turn: string } | undefined {
  const space = clicked.indexOf(" ");
  return space <= 0 || space === clicked.length - 1
    ? undefined
    : { action: clicked.slice(0, space), turn: clicked.slice(space + 1) };
}

export function actionBlocks(actions: readonly Action[]): SlackBlock[] {
  const good = actions.find(({ action }) => action === helpful);
  const bad = actions.find(({ action }) => action === unhelpful);
  const feedback = good !== undefined && bad !== undefined;
  const buttons = feedback ? actions.filter((action) => action !== good && action !== bad) : actions;
  const blocks: SlackBlock[] = [];
  if (buttons.length > 0) {
    const elements = buttons.map((action) => ({
      type: "button" as const,
      // Unique within a block, whatever number of forms it offers.
      action_id: action.form === undefined ? idPrefix + action.action : formButton + action.form,
      text: plain(label(action.label)),
      value: value(action),
    }));
    blocks.push({ type: "actions", elements });
  }
  if (feedback) {
    const element = {
      type: "feedback_buttons" as const,
      action_id: `${idPrefix}feedback`,
      positive_button: { text: plain(label(good.label)), value: value(good) },
      negative_button: { text: plain(label(bad.label)), value: value(bad) },
    };
    blocks.push({ type: "context_actions", elements: [element] });
  }
  return blocks;
}
