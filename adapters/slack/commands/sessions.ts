/** Slack's agent sessions: a thread with Parley in a direct message has a title there, and shows that Parley works. */
import type { InboundMessage } from "../../../src/core/inbound.ts";
import { placeKey, type Place } from "../../../src/core/place.ts";
import { reasonOf } from "../../../src/errors.ts";
import { isDirect } from "../inbound/address.ts";
import { isAnswer } from "../inbound/people.ts";
import type { SlackWeb } from "../outbound/web.ts";

export interface Sessions {
  /** Parley begins to work on a message. Never throws: a session is an ornament. */
  begin(message: InboundMessage): Promise<void>;
  /** Parley has answered in `place`. Never throws. */
  end(place: Place): Promise<void>;
}

/** Slack cuts a session's title here. */
const longestTitle = 200;
const callMs = 5_000;

export function createSessions(web: SlackWeb, log: { debug(fields: object, text: string): void }): Sessions {
  const working = new Set<string>();
  /** Slack has said that this app or workspace has no sessions. */
  let unavailable = false;

  const set = async ({ channel, thread }: Place, status: string, more: object = {}): Promise<void> => {
    try {
      await web.callWithin(callMs, "agents.sessions.setStatus", { channel_id: channel, thread_ts: thread, status, ...more });
    } catch (thrown) {
      unavailable ||= isAnswer(thrown);
      log.debug({ reason: reasonOf(thrown) }, "an agent session could not be kept up to date");
    }
  };

  return {
    async begin({ place, author, runs }) {
      if (unavailable || !isDirect(place.channel) || place.thread === null) return;
      working.add(placeKey(place));
      const words = runs.map((run) => ("typed" in run ? run.typed : "name" in run ? run.name : "")).join("");
      const title = words.replace(/\s+/g, " ").trim().slice(0, longestTitle).toWellFormed();
      await set(place, "processing", { initiator_user_id: author.id, ...(title === "" ? {} : { title }) });
    },
    async end(place) {
      if (working.delete(placeKey(place))) await set(place, "active");
    },
  };
}
