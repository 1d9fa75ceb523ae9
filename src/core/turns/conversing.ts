/** What answering a message needs of the rest of the core. */
import type { Clock } from "../../clock.ts";
import type { Alone } from "../alone.ts";
import type { WorkspaceLists } from "../directory.ts";
import type { Creations } from "../media/creations.ts";
import type { JobWatch } from "../media/job-watch.ts";
import type { FetchFiles } from "../media/fetch.ts";
import type { CoreMetrics } from "../metrics.ts";
import type { SettingsBook } from "../settings.ts";
import type { Threads } from "../threads.ts";
import type { Ending } from "./settle.ts";
import type { Showing } from "./showing.ts";
import type { Workspace } from "../workspace.ts";

export interface Conversing {
  /** The id of the turn's account. */
  readonly account: string;
  /** Said in the quiet last line of an answer; null where it goes without saying. */
  readonly onBehalf: string | null;
  /** How the answer is shown. */
  readonly showing: Showing;
  /** The workspace does not accept the account's key: ends the turn, where the key is a person's own. */
  readonly keyRefused: () => Promise<Ending | null>;
  /** Why there is no answer, in the words for whoever reads them. */
  readonly explain: (thrown: unknown) => Promise<string>;
  /** The turn's account's. */
  readonly workspace: Workspace;
  readonly lists: WorkspaceLists;
  /** Across all processes. */
  readonly alone: Alone;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  /** Pictures that go along with the next message of their place. */
  readonly carried: Creations["carried"];
  /** Follows media jobs. */
  readonly watch: JobWatch;
  /** Brings files of the workspace. */
  readonly fetch: FetchFiles;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
}
