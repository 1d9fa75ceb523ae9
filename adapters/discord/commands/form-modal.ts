/** Forms as modals, and what was filled into one. https://docs.discord.com/developers/components/reference */
import { usualMax, type Form, type FormField, type FormValues } from "../../../src/core/forms.ts";
import { shorten } from "../../../src/core/shorten.ts";

const longestTitle = 45;
const longestLabel = 45;
const longestDescription = 100;
const longestOption = 100;
const mostOptions = 25;
const longestText = 4_000;

const label = 18;
const textInput = 4;
const stringSelect = 3;
const shortStyle = 1;
const paragraphStyle = 2;

const prefix = "form ";

const yesNo = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

const listOf = (value: FormField["value"]): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

/** Null for what a menu has no room for: it is typed, and known by its name. */
function menuOf(field: FormField): object | null {
  const { type, name, required } = field;
  if (type !== "choice" && type !== "choices" && type !== "yes_no") return null;
  const all = type === "yes_no" ? yesNo : (field.choices ?? []);
  const chosen = listOf(field.value);
  // Of what is searched elsewhere, only the first can be offered here.
  const offered = field.source === undefined ? all : all.slice(0, mostOptions);
  const fits = offered.every(({ value }) => value.length >= 1 && value.length <= longestOption);
  if (offered.length === 0 || offered.length > mostOptions || !fits) return null;
  return {
    type: stringSelect,
    custom_id: name,
    required,
    min_values: required ? 1 : 0,
    max_values: type === "choices" ? offered.length : 1,
    options: offered.map((one) => {
      const detail = "detail" in one ? (one.detail ?? "") : "";
      return {
        label: shorten(one.label || one.value, longestOption),
        value: one.value,
        ...(detail === "" ? {} : { description: shorten(detail, longestOption) }),
        ...(chosen.includes(one.value) ? { default: true } : {}),
      };
    }),
  };
}

function inputOf({ name, type, required, value, max = usualMax }: FormField): object {
  const most = Math.min(max, longestText);
  const text = listOf(value).join(", ").slice(0, most);
  return {
    type: textInput,
    custom_id: name,
    style: type === "long" ? paragraphStyle : shortStyle,
    required,
    max_length: most,
    ...(text === "" || type === "secret" ? {} : { value: text }),
  };
}

/** The data of a modal. */
export const modalOf = ({ id, title, fields }: Form): object => ({
  custom_id: prefix + id,
  title: shorten(title, longestTitle),
  components: fields.map((field) => ({
    type: label,
    label: shorten(field.label, longestLabel),
    ...(field.help === undefined ? {} : { description: shorten(field.help, longestDescription) }),
    component: menuOf(field) ?? inputOf(field),
  })),
});

/** The form that a modal was; undefined when it is none of Parley's. */
export const formIdOf = (customId: string): string | undefined =>
  customId.startsWith(prefix) ? customId.slice(prefix.length) : undefined;

interface Filled {
  readonly custom_id?: unknown;
  readonly value?: unknown;
  readonly values?: unknown;
  readonly component?: unknown;
}

/** Values by field name, of whatever Discord gives as a modal's components. A menu's are a list, however many may be chosen. */
export function modalValues({ fields }: Form, components: unknown): FormValues {
  const values: Record<string, string | readonly string[]> = {};
  for (const one of Array.isArray(components) ? (components as (Filled | null)[]) : []) {
    const { custom_id: name, value, values: chosen } = ((one?.component ?? one) as Filled | null) ?? {};
    if (typeof name !== "string") continue;
    const several = Array.isArray(chosen) ? chosen.filter((each) => typeof each === "string") : undefined;
    const many = fields.find((field) => field.name === name)?.type === "choices";
    values[name] = several === undefined ? (typeof value === "string" ? value : "") : many ? several : (several[0] ?? "");
  }
  return values;
}
