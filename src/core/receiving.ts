/** What comes in: stored before anything else happens to it, then begun, or told of to whoever runs its lane. */
import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import { reasonOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { judge } from "./access.ts";
import type { Bell } from "./bell.ts";
import { laneLimit, personTurns, spareOfPerson } from "./busy.ts";
import { linkPurpose } from "./commands/link-form.ts";
import type { Command } from "./commands/table.ts";
import type { FormBook } from "./forms/book.ts";
import type { FormPurpose } from "./forms/purpose.ts";
import type { Inbound, Inbox } from "./inbound.ts";
import { laneOf, tooMuchLane } from "./lane-of.ts";
import type { Lanes } from "./lanes.ts";
import { askerKey } from "./links.ts";
import type { CoreMetrics } from "./metrics.ts";
import { placeKey } from "./place.ts";
import { cutKeys } from "./spilled-keys.ts";
import { digestOf } from "./words.ts";
import type { TurnStore } from "./turns/store.ts";
import type { Signs } from "./turns/waiting.ts";

export interface ReceivingOptions {
  readonly store: TurnStore;
  readonly commands: readonly Command[];
  readonly forms: FormBook;
  readonly purposeOf: (kind: string) => FormPurpose | undefined;
  readonly lanes: () => Pick<Lanes, "wake" | "full" | "countOf">;
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

  /** Nothing that is stored leads from a lane's name back to somebody who is forgotten. */
  const secret = randomUUID();
  /** One person's are refused one after the other, and take the room of one turn. */
  const refusalsOf = (inbound: Inbound): string => `${tooMuchLane}${digestOf(secret + askerKey(inbound))}`;

  const isTooMuch = async (inbound: Inbound, lane: string): Promise<boolean> => {
    // What changes or takes back something said is never too much.
    if (inbound.kind === "edit" || inbound.kind === "delete" || inbound.kind === "notice") return false;
    const inPlace = lane === placeKey(inbound.place);
    if (lanes().countOf(inbound) >= (inPlace ? personTurns : personTurns + spareOfPerson)) return true;
    return inPlace && (lanes().full || (await store.openIn(lane, laneLimit + 1)).length > laneLimit);
  };
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
    const lane = (await isTooMuch(inbound, own)) ? refusalsOf(inbound) : own;
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
