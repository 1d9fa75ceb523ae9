/** Slack's half of the platform port that writes. */
import type { Clock } from "../../../src/clock.ts";
import type { Document } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/place.ts";
import type { ChatPlatform, Posted } from "../../../src/core/platform.ts";
import { WriteFault } from "../../../src/errors.ts";
import { attachFiles } from "./attach.ts";
import { isFormRefused, slackErrorOf } from "./faults.ts";
import { findMessage, metadataOf } from "./find.ts";
import { budgetKeyOf, slackLimits } from "./limits.ts";
import { messageOf, plainMessageOf, type SlackMessage } from "./message.ts";
import { createRecentPosts } from "./recent-posts.ts";
import type { StreamTargets } from "./stream-targets.ts";
import { createStreams } from "./streams.ts";
import type { SlackWeb } from "./web.ts";

export interface OutboundOptions {
  readonly web: SlackWeb;
  readonly clock: Clock;
  /** Where answers are streamed rather than edited. */
  readonly streamTargets: Pick<StreamTargets, "of">;
  readonly log: { warn(fields: object, text: string): void };
}

type Outbound = Pick<ChatPlatform, "limits" | "post" | "edit" | "remove" | "attach" | "find" | "whisper">;

/** On every write: names are no mentions, addresses no links, and links have no preview. */
const inert = { parse: "none", link_names: false } as const;
const noPreviews = { unfurl_links: false, unfurl_media: false } as const;

const threadOf = ({ thread }: Place): { thread_ts?: string } => (thread === null ? {} : { thread_ts: thread });

export function createOutbound({ web, clock, streamTargets, log }: OutboundOptions): Outbound {
  const recent = createRecentPosts();
  const streams = createStreams(web, clock, streamTargets);
  const context = { web, clock };

  /** Writes a document; where Slack refuses its form, once more in the plainest. */
  const written = async <T>(document: Document, write: (message: SlackMessage) => Promise<T>): Promise<T> => {
    try {
      return await write(messageOf(document));
    } catch (thrown) {
      if (!isFormRefused(thrown)) throw thrown;
      log.warn({ slackError: slackErrorOf(thrown) }, "Slack refused a message's form; its words are sent plainly");
      return await write(plainMessageOf(document));
    }
  };

  const call = (method: string, place: Place, options: object, signal: AbortSignal): ReturnType<SlackWeb["call"]> =>
    web.call(method, { ...options, channel: place.channel }, signal, budgetKeyOf(method, place));

  return {
    limits: {
      ...slackLimits,
      budgets: (method, place, state) => streams.budgets(method, place, state) ?? slackLimits.budgets(method, place, state),
    },

    async post(place, document, key, signal) {
      const known = recent.get(key);
      if (known !== undefined) return known;
      const begun = await streams.begin(place, document, key, signal);
      if (begun !== undefined) {
        recent.set(key, begun);
        return begun;
      }
      const { ts } = await written(document, (message) =>
        call(
          "chat.postMessage",
          place,
          { ...message, ...inert, ...noPreviews, mrkdwn: false, ...threadOf(place), metadata: metadataOf(key) },
          signal,
        ),
      );
      if (typeof ts !== "string") throw new WriteFault("unknown", "Slack's answer names no message");
      const posted: Posted = { place, id: ts };
      recent.set(key, posted);
      return posted;
    },

    async edit(posted, document, signal) {
      const streamed = await streams.grow(posted, document, signal);
      if (streamed === "grown") return undefined;
      // Slack has read its Markdown: the next edit shows the document as Parley writes it.
      if (streamed === "ended") return "again";
      const { place, id } = posted;
      // The metadata stays as it was when none is given.
      const update = (): Promise<unknown> =>
        written(document, (message) => call("chat.update", place, { ...message, ...inert, ts: id }, signal));
      try {
        await update();
      } catch (thrown) {
        if (slackErrorOf(thrown) !== "streaming_state_conflict") throw thrown;
        // Begun by another process of Parley's, which is gone.
        await streams.end(posted, signal);
        await update();
      }
      return undefined;
    },

    async remove(posted, signal) {
      const remove = (): Promise<unknown> => call("chat.delete", posted.place, { ts: posted.id }, signal);
      try {
        await remove();
      } catch (thrown) {
        const code = slackErrorOf(thrown);
        if (code === "cant_delete_message") {
          // So it is while a stream is open.
          await streams.end(posted, signal);
          await remove();
        } else if (code !== "message_not_found") throw thrown;
      }
      recent.delete(posted);
    },

    async attach(place, files, key, signal) {
      const posted = recent.get(key) ?? (await attachFiles(context, place, files, key, signal));
      recent.set(key, posted);
      return posted;
    },

    find: (place, key, signal, besides) => findMessage(context, place, key, signal, besides),

    async whisper(place, person, document, signal) {
      await written(document, (message) =>
        call("chat.postEphemeral", place, { ...message, ...inert, ...threadOf(place), user: person.id }, signal),
      );
    },
  };
}
