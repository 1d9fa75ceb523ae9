/** What a message is known by: Discord takes 25 characters, and makes no second message with the same ones for a few minutes. */
import { createHash } from "node:crypto";

/** https://docs.discord.com/developers/resources/message#create-message */
const longestNonce = 25;
const markLength = 10;

const hashed = (text: string): string => createHash("sha256").update(text).digest("base64url");

/**
 * The nonce of the message with `key`.
 * @param attempt 0, and one more for each message of that key that was removed: Discord does not make a removed one again
 */
export const nonceOf = (key: string, attempt: number): string =>
  hashed(attempt === 0 ? key : `${key}#${attempt}`).slice(0, longestNonce);

/** A short mark of the message with `key`, for its buttons: Discord tells a nonce only to who made the message, and only once. */
export const markOf = (key: string): string => hashed(key).slice(0, markLength);
