/** What the core is put together of: what is stored, who is spoken to, and time. */
import type { Decimal } from "decimal.js";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { AccessRules } from "./access.ts";
import type { Accounts } from "./accounts.ts";
import type { Allowances } from "./allowances.ts";
import type { Alone } from "./alone.ts";
import type { Audit } from "./audit.ts";
import type { Bell } from "./bell.ts";
import type { ButtonBook } from "./command-buttons.ts";
import type { Command } from "./commands/table.ts";
import type { Forgetting } from "./forgetting.ts";
import type { FormBook } from "./forms/book.ts";
import type { FormPurpose } from "./forms/purpose.ts";
import type { LinkingOptions } from "./linking.ts";
import type { Creations } from "./media/creations.ts";
import type { CoreMetrics } from "./metrics.ts";
import type { Oversight } from "./oversight.ts";
import type { ChatPlatform } from "./platform.ts";
import type { Pacer } from "./relay/pacer.ts";
import type { RelayMetrics } from "./relay/relay.ts";
import type { SettingsBook } from "./settings.ts";
import type { ThreadNames } from "./thread-names.ts";
import type { Threads } from "./threads.ts";
import type { Shares } from "./turns/share.ts";
import type { TurnStore } from "./turns/store.ts";

export interface EngineOptions {
  readonly store: TurnStore;
  readonly accounts: Accounts;
  /** What people's own accounts are made of. */
  readonly people: Pick<LinkingOptions, "links" | "parked" | "connect">;
  readonly commands: readonly Command[];
  /** What people were shown alone, and may share. */
  readonly shares: Shares;
  /** What is being made, and was made. */
  readonly creations: Creations;
  /** What is known to cost more credits than this is asked for first; null: nothing is. */
  readonly askAbove: Decimal | null;
  /** Buttons that run a command. */
  readonly buttons: ButtonBook;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly forms: FormBook;
  /** What forms are for. */
  readonly purposes: readonly FormPurpose[];
  readonly platforms: () => readonly ChatPlatform[];
  /** Where threads have names of their own. */
  readonly threadNames: (platform: string) => ThreadNames | undefined;
  /** Who may use Parley on a platform. */
  readonly access: (platform: string) => AccessRules;
  readonly forgetting: Forgetting;
  /** How much people and channels may have of the workspace. */
  readonly allowances: Allowances;
  readonly oversight: Oversight;
  readonly audit: Audit;
  readonly pacer: Pacer;
  /** This process's name among the owners of leases. */
  readonly owner: string;
  /** True when no other process can have the store open. */
  readonly exclusive: boolean;
  /** How processes that share the store tell each other. */
  readonly bell: Bell;
  readonly alone: Alone;
  readonly clock: Clock;
  /** From 0 up to 1, for the jitter of waits. */
  readonly random: () => number;
  readonly metrics: CoreMetrics & RelayMetrics;
  readonly log: Log;
}
