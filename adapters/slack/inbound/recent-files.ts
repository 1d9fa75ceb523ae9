/** The files of a thread's, or a channel's, newest messages. */
import type { InboundFile } from "../../../src/core/inbound.ts";
import type { Place } from "../../../src/core/place.ts";
import { objectsIn, textIn, type Payload } from "../payload.ts";
import type { SlackWeb } from "../outbound/web.ts";
import { inboundFiles } from "./files.ts";
import { isAnswer } from "./people.ts";

/** Messages asked of Slack at once, and how often: a thread comes with its oldest first. */
const pageSize = 200;
const pages = 5;

/** The newest first. None where Slack does not show Parley the messages. */
export const createRecentFiles =
  (web: SlackWeb) =>
  async ({ channel, thread }: Place, signal: AbortSignal): Promise<readonly InboundFile[]> => {
    const found: Payload[] = [];
    try {
      if (thread === null) {
        const answer: Payload = await web.call("conversations.history", { channel, limit: pageSize }, signal);
        found.push(...objectsIn(answer, "messages").toReversed());
      }
      for (let page = 0, cursor = ""; thread !== null && page < pages; page++) {
        const more = cursor === "" ? {} : { cursor };
        const answer: Payload = await web.call(
          "conversations.replies",
          { channel, ts: thread, limit: pageSize, ...more },
          signal,
        );
        found.push(...objectsIn(answer, "messages"));
        cursor = textIn((answer["response_metadata"] ?? {}) as Payload, "next_cursor");
        if (cursor === "") break;
      }
    } catch (thrown) {
      if (!isAnswer(thrown)) throw thrown;
    }
    return found.toReversed().flatMap(inboundFiles);
  };
