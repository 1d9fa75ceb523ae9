/** What the making of something has to do with. */
import type { Clock } from "../../clock.ts";
import type { Account } from "../accounts.ts";
import type { Alone } from "../alone.ts";
import type { FormDraft } from "../forms.ts";
import type { Inbound } from "../inbound.ts";
import type { Creation, Creations } from "../media/creations.ts";
import type { FetchFiles } from "../media/fetch.ts";
import type { JobWatch } from "../media/job-watch.ts";
import type { MediaOrder } from "../media/order.ts";
import type { CoreMetrics } from "../metrics.ts";
import type { Ending } from "./settle.ts";

export interface Making {
  /** Whom it is made for, and where. */
  readonly asked: Pick<Inbound, "place" | "author" | "direct">;
  readonly account: Account;
  /** What the quiet last line says of the account. */
  readonly onBehalf: string | null;
  /** The workspace does not accept the account's key: ends the turn, where the key is a person's own. */
  readonly keyRefused: () => Promise<Ending | null>;
  /** Why it was not made, in the words for whoever reads them. */
  readonly explain: (thrown: unknown) => Promise<string>;
  readonly creations: Creations;
  readonly watch: JobWatch;
  /** Brings files of the workspace. */
  readonly fetch: FetchFiles;
  /** One at a time, in all processes. */
  readonly alone: Alone;
  /** Makes a form for its asker. @returns its id */
  readonly offer: (draft: FormDraft, asked: Pick<Inbound, "place" | "author" | "direct">) => Promise<string>;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
}

/** A try at an order that nothing has come of yet. */
export const newCreation = (key: string, { place, author, direct }: Making["asked"], order: MediaOrder): Creation => ({
  origin: key,
  place,
  author,
  ...(direct === undefined ? {} : { direct }),
  order,
});
