/** What a command would do and may not without its asker's yes: shown with its arguments first, on every platform. */
import type { Workspace } from "../workspace.ts";
import type { CommandResult } from "./table.ts";

export interface Proposal {
  /** `write`: by the table of permissions, with the asker's own account. null: it is done to what Parley itself holds. */
  readonly deed: "write" | null;
  /** Markdown: what would be done, and with what. */
  readonly tell: string;
  /** The command that comes back with the yes. */
  readonly command: string;
  /** The ways to say yes: the command comes back with the options of the one that was pressed. */
  readonly choices: ReadonlyArray<{ readonly label: string; readonly options: Readonly<Record<string, string>> }>;
  /** Said where it was begun before and may not be begun twice; null: doing it twice comes to the same. */
  readonly begun: string | null;
  /** Does it. Throws `WorkspaceFault`. */
  readonly run: (workspace: Workspace) => Promise<CommandResult>;
}
