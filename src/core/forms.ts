/** Forms: what a person fills in at once, on whatever their platform has for that. */
import type { Suggestion, SuggestionSource } from "./commands/types.ts";
import type { Place } from "./place.ts";

/**
 * - `secret`: masked where the platform can, never shown again, never logged;
 * - `choices`: any number of them;
 * - `yes_no`: its value is `yes` or `no`.
 */
export type FieldType = "text" | "long" | "secret" | "choice" | "choices" | "number" | "yes_no";

export interface FormField {
  /** Letters, digits and `_`; unique in its form. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly type: FieldType;
  readonly required: boolean;
  /** What stands there when the form opens; of `choices` a list. Never of a secret. */
  readonly value?: string | readonly string[];
  /** Of `choice` and `choices`. */
  readonly choices?: readonly Suggestion[];
  /** A platform that can searches here; elsewhere `choices` offers the first of it, and what is typed counts. */
  readonly source?: SuggestionSource;
  /** Characters at most; 3,000 where it is not given, which every platform takes. */
  readonly max?: number;
}

export const usualMax = 3_000;

/** As a platform shows it: one page. */
export interface Form {
  readonly id: string;
  readonly title: string;
  /** On the button that submits it. */
  readonly submit: string;
  readonly fields: readonly FormField[];
  /** Where what it does is done, and its submission belongs; a direct message when `direct`. */
  readonly place: Place;
  readonly direct?: true;
  /** What comes of it is for everybody in the place; without it, for the person alone. */
  readonly forEverybody?: true;
}

/** Values by field name, as they were filled in; a field that was left empty may be absent. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** What a form is for: plain JSON that the core keeps. Made by the `about` of an entry of `forms/purposes.ts`. */
export interface Purpose {
  readonly kind: string;
  readonly data: unknown;
}

/** A form that is to be offered. */
export interface FormDraft extends Omit<Form, "id" | "place" | "direct"> {
  readonly purpose: Purpose;
  /** On the button that opens it. */
  readonly open: string;
}
