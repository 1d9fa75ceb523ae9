/** An answer as its person alone is shown it, with the button that shares it. */
import { emptyDocument, type Action, type Document, type Footnote } from "../document.ts";
import type { Limits } from "../platform.ts";
import { createLayout } from "../render/layout.ts";
import { createRenderer } from "../render/renderer.ts";

export const shareName = "share";
export const shareAction = (turn: string): Action => ({ action: shareName, label: "Share here", turn });

export interface Kept {
  /** Markdown. */
  readonly words: string;
  readonly footnotes?: readonly Footnote[];
  readonly footer?: string | null;
}

const tooLong =
  "Only the beginning is shown here, as the whole is too long for messages. The workspace has all of it, and “Share here” posts it with a file.";

/** @param turn the key under which it is kept */
export function privately(limits: Limits, { words, footnotes = [], footer = null }: Kept, turn: string): readonly Document[] {
  const { pages, truncated } = createRenderer(limits).render(words, true);
  const notice = truncated ? tooLong : null;
  const { blocks: _blocks, ...around } = { ...emptyDocument, notice, footnotes, footer, actions: [shareAction(turn)] };
  return createLayout(limits).documents(pages, around);
}
