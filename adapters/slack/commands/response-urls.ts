/** Slack's response URLs: the way to answer a command privately where Parley is no member. Good for 30 minutes and 5 answers. */
import type { Clock } from "../../../src/clock.ts";
import type { Document } from "../../../src/core/document.ts";
import { WriteFault, reasonOf } from "../../../src/errors.ts";
import { messageOf } from "../outbound/message.ts";
import { objectIn, textIn, type Payload } from "../payload.ts";

export interface ResponseUrls {
  /** Remembers the URL of a command or interaction, where it has one. */
  note(body: Payload): void;
  /** Shows `document` to the person alone. False: there is no URL of theirs any more. Throws `WriteFault`. */
  answer(channel: string, user: string, document: Document, signal: AbortSignal): Promise<boolean>;
}

const goodForMs = 30 * 60_000;
const answers = 5;
const mostKept = 1_000;
/** Slack's own, over which alone something is sent. */
const slackHost = "https://hooks.slack.com";

/** @param extraOrigin an origin beside Slack's own, where `SLACK_API_URL` names another server than Slack */
export function createResponseUrls(clock: Clock, extraOrigin: string | undefined): ResponseUrls {
  const kept = new Map<string, { readonly url: string; readonly until: number; left: number }>();
  const keyOf = (channel: string, user: string): string => `${channel}:${user}`;
  return {
    note(body) {
      const url = textIn(body, "response_url");
      if (!URL.canParse(url) || ![slackHost, extraOrigin].includes(new URL(url).origin)) return;
      const channel = textIn(body, "channel_id") || textIn(objectIn(body, "channel"), "id");
      const key = keyOf(channel, textIn(body, "user_id") || textIn(objectIn(body, "user"), "id"));
      kept.delete(key);
      kept.set(key, { url, until: clock.now() + goodForMs, left: answers });
      const oldest = kept.size > mostKept ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
    },
    async answer(channel, user, document, signal) {
      const found = kept.get(keyOf(channel, user));
      if (found === undefined || found.left === 0 || found.until < clock.now()) return false;
      found.left--;
      const body = JSON.stringify({ response_type: "ephemeral", replace_original: false, ...messageOf(document) });
      let response: Response;
      try {
        response = await fetch(found.url, {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
          redirect: "error",
          signal,
        });
        await response.body?.cancel();
      } catch (thrown) {
        throw new WriteFault("unknown", `no answer from Slack to a private answer: ${reasonOf(thrown)}`, { cause: thrown });
      }
      if (!response.ok) throw new WriteFault("refused", `Slack refused a private answer with status ${response.status}`);
      return true;
    },
  };
}
