/** What platforms need to know of the command table, as data. */
import type { Person } from "../inbound.ts";
import type { Place } from "../place.ts";

/** Lists of the workspace that an option's suggestions come from. */
export type SuggestionSource = "models" | "agents" | "projects";

export interface Suggestion {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
}

export interface OptionInfo {
  readonly name: string;
  readonly help: string;
  readonly type: "text" | "choice";
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
}

/** Where a platform's composer gets its suggestions. */
export interface Directory {
  readonly commands: readonly CommandInfo[];
  /** At most 25, best first. Never throws for an unreachable workspace: then there are none. */
  suggest(source: SuggestionSource, query: string, place: Place, person: Person): Promise<readonly Suggestion[]>;
}
