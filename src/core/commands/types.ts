/** What platforms need to know of the command table, as data. */
import type { Form } from "../forms.ts";
import type { InboundFile, Person } from "../inbound.ts";
import { isOfKind, type FileKind } from "../media/kinds.ts";
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

/** A command that stands in the menu of a message, too: it is then about that message's files. */
export interface MessageMenu {
  /** As it stands there: at most 24 characters, which every platform takes. */
  readonly label: string;
  /** At most 150 characters. */
  readonly help: string;
  /** The files that it is about. */
  readonly takes: FileKind;
  /** Where the message has one, a form is opened in the place of running it: `Directory.formOf`. */
  readonly opensForm?: true;
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
  readonly menu?: MessageMenu;
}

/** The files of a message that a menu's command is about. */
export const takenFiles = ({ takes }: MessageMenu, files: readonly InboundFile[]): readonly InboundFile[] =>
  files.filter((file) => isOfKind(file, takes));

/** Who asks for a command's form, and where. `files`: those of the message in whose menu they chose it. */
export interface FormAsked {
  readonly place: Place;
  readonly person: Person;
  readonly direct?: boolean;
  readonly files?: readonly InboundFile[];
}

/** Where a platform's composer gets its suggestions. */
export interface Directory {
  readonly commands: readonly CommandInfo[];
  /** At most 25, best first. Never throws for an unreachable workspace: then there are none. */
  suggest(source: SuggestionSource, query: string, place: Place, person: Person): Promise<readonly Suggestion[]>;
  /** The form of a button, for the person it was made for. Undefined: it is another's, was sent already, or is a day old. */
  form(id: string, person: Person): Promise<Form | undefined>;
  /**
   * Makes the form that a command opens when it comes with nothing, or from a message's menu, within 2 s.
   * Undefined: it has none, or not for this person; the command itself then says what there is to say.
   */
  formOf(command: string, asked: FormAsked): Promise<Form | undefined>;
}
