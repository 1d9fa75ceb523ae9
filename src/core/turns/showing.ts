/** How an answer is shown while it forms and when it is whole: to the place as it comes, or not before it is known who may see it. */
import type { Message } from "../../contract/records.ts";
import type { Action } from "../document.ts";
import type { ReplyState } from "../relay/reply.ts";
import type { TurnRun } from "./run.ts";
import { failedReply } from "./show.ts";

export interface Showing {
  /** What there is so far. */
  forming(reply: ReplyState): void;
  /**
   * It failed, or was refused.
   * @param text what there is of the answer
   * @param why may be in the workspace's words
   */
  failed(text: string, why: string, actions: readonly Action[]): Promise<void>;
  /** @returns what stays of an answer that is stopped */
  stopped(text: string): Promise<string>;
  /**
   * Keeps the whole answer from the place where it has to, and shows it to whom it is for.
   * @param answer as the workspace has it; undefined where it does not show it
   * @param reply what everybody would see
   * @returns false: everybody may see it
   */
  withholds(answer: Message | undefined, reply: ReplyState): Promise<boolean>;
}

/** For whoever is in the place, as it forms. */
export const openly = (run: TurnRun): Showing => ({
  forming: (reply) => run.relay().show(reply),
  failed(text, why, actions) {
    run.relay().show(failedReply(text, why, actions));
    return Promise.resolve();
  },
  stopped: (text) => Promise.resolve(text),
  withholds: () => Promise.resolve(false),
});
