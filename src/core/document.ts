/** What is shown in one message, as plain JSON; each platform writes it its own way, with all text as literal text. */
import type { RootContent } from "mdast";

/**
 * A block of Markdown as a tree (mdast, without positions). Text nodes are literal text;
 * a platform escapes whatever would ping, unfurl or impersonate there. `html` nodes are shown as the text that they are.
 */
export type Block = RootContent;

/** A source of the answer. `url` is null where the source is a document without an address. */
export interface Footnote {
  readonly index: number;
  readonly title: string;
  readonly url: string | null;
  /** Where in the source: a file's name, pages, rows; empty where unknown. */
  readonly detail: string;
}

/** A button. Pressing it comes back as an `InboundAction` with the same `action` and `turn`, or opens its form. */
export interface Action {
  readonly action: string;
  readonly label: string;
  readonly turn: string;
  /** The id of the form that it opens: the platform asks `Directory.form` for it, and the press itself is no turn. */
  readonly form?: string;
}

/**
 * - `waiting`: in the lane behind other turns;
 * - `working`: more is to come;
 * - `done`, `failed`, `stopped`: final.
 */
export type DocumentState = "waiting" | "working" | "done" | "failed" | "stopped";

export interface Document {
  readonly state: DocumentState;
  /** The answer, or as much of it as fits this message. */
  readonly blocks: readonly Block[];
  /** The Markdown of the whole reply, where this is its only message and the platform wants it; it grows at its end. */
  readonly source?: string;
  /** A quiet line while there is work: "Thinking…", "2 messages before yours". Null when final. */
  readonly status: string | null;
  /** A clear line for a failure or a refusal, in Parley's own words. */
  readonly notice: string | null;
  readonly footnotes: readonly Footnote[];
  /** The quiet last line: model, agent, time, credits. */
  readonly footer: string | null;
  readonly actions: readonly Action[];
}

/** A document with nothing in it, to spread others from. */
export const emptyDocument: Document = {
  state: "done",
  blocks: [],
  status: null,
  notice: null,
  footnotes: [],
  footer: null,
  actions: [],
};

/** A no, or what went wrong, as one clear line. */
export const failedDocument = (notice: string, actions: readonly Action[] = []): Document => ({
  ...emptyDocument,
  state: "failed",
  notice,
  actions,
});

/** One paragraph of literal text. */
export const paragraph = (text: string): Block => ({ type: "paragraph", children: [{ type: "text", value: text }] });
