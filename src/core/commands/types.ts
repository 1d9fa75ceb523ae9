/** What platforms need to know of the command table, as data. */
import type { Form } from "../forms.ts";
import type { Person } from "../inbound.ts";
import type { Place } from "../place.ts";

/** Lists of the workspace that an option's suggestions come from. */
export type SuggestionSource = "models" | "agents" | "projects" | "prompts" | "tools" | "video_models" | "music_models";

export interface Suggestion {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
}

export interface OptionInfo {
  readonly name: string;
  readonly help: string;
  /** A `file` is never typed: it comes among the command's files, however the platform lets people give one. */
  readonly type: "text" | "choice" | "file";
  readonly required: boolean;
  readonly choices?: readonly Suggestion[];
  readonly source?: SuggestionSource;
}

export interface CommandInfo {
  readonly name: string;
  readonly help: string;
  readonly options: readonly OptionInfo[];
  /** Its answer is for everybody in the place; without it, for the asker alone. */
  readonly forEverybody?: true;
  /** It changes how everybody in the place is answered, which a platform may leave to those who look after the place. */
  readonly changesPlace?: true;
  /** With nothing given it opens a form, where the platform can open one at once: `Directory.formOf`. */
  readonly opensForm?: true;
}

/** Where a platform's composer gets its suggestions. */
export interface Directory {
  readonly commands: readonly CommandInfo[];
  /** At most 25, best first. Never throws for an unreachable workspace: then there are none. */
  suggest(source: SuggestionSource, query: string, place: Place, person: Person): Promise<readonly Suggestion[]>;
  /** The form of a button, for the person it was made for. Undefined: it is another's, was sent already, or is a day old. */
  form(id: string, person: Person): Promise<Form | undefined>;
  /**
   * Makes the form that a command opens when it comes with nothing, within 2 s.
   * Undefined: it has none, or not for this person; the command itself then says what there is to say.
   */
  formOf(
    command: string,
    asked: { readonly place: Place; readonly person: Person; readonly direct?: boolean },
  ): Promise<Form | undefined>;
}
