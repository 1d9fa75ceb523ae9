/**
 * Slack's native streams: a message that grows by what is appended, which Slack allows more often than edits.
 * What was appended cannot be changed while the stream is open, and its Markdown is Slack's to read. So a stream shows
 * harmless Markdown, and ends in favour of an edit of the same message: with the answer's last state, when shown text is
 * rewritten, before Slack ends it, or when something goes wrong. No character is lost by that, as an edit has the whole.
 */
import type { Clock } from "../../../src/clock.ts";
import type { Document } from "../../../src/core/document.ts";
import { placeKey, type Place } from "../../../src/core/place.ts";
import type { Budget, Posted, WriteMethod } from "../../../src/core/platform.ts";
import { WriteFault } from "../../../src/errors.ts";
import { isFinal } from "../../../src/core/relay/reply.ts";
import { actionBlocks } from "./actions.ts";
import { slackErrorOf } from "./faults.ts";
import { blockIdOf } from "./find.ts";
import { harmless } from "./harmless.ts";
import { budgetKeyOf, streamBudgets } from "./limits.ts";
import { richText, section, type SlackBlock } from "./block-kit.ts";
import { words } from "./phrasing.ts";
import type { StreamTargets } from "./stream-targets.ts";
import type { SlackWeb } from "./web.ts";

export interface Streams {
  /** Begins a message with this document. Undefined: not here, not now; it is to be posted. */
  begin(place: Place, document: Document, key: string, signal: AbortSignal): Promise<Posted | undefined>;
  /**
   * Appends what the document has more.
   * - `grown`: the document is shown;
   * - `ended`: its words are shown, if they were merely more, and the message can be edited from now on;
   * - `none`: the message has no open stream.
   */
  grow(posted: Posted, document: Document, signal: AbortSignal): Promise<"grown" | "ended" | "none">;
  /** Ends the message's stream, whoever began it. */
  end(posted: Posted, signal: AbortSignal): Promise<void>;
  /** What a write will take from; undefined where no stream is concerned. */
  budgets(method: WriteMethod, place: Place, state: Document["state"] | undefined): readonly Budget[] | undefined;
}

/** Slack ends a stream about 5 minutes after its start, also under traffic: slackapi/python-slack-sdk#1859. */
const longestStreamMs = 240_000;
/** Characters of Markdown of one call. */
const longestAppend = 12_000;
/** Characters of a task's title. */
const longestTitle = 256;

/** The stream is over, whoever ended it. */
const over: ReadonlySet<string> = new Set(["message_not_in_streaming_state", "stopped_by_user"]);
/** There are no streams for this workspace, as far as this token goes. */
const nowhere: ReadonlySet<string> = new Set([
  "unknown_method",
  "feature_not_enabled",
  "missing_scope",
  "not_allowed_token_type",
]);
/** This one may not be streamed to here. */
const notHere: ReadonlySet<string> = new Set(["messages_tab_disabled", "team_not_found", "user_not_found"]);

interface Stream {
  readonly posted: Posted;
  readonly startedAt: number;
  /** The Markdown that was appended, before it was made harmless. */
  text: string;
  status: string | null;
  /** It is not known what it shows. */
  uncertain: boolean;
}

type Chunk = object;
const markdown = (text: string): Chunk[] => (text === "" ? [] : [{ type: "markdown_text", text }]);
const task = (title: string, status: "in_progress" | "complete"): Chunk => ({
  type: "task_update",
  id: "status",
  title: title.slice(0, longestTitle).toWellFormed(),
  status,
});

/** The block that names the message, as a stream has metadata only at its end: the buttons, else the first sign. */
function naming(document: Document, key: string): SlackBlock & { readonly block_id: string } {
  const [block = richText([section(words("…"))])] = actionBlocks(document.actions);
  return { ...block, block_id: blockIdOf(key) };
}

/** Without the half of a character that may be at its end. */
const sourceOf = ({ source }: Document): string | undefined => source?.replace(/[\uD800-\uDBFF]$/, "");

/** @param targets where answers are streamed at all */
export function createStreams(web: SlackWeb, clock: Clock, targets: Pick<StreamTargets, "of">): Streams {
  /** By place: one reply is written at a time in each. */
  const open = new Map<string, Stream>();
  const unable = new Set<string>();

  const streamOf = ({ place, id }: Posted): Stream | undefined => {
    const stream = open.get(placeKey(place));
    return stream?.posted.id === id ? stream : undefined;
  };
  const forget = ({ posted }: Stream): void => void open.delete(placeKey(posted.place));

  /** Streams that Slack has ended, and whose replies nobody goes on with. */
  const sweep = (): void => {
    for (const stream of open.values()) if (clock.now() - stream.startedAt > 2 * longestStreamMs) forget(stream);
  };

  const call = (method: string, place: Place, options: object, signal: AbortSignal): ReturnType<SlackWeb["call"]> =>
    web.call(method, { ...options, channel: place.channel }, signal, budgetKeyOf(method, place));

  /** What Slack wants to know of where a stream goes; undefined where there is none. */
  const addressOf = (place: Place): object | undefined => {
    const target = targets.of(place);
    if (target === undefined || place.thread === null) return undefined;
    if (unable.has(place.tenant) || unable.has(`${place.tenant}:${place.channel}`)) return undefined;
    const { recipient } = target;
    const named = recipient === null ? {} : { recipient_user_id: recipient.user, recipient_team_id: recipient.team };
    return { thread_ts: place.thread, ...named };
  };

  /** What is missing of the document's text; undefined when it is not merely longer, or more than one call takes. */
  const missing = ({ text, uncertain }: Stream, document: Document): string | undefined => {
    const source = sourceOf(document);
    if (uncertain || source?.startsWith(text) !== true) return undefined;
    const more = harmless(source).slice(harmless(text).length);
    return more.length > longestAppend ? undefined : more;
  };

  const append = async (stream: Stream, document: Document, more: string, signal: AbortSignal): Promise<void> => {
    const status = document.status === stream.status ? null : (document.status ?? stream.status);
    const chunks = [
      ...(status === null ? [] : [task(status, document.status === null ? "complete" : "in_progress")]),
      ...markdown(more),
    ];
    const { place, id } = stream.posted;
    if (chunks.length > 0) await call("chat.appendStream", place, { ts: id, chunks }, signal);
    stream.text = sourceOf(document) ?? stream.text;
    stream.status = document.status;
  };

  const stop = async (posted: Posted, chunks: Chunk[], signal: AbortSignal): Promise<void> => {
    const stream = streamOf(posted);
    try {
      await call("chat.stopStream", posted.place, { ts: posted.id, ...(chunks.length === 0 ? {} : { chunks }) }, signal);
    } catch (thrown) {
      const outcome = thrown instanceof WriteFault ? thrown.outcome : "unknown";
      if (stream !== undefined && outcome !== "rate_limited") stream.uncertain = true;
      if (!over.has(slackErrorOf(thrown) ?? "")) {
        if (outcome === "refused" && chunks.length > 0) return stop(posted, [], signal);
        throw thrown;
      }
    }
    if (stream !== undefined) forget(stream);
  };

  return {
    async begin(place, document, key, signal) {
      sweep();
      const address = addressOf(place);
      const text = sourceOf(document);
      if (address === undefined || document.state !== "working" || text === undefined) return undefined;
      const first: Stream = {
        posted: { place, id: "" },
        startedAt: clock.now(),
        text: "",
        status: null,
        uncertain: false,
      };
      const more = missing(first, document);
      if (more === undefined) return undefined;
      const chunks = [
        ...(document.status === null ? [] : [task(document.status, "in_progress")]),
        { type: "blocks", blocks: [naming(document, key)] },
        ...markdown(more),
      ];
      try {
        const { ts } = await call("chat.startStream", place, { ...address, chunks }, signal);
        if (typeof ts !== "string") throw new WriteFault("unknown", "Slack's answer names no message");
        open.set(placeKey(place), { ...first, posted: { place, id: ts }, text, status: document.status });
        return { place, id: ts };
      } catch (thrown) {
        const code = slackErrorOf(thrown) ?? "";
        const refused = thrown instanceof WriteFault && thrown.outcome === "refused" && code !== "";
        if (!refused && !notHere.has(code)) throw thrown;
        unable.add(nowhere.has(code) ? place.tenant : `${place.tenant}:${place.channel}`);
        return undefined;
      }
    },

    async grow(posted, document, signal) {
      const stream = streamOf(posted);
      if (stream === undefined) return "none";
      const more = missing(stream, document);
      const young = clock.now() - stream.startedAt < longestStreamMs;
      if (more !== undefined && young && !isFinal(document.state)) {
        try {
          await append(stream, document, more, signal);
          return "grown";
        } catch (thrown) {
          const fault = thrown instanceof WriteFault ? thrown : undefined;
          if (over.has(slackErrorOf(thrown) ?? "")) {
            forget(stream);
            return "none";
          }
          if (fault?.outcome !== "rate_limited") stream.uncertain = true;
          if (fault?.outcome !== "refused") throw thrown;
        }
      }
      await stop(posted, stream.uncertain ? [] : markdown(more ?? ""), signal);
      return "ended";
    },

    end: (posted, signal) => stop(posted, [], signal),

    budgets(method, place, state) {
      if (method === "post") {
        return state === "working" && addressOf(place) !== undefined ? streamBudgets("start", place) : undefined;
      }
      const stream = open.get(placeKey(place));
      if (stream === undefined || state === undefined) return undefined;
      return streamBudgets(isFinal(state) ? "stop" : "append", place);
    },
  };
}
