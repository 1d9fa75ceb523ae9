/** The settings of a place as a form, and what is done with it: one table, for every platform. */
import { autoModelTypes } from "../../contract/records.ts";
import { formPurpose, textIn } from "../forms/purpose.ts";
import type { FormDraft, FormField } from "../forms.ts";
import type { OwnSetting } from "../platform.ts";
import type { Settings } from "../settings.ts";
import type { CommandContext, CommandResult, Options } from "./table.ts";

/** A field, and the command that it stands for. */
interface SettingField extends Pick<FormField, "name" | "label" | "help" | "choices" | "source"> {
  readonly chosen: (settings: Settings) => string | undefined;
  readonly command: string;
  /** What the command is given for a value. */
  readonly given: (value: string) => Options;
  /** What takes the choice back; undefined where an emptied field changes nothing. */
  readonly none?: string;
  /** It means something only on platforms that say so. */
  readonly own?: OwnSetting;
  /** Whom it is offered to; everybody without it. */
  readonly offeredTo?: (context: CommandContext) => boolean | Promise<boolean>;
}

const none = "none";

/** Those that `/settings` changes by name and value. */
const byName = (name: string): Pick<SettingField, "name" | "command" | "given" | "none"> => ({
  name,
  command: "settings",
  given: (value) => ({ change: `${name} ${value}` }),
  none: "default",
});
/** Those that are commands of their own, whose option has the command's name. */
const byCommand = (name: string): Pick<SettingField, "name" | "command" | "given"> => ({
  name,
  command: name,
  given: (value) => ({ [name]: value }),
});

const onOff = (value: boolean | undefined): string | undefined => (value === undefined ? undefined : value ? "on" : "off");

const fields: readonly SettingField[] = [
  {
    ...byCommand("model"),
    label: "Model that answers",
    help: `A model's name, or ${autoModelTypes.join(", ")} to let the workspace choose`,
    source: "models",
    chosen: ({ model, auto }) => model?.name ?? auto,
  },
  {
    ...byCommand("agent"),
    label: "Agent that answers",
    help: "In the place of a model. Leave it empty for none",
    source: "agents",
    none,
    chosen: ({ agent }) => agent?.name,
  },
  {
    ...byCommand("project"),
    label: "Project of the conversations",
    help: "Leave it empty for none",
    source: "projects",
    none,
    // As the command has it: the shared key's projects are its owner's to show.
    offeredTo: ({ account, may }) => account.kind !== "shared" || may("admin"),
    chosen: ({ project }) => project?.name,
  },
  {
    ...byCommand("effort"),
    label: "How hard thinking models think",
    help: "A tier of the model, such as low, medium or high",
    chosen: ({ effort }) => effort,
  },
  {
    ...byName("follow_ups"),
    label: "Messages of a thread that Parley is in",
    choices: [
      { value: "thread", label: "All of them are for Parley" },
      { value: "mention", label: "Only those that mention it" },
    ],
    own: "follow_ups",
    chosen: ({ followUps }) => followUps,
  },
  {
    ...byName("streaming"),
    label: "How answers grow",
    choices: [
      { value: "auto", label: "As serves best" },
      { value: "edit", label: "By edits" },
      { value: "native", label: "By the platform's own streams" },
    ],
    own: "streaming",
    chosen: ({ streaming }) => streaming,
  },
  {
    ...byName("footer"),
    label: "Model, time and credits under answers",
    choices: [
      { value: "on", label: "Shown" },
      { value: "off", label: "Not shown" },
    ],
    chosen: ({ footer }) => onOff(footer),
  },
  {
    ...byName("transcribe"),
    label: "Recordings in messages",
    choices: [
      { value: "on", label: "Written down for the answer" },
      { value: "off", label: "Left as files" },
    ],
    chosen: ({ transcribe }) => onOff(transcribe),
  },
];

/** What was chosen when the form was made, by field: what is as it was is left alone. */
type Before = Readonly<Record<string, string>>;

export async function settingsForm(context: CommandContext): Promise<FormDraft> {
  const now = await context.settings.effective(context.command.place);
  const mine = context.limits?.ownSettings ?? [];
  const offered: SettingField[] = [];
  for (const field of fields) {
    const known = field.own === undefined || mine.includes(field.own);
    if (known && (field.offeredTo === undefined || (await field.offeredTo(context)))) offered.push(field);
  }
  const before: Before = Object.fromEntries(offered.map(({ name, chosen }) => [name, chosen(now) ?? ""]));
  return {
    title: "Parley here",
    submit: "Save",
    open: "Change settings",
    purpose: settingsPurpose.about(before),
    fields: offered.map(({ name, label, help, choices, source }) => ({
      name,
      label,
      type: choices === undefined && source === undefined ? "text" : "choice",
      required: false,
      ...(help === undefined ? {} : { help }),
      ...(choices === undefined ? {} : { choices }),
      ...(source === undefined ? {} : { source }),
      ...(before[name] === "" ? {} : { value: before[name] ?? "" }),
    })),
  };
}

export const settingsPurpose = formPurpose<Before>({
  kind: "settings",
  order: "lane",
  deed: "settings",
  async run(before, values, { perform }) {
    const told: string[] = [];
    const refused: string[] = [];
    for (const { name, command, given, none: taken } of fields) {
      const value = textIn(values, name);
      if (!Object.hasOwn(before, name) || value === before[name]) continue;
      const wanted = value === "" ? taken : value;
      if (wanted === undefined) continue;
      const result: CommandResult = await perform(command, given(wanted));
      if ("refusal" in result) refused.push(result.refusal.text);
      else if ("tell" in result) told.push(result.tell);
    }
    if (told.length === 0 && refused.length > 0) return { refusal: { code: "bad_option", text: refused.join("\n") } };
    const [first = "Nothing was changed.", ...more] = [...told, ...refused];
    return { tell: more.length === 0 ? first : [first, ...more].map((line) => `- ${line}`).join("\n") };
  },
});
