/** What people see of something that is being made. */
import type { Action } from "../document.ts";
import { emptyReply } from "../turns/show.ts";
import type { ReplyFiles, ReplyState } from "../relay/reply.ts";
import { literalMarkdown, quotedMarkdown } from "../words.ts";
import type { MediaOrder } from "./order.ts";

/** A prompt is shown up to here; the rest is in the workspace. */
const shownPrompt = 600;

const shortened = (text: string): string => (text.length <= shownPrompt ? text : `${text.slice(0, shownPrompt).toWellFormed()}…`);

/** Who asked for what: the first lines of the message, from its first sign to its end. */
const heading = (asker: string, { what, prompt }: MediaOrder): string =>
  `**${literalMarkdown(asker)}** asked for ${what}:\n\n${quotedMarkdown(shortened(prompt))}`;

/** `40 s`, `3 min`: coarse enough that it changes seldom. */
export function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds - (seconds % 5)} s`;
  return `${Math.floor(seconds / 60)} min`;
}

export interface MediaView {
  working(status: string, actions?: readonly Action[]): ReplyState;
  done(result: {
    readonly text: string | null;
    readonly notice: string | null;
    readonly files: ReplyFiles | undefined;
    readonly footer: string | null;
    readonly actions: readonly Action[];
  }): ReplyState;
  failed(notice: string, actions: readonly Action[]): ReplyState;
}

export function viewOf(asker: string, order: MediaOrder): MediaView {
  const top = heading(asker, order);
  return {
    working: (status, actions = []) => ({ ...emptyReply, text: top, status, actions }),
    done: ({ text, notice, files, footer, actions }) => ({
      ...emptyReply,
      state: "done",
      text: text === null ? top : `${top}\n\n${text}`,
      notice,
      footer,
      actions,
      ...(files === undefined ? {} : { files }),
    }),
    failed: (notice, actions) => ({ ...emptyReply, state: "failed", text: top, notice, actions }),
  };
}

/** Model, form, cost. A cost of zero in a list is not said, so it is never shown. */
export function mediaFooter({ model, details }: MediaOrder, cost: string | null): string | null {
  const parts = [model, ...details, cost === null || Number(cost) === 0 ? null : `${cost} credits`].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : parts.join(" · ");
}
