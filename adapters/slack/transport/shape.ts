/** The shape that everything from Slack must have before anything looks into it: what lacks it has ended processes. */
import { isPayload, objectsIn, textIn, type Payload } from "../payload.ts";

/** An event with an inner event of a type, a slash command, or an interaction of a type. */
export function isWellFormed(body: unknown): body is Payload {
  if (!isPayload(body)) return false;
  if (body["event"] !== undefined) return isPayload(body["event"]) && typeof body["event"]["type"] === "string";
  // An event's wrapper without its event.
  if (body["type"] === "event_callback") return false;
  if (typeof body["command"] === "string") {
    const named = ["trigger_id", "channel_id", "user_id"].every((name) => textIn(body, name) !== "");
    return named && typeof body["text"] === "string";
  }
  const needed = interactions.get(textIn(body, "type"));
  return needed !== undefined && isPayload(body["user"]) && needed(body);
}

/** What each kind of interaction has at least. */
const interactions: ReadonlyMap<string, (body: Payload) => boolean> = new Map([
  ["block_actions", (body) => objectsIn(body, "actions").some((action) => textIn(action, "action_id") !== "")],
  ["block_suggestion", (body) => textIn(body, "action_id") !== ""],
  ["message_action", (body) => isCalled(body) && isPayload(body["channel"]) && isPayload(body["message"])],
  ["shortcut", (body) => isCalled(body)],
  ["view_closed", (body) => isPayload(body["view"])],
  ["view_submission", (body) => isPayload(body["view"])],
]);

const isCalled = (body: Payload): boolean => textIn(body, "callback_id") !== "" && textIn(body, "trigger_id") !== "";
