/** Frames of a conversation's live channel. The interface documents only that the data is a Message: the envelope is undocumented. */
import type { Message } from "./records.ts";

/** What the embedded service sends: always the whole message, never a delta. */
export interface MessageFrame {
  event: "message";
  data: Message;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True for what has the marks of a Message: an id, its author's side and a status. */
export const looksLikeMessage = (value: unknown): value is Message =>
  isObject(value) &&
  typeof value["ID"] === "number" &&
  typeof value["isUser"] === "boolean" &&
  typeof value["status"] === "string";

/** Finds the Message in a frame of any envelope: itself, or a direct field of it. Undefined when there is none. */
export function messageIn(frame: unknown): Message | undefined {
  if (looksLikeMessage(frame)) return frame;
  if (!isObject(frame)) return undefined;
  return Object.values(frame).find(looksLikeMessage);
}
