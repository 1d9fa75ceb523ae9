/** The lane that something waits in. */
import { isCommandButton } from "./command-buttons.ts";
import type { Command } from "./commands/table.ts";
import type { FormPurpose } from "./forms/purpose.ts";
import type { Inbound } from "./inbound.ts";
import { atOnce } from "./lanes.ts";
import { makeName } from "./media/creations.ts";
import { placeKey } from "./place.ts";
import { shareName } from "./turns/privately.ts";

/** A lane that begins with this is of turns that are refused, as there are too many. */
export const tooMuchLane = `${atOnce}too-much:`;

/** What is spent, run or posted by a press, and by no second one. */
const doneOnce = (action: string): boolean => action === makeName || action === shareName || isCommandButton(action);

/**
 * What has to wait for the place's earlier turns is in the place's lane; anything else has a lane of its own.
 * @param form what a submission's form is for
 */
export function laneOf(inbound: Inbound, commands: readonly Command[], form?: FormPurpose): string {
  // One lane for all submissions of a form, so that only one of them is run.
  if (inbound.kind === "submission" && form?.order !== "lane") return `form:${inbound.form}`;
  // One lane for all presses of a button that does something once, so that only one of them is gone on with.
  if (inbound.kind === "action" && doneOnce(inbound.action)) return `${atOnce}${inbound.action}:${inbound.turn}`;
  const waits = (name: string): boolean => commands.find((command) => command.name === name.toLowerCase())?.order === "lane";
  const inOrder =
    inbound.kind === "message" ||
    inbound.kind === "submission" ||
    (inbound.kind === "action" && inbound.action === "retry") ||
    (inbound.kind === "command" && waits(inbound.name));
  return inOrder ? placeKey(inbound.place) : `${atOnce}${inbound.key}`;
}
