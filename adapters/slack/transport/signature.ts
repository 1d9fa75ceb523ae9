/** Slack's signature of an HTTP request: https://docs.slack.dev/authentication/verifying-requests-from-slack. */
import { createHmac, timingSafeEqual } from "node:crypto";

/** A request is as old or as far ahead as this at most, in seconds; older ones are replays. */
const tolerance = 300;

/** True when `body` was signed with `secret` within the last five minutes. */
export function isSigned(headers: Headers, body: string, secret: string, nowMs: number): boolean {
  const timestamp = headers.get("x-slack-request-timestamp") ?? "";
  const given = Buffer.from(headers.get("x-slack-signature") ?? "");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > tolerance) return false;
  const expected = Buffer.from(`v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`);
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}
