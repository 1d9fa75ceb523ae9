/** What a turn shows: the workspace's message as a reply's state, and Parley's own lines. */
import type { Citation, Message, MessagePart } from "../../contract/records.ts";
import type { Action, Footnote } from "../document.ts";
import type { ReplyState } from "../relay/relay.ts";
import { verdicts, type Verdict } from "./store.ts";

export const emptyReply: ReplyState = {
  text: "",
  state: "working",
  status: null,
  notice: null,
  footnotes: [],
  footer: null,
  actions: [],
};

const working: Partial<Record<MessagePart["type"], string>> = {
  thinking: "Thinking…",
  web_search: "Searching the web…",
  web_fetch: "Reading a page…",
  code_execution: "Running code…",
  image_generation: "Drawing…",
  mcp_call: "Using a tool…",
};

/** The quiet line while the answer forms. A model's reasoning is never shown, only that there is some. */
function statusOf(message: Message): string | null {
  const doing = working[message.parts.at(-1)?.type ?? "text"];
  return doing ?? (message.text === "" ? "Thinking…" : null);
}

const webAddress = (value: string): string | null => (/^https?:\/\//i.test(value) && URL.canParse(value) ? value : null);

const places = (name: string, numbers: readonly unknown[] | undefined): string =>
  numbers === undefined || numbers.length === 0 ? "" : `${name} ${numbers.join(", ")}`;

/** A source. A storage path is not a link: without a web address it is named by its file. */
function footnoteOf(citation: Citation): Footnote {
  const file = citation.file_path.split(/[/\\]/).at(-1) ?? "";
  const detail = [file, places("page", citation.info.pages), places("row", citation.info.rows)].filter((part) => part !== "");
  const title = citation.title || file || citation.url || `Source ${citation.citation_index}`;
  return {
    index: citation.citation_index,
    title,
    url: webAddress(citation.url),
    detail: detail.filter((part) => part !== title).join(", "),
  };
}

const seconds = (ms: number): string => (ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`);

/** The quiet last line. What the workspace does not say is left out: absent credits are not zero. */
export function footerOf(message: {
  readonly agent?: { readonly name: string } | null;
  readonly ai_model: { readonly name: string } | null;
  readonly is_auto_model?: boolean;
  readonly response_duration_ms: number | null;
  readonly credits_used?: string;
}): string | null {
  const model = message.ai_model?.name;
  const parts = [
    message.agent?.name,
    model === undefined || model === "" ? undefined : message.is_auto_model === true ? `${model}, chosen automatically` : model,
    message.response_duration_ms === null ? undefined : seconds(message.response_duration_ms),
    message.credits_used === undefined ? undefined : `${message.credits_used} credits`,
  ].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? null : parts.join(" · ");
}

/** The answer while it forms. */
export const growingReply = (message: Message, actions: readonly Action[]): ReplyState => ({
  ...emptyReply,
  text: message.text,
  status: statusOf(message),
  footnotes: message.citations.map(footnoteOf),
  actions,
});

/** The answer when it is whole. */
export const finishedReply = (message: Message, actions: readonly Action[]): ReplyState => ({
  ...emptyReply,
  state: "done",
  text: message.text,
  footnotes: message.citations.map(footnoteOf),
  footer: footerOf(message),
  actions,
});

/** Says in the quiet last line as whom it was asked, where that does not go without saying. */
export const withOnBehalf = (onBehalf: string | null, reply: ReplyState): ReplyState =>
  onBehalf === null ? reply : { ...reply, footer: reply.footer === null ? onBehalf : `${reply.footer} · ${onBehalf}` };

/** An answer that failed, with what there is of it, the reason and the support reference. */
export const failedReply = (text: string, notice: string, actions: readonly Action[]): ReplyState => ({
  ...emptyReply,
  state: "failed",
  text,
  notice,
  actions,
});

/** An answer that the asker stopped. */
export const stoppedReply = (text: string): ReplyState => ({
  ...emptyReply,
  state: "stopped",
  text,
  notice: "Stopped. The workspace may still finish the answer and count its credits.",
});

export const workingReply = (status: string, actions: readonly Action[]): ReplyState => ({ ...emptyReply, status, actions });

/** @param ahead how many messages come first */
export const waitingReply = (ahead: number, actions: readonly Action[]): ReplyState => ({
  ...emptyReply,
  state: "waiting",
  status: ahead <= 1 ? "Next in line, after the answer above." : `${ahead} messages before yours.`,
  actions,
});

/** @param number of those who wait for room, this one among them */
export const busyReply = (number: number, actions: readonly Action[]): ReplyState => ({
  ...emptyReply,
  state: "waiting",
  status: `Parley is busy: you are number ${number} in line.`,
  actions,
});

export const stopAction = (turn: string): Action => ({ action: "stop", label: "Stop", turn });
const verdictLabels: Readonly<Record<Verdict, string>> = { helpful: "Good answer", unhelpful: "Bad answer" };
export const ratingActions = (turn: string): readonly Action[] =>
  verdicts.map((action) => ({ action, label: verdictLabels[action], turn }));
/** Opens a form. @param turn whose document the button stands in */
export const formAction = (label: string, turn: string, form: string): Action => ({ action: "form", label, turn, form });
export const retryAction = (turn: string): Action => ({ action: "retry", label: "Try again", turn });
