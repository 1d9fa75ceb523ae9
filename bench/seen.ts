/** What people see of a reply that grows, and how old it is. */
import type { ReplyState } from "../src/core/relay/relay.ts";
import { emptyReply } from "../src/core/turns/show.ts";

/** A write that carried words, from the snapshot of its text to its acknowledgement. */
export interface Shown {
  readonly taken: number;
  readonly seen: number;
}

/**
 * How old the newest text is that people see, over the time from the first words to the last, and at most.
 * Between two writes what is seen grows older; the oldest is the moment before the next is acknowledged.
 */
export function staleness(shown: readonly Shown[]): { readonly area: number; readonly time: number; readonly most: number } {
  let area = 0;
  let time = 0;
  let most = 0;
  for (const [index, next] of shown.entries()) {
    const last = shown[index - 1];
    if (last === undefined) continue;
    const [young, old] = [last.seen - last.taken, next.seen - last.taken];
    time += next.seen - last.seen;
    area += ((young + old) / 2) * (next.seen - last.seen);
    most = Math.max(most, old);
  }
  return { area, time, most };
}

export const reply = (text: string, state: ReplyState["state"]): ReplyState => ({ ...emptyReply, text, state });
