/** What a form is for: what is done with the values once they are whole. */
import type { CommandContext, CommandResult, Options } from "../commands/table.ts";
import type { Deed } from "../permissions.ts";
import type { Purpose } from "../forms.ts";
import type { CheckedValues } from "./check.ts";

/** What a purpose may use: what a command may, as if it had been typed by the person in the form's place. */
export interface FormContext extends CommandContext {
  /** Runs a command for the person, with every check of its own. Throws `WorkspaceFault`. */
  readonly perform: (name: string, options: Options) => Promise<CommandResult>;
}

/** `wrong`: what was expected, by field name; the form is offered again, with what was typed. */
export type FormResult = CommandResult | { readonly wrong: Readonly<Record<string, string>> };

export interface FormPurpose {
  readonly kind: string;
  /** `lane`: waits for its turn behind the place's messages. `now`: runs at once. */
  readonly order: "lane" | "now";
  /** What it does at the workspace, by which the table of permissions says who may, and as whom; null when it does nothing there. */
  readonly deed: Deed | null;
  /** Its answer is for everybody, and something is shown while it works; after a crash it is not run again. */
  readonly slow?: true;
  /** Run again after a crash, unless it is `slow`. */
  readonly run: (data: unknown, values: CheckedValues, context: FormContext) => Promise<FormResult>;
}

/** @param entry `Data` is plain JSON: it is stored between the form's offer and its submission, which may be another process's */
export function formPurpose<Data>(
  entry: Omit<FormPurpose, "run"> & {
    readonly run: (data: Data, values: CheckedValues, context: FormContext) => Promise<FormResult>;
  },
): FormPurpose & { readonly about: (data: Data) => Purpose } {
  return {
    ...entry,
    about: (data) => ({ kind: entry.kind, data }),
    // Only `about` makes the data of this kind.
    run: (data, values, context) => entry.run(data as Data, values, context),
  };
}

/** A value of a text or choice field; empty where it was left so. */
export const textIn = (values: CheckedValues, name: string): string => {
  const value = values[name];
  return typeof value === "string" ? value : "";
};
