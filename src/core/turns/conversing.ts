/** What answering a message needs of the rest of the core. */
import type { Clock } from "../../clock.ts";
import type { WorkspaceLists } from "../directory.ts";
import type { CoreMetrics } from "../metrics.ts";
import type { SettingsBook } from "../settings.ts";
import type { Threads } from "../threads.ts";
import type { Workspace } from "../workspace.ts";

export interface Conversing {
  readonly workspace: Workspace;
  readonly lists: WorkspaceLists;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
}
