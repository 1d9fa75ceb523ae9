/** The shape that everything from Slack must have before anything looks into it: what lacks it has ended processes. */
import { isPayload, textIn, type Payload } from "../payload.ts";

/** An event with an inner event of a type, a slash command, or an interaction of a type. */
export function isWellFormed(body: unknown): body is Payload {
  if (!isPayload(body)) return false;
  if (body["event"] !== undefined) return isPayload(body["event"]) && typeof body["event"]["type"] === "string";
  // An event's wrapper without its event.
  if (body["type"] === "event_callback") return false;
  if (typeof body["command"] === "string")
    return textIn(body, "trigger_id") !== "" && textIn(body, "channel_id") !== "" && textIn(body, "user_id") !== "";
  return typeof body["type"] === "string";
}
