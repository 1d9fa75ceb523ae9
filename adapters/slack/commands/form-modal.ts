/** Forms as modals, and what was filled into one. */
import type { FieldType, Form, FormField, FormValues } from "../../../src/core/forms.ts";
import { usualMax } from "../../../src/core/forms.ts";
import { objectIn, textIn, type Payload } from "../payload.ts";
import { inputAction, plain, selectOption } from "./modals.ts";
import { shorten } from "../../../src/core/shorten.ts";
import { submittedLists } from "./submissions.ts";

/** Of the modal; the form's id is its `private_metadata`. */
export const formCallback = "parley_form";

/** https://docs.slack.dev/reference/views/modal-views, https://docs.slack.dev/reference/block-kit/block-elements */
const titleCharacters = 24;
const hintCharacters = 2_000;
const labelCharacters = 2_000;
const mostOptions = 100;
/** One select of several takes as many. */
const mostInput = 3_000;

const yesNo = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

/** Slack has no field that hides what is typed. */
const secretHint = "Slack shows what you type here to you alone; Parley shows it to nobody.";

const optionsOf = ({ type, choices = [] }: FormField) =>
  (type === "yes_no" ? yesNo : choices).map(selectOption).filter((option) => option !== null);

const listOf = (value: FormField["value"]): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

function textInput({ type, value, max = usualMax }: FormField): object {
  const initial = listOf(value).join(", ");
  return {
    type: "plain_text_input",
    action_id: inputAction,
    multiline: type === "long",
    max_length: Math.min(max, mostInput),
    ...(initial === "" || type === "secret" ? {} : { initial_value: initial.slice(0, mostInput) }),
  };
}

function element(field: FormField): object {
  const menus: ReadonlySet<FieldType> = new Set(["choice", "choices", "yes_no"]);
  const options = optionsOf(field);
  const several = field.type === "choices";
  const chosen = listOf(field.value);
  if (!menus.has(field.type)) return textInput(field);
  const searched = field.source !== undefined;
  // What a menu has no room for is typed; the check knows choices by their names.
  if (!searched && (options.length === 0 || options.length > mostOptions)) return textInput(field);
  const initial = searched
    ? chosen.map((value) => selectOption({ value, label: value })).filter((option) => option !== null)
    : options.filter(({ value }) => chosen.includes(value));
  return {
    type: `${several ? "multi_" : ""}${searched ? "external" : "static"}_select`,
    action_id: inputAction,
    ...(searched ? { min_query_length: 0 } : { options }),
    ...(initial.length === 0 ? {} : several ? { initial_options: initial } : { initial_option: initial[0] }),
  };
}

function input(field: FormField): object {
  const hint = [field.help ?? "", field.type === "secret" ? secretHint : ""].filter((part) => part !== "").join(" ");
  return {
    type: "input",
    block_id: field.name,
    optional: !field.required,
    label: plain(shorten(field.label, labelCharacters)),
    ...(hint === "" ? {} : { hint: plain(shorten(hint, hintCharacters)) }),
    element: element(field),
  };
}

export const formModal = ({ id, title, submit, fields }: Form): object => ({
  type: "modal",
  callback_id: formCallback,
  title: plain(shorten(title, titleCharacters)),
  submit: plain(shorten(submit, titleCharacters)),
  close: plain("Cancel"),
  private_metadata: id,
  blocks: fields.map(input),
});

/** In the place of a form that is there no more. */
export const formGone: object = {
  type: "modal",
  title: plain("Parley"),
  close: plain("Close"),
  blocks: [
    {
      type: "section",
      text: plain(
        "This form is no longer open: it was made for somebody else, was sent already, or is more than a day old. Ask for it again.",
      ),
    },
  ],
};

export const formIdOf = (view: Payload): string =>
  textIn(view, "callback_id") === formCallback ? textIn(view, "private_metadata") : "";

export const formValues = ({ fields }: Form, view: Payload): FormValues => {
  const lists = submittedLists(objectIn(view, "state"));
  return Object.fromEntries(
    fields.map(({ name, type }): [string, FormValues[string]] => {
      const given = lists[name] ?? [];
      // What had to be typed for want of a menu is one text.
      return [name, type === "choices" && given.length > 1 ? given : (given[0] ?? "")];
    }),
  );
};
