/** What comes in: stored before anything else happens to it, then begun, or told of to whoever runs its lane. */
import type { Clock } from "../clock.ts";
import { reasonOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { judge } from "./access.ts";
import type { Bell } from "./bell.ts";
import { laneLimit } from "./busy.ts";
import { linkPurpose } from "./commands/link-form.ts";
import type { Command } from "./commands/table.ts";
import type { FormBook } from "./forms/book.ts";
import type { FormPurpose } from "./forms/purpose.ts";
import type { Inbound, Inbox } from "./inbound.ts";
import { laneOf } from "./lane-of.ts";
import { atOnce, type Lanes } from "./lanes.ts";
import type { CoreMetrics } from "./metrics.ts";
import { placeKey } from "./place.ts";
import { cutKeys } from "./spilled-keys.ts";
import type { TurnStore } from "./turns/store.ts";
import type { Signs } from "./turns/waiting.ts";

export interface ReceivingOptions {
  readonly store: TurnStore;
  readonly commands: readonly Command[];
  readonly forms: FormBook;
  readonly purposeOf: (kind: string) => FormPurpose | undefined;
  readonly lanes: () => Pick<Lanes, "wake" | "full">;
  readonly signs: Signs;
  readonly bell: Bell;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
  readonly log: Log;
}

export interface Receiving extends Inbox {
  /** Stores a turn and begins it; one that is there already stays the only one. */
  readonly enqueue: (inbound: Inbound) => Promise<"new" | "known">;
  /** Brings the signs of a lane up to date, here or wherever it runs. */
  readonly tell: (lane: string) => Promise<void>;
}

export function createReceiving(options: ReceivingOptions): Receiving {
  const { store, commands, forms, purposeOf, lanes, signs, bell, clock, metrics, log } = options;

  const isCrowded = async (lane: string): Promise<boolean> =>
    lanes().full || (await store.openIn(lane, laneLimit + 1)).length > laneLimit;
  const tell = async (lane: string): Promise<void> => {
    if (signs.watches(lane)) await signs.refresh(lane);
    else bell.ring({ lane });
  };
  const announce = async (inbound: Inbound, lane: string): Promise<void> => {
    if ((await lanes().wake(lane)) !== inbound.key) await tell(lane);
  };
  const enqueue: Receiving["enqueue"] = async (inbound) => {
    const form = inbound.kind === "submission" ? await forms.find(inbound.form) : undefined;
    const own = laneOf(inbound, commands, purposeOf(form?.draft.purpose.kind ?? ""));
    // What is too much gets a lane of its own, in which it is refused at once.
    const lane = own === placeKey(inbound.place) && (await isCrowded(own)) ? `${atOnce}${inbound.key}` : own;
    const stored = await store.put(inbound, lane, clock.now());
    if (stored === "known") return stored;
    metrics.turnReceived(inbound.place.platform, inbound.kind);
    announce(inbound, lane).catch((thrown: unknown) => {
      log.warn(
        { turn: inbound.key, reason: reasonOf(thrown) },
        "a stored turn could not be begun at once; the poll will find it",
      );
    });
    return stored;
  };
  /** A key is stored only where it was asked for. */
  const withoutSpilledKeys = async (inbound: Inbound): Promise<Inbound> => {
    const form = inbound.kind === "submission" ? await forms.find(inbound.form) : undefined;
    return form?.draft.purpose.kind === linkPurpose.kind ? inbound : cutKeys(inbound);
  };

  return {
    enqueue,
    tell,
    receive: async (inbound) => (judge(inbound) === "ignore" ? "known" : enqueue(await withoutSpilledKeys(inbound))),
  };
}
