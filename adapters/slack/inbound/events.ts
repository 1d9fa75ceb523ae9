/** Events that are no messages but turns of their own: Parley came into a channel, was removed, or was stopped by Slack's own button. */
import type { Inbound } from "../../../src/core/inbound.ts";
import { objectIn, textIn, timeOf, type Payload } from "../payload.ts";
import { isDirect, keyOf, placeOf, type Identity } from "./address.ts";

/** @returns null for events that are nothing to do */
export function readEvent(event: Payload, eventId: string, self: Identity): Inbound | null {
  const at = timeOf(textIn(event, "event_ts"));
  const channel = textIn(event, "channel");
  const user = textIn(event, "user");
  switch (event["type"]) {
    case "member_joined_channel": {
      if (user !== self.user || channel === "") return null;
      const inviter = textIn(event, "inviter") || user;
      const key = keyOf(self.team, channel, textIn(event, "event_ts") || eventId, "joined");
      return {
        kind: "notice",
        notice: "joined",
        key,
        place: placeOf(self.team, channel, null),
        author: { id: inviter, name: inviter },
        at,
      };
    }
    case "tokens_revoked":
      // Users' tokens are none of Parley's.
      if (!Array.isArray(objectIn(event, "tokens")["bot"])) return null;
      return removed(eventId, self, at);
    case "app_uninstalled":
      return removed(eventId, self, at);
    case "agent_session_stopped": {
      const thread = textIn(event, "thread_ts");
      if (channel === "" || thread === "") return null;
      const key = keyOf(self.team, channel, textIn(event, "event_ts") || eventId, "stop");
      const author = { id: user || self.user, name: user || self.user };
      const direct = isDirect(channel) ? { direct: true } : {};
      return {
        kind: "command",
        name: "stop",
        options: {},
        text: "",
        files: [],
        key,
        place: placeOf(self.team, channel, thread),
        author,
        at,
        ...direct,
      };
    }
    default:
      return null;
  }
}

const removed = (eventId: string, self: Identity, at: number): Inbound => ({
  kind: "notice",
  notice: "removed",
  key: keyOf(self.team, "app", eventId, "removed"),
  place: placeOf(self.team, "app", null),
  author: { id: self.user, name: self.user },
  at,
});
