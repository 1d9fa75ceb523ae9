/** What Slack answered, or failed to answer, as the outcome of a write. */
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";
import { reasonOf, WriteFault } from "../../../src/errors.ts";

/** The message, its thread or its channel is no more, or Parley may not write there: trying again changes nothing. */
const gone: ReadonlySet<string> = new Set([
  "access_denied",
  "account_inactive",
  "cannot_reply_to_message",
  "cant_delete_message",
  "cant_update_message",
  "channel_not_found",
  "edit_window_closed",
  "ekm_access_denied",
  "is_archived",
  "message_not_found",
  "messages_tab_disabled",
  "no_permission",
  "not_in_channel",
  "team_access_not_granted",
  "team_not_found",
  "thread_not_found",
  "token_revoked",
  "user_not_found",
  "user_not_in_channel",
]);

const rateLimited: ReadonlySet<string> = new Set(["ratelimited", "rate_limited", "message_limit_exceeded"]);

/** Slack's own failures, of which it says that part of the work may have been done. */
const uncertain: ReadonlySet<string> = new Set(["fatal_error", "internal_error", "service_unavailable"]);

/** Slack has refused the form of a message, which may be tried in another. */
const form: ReadonlySet<string> = new Set([
  "invalid_attachments",
  "invalid_blocks",
  "invalid_blocks_format",
  "msg_blocks_too_long",
  "msg_too_long",
  "only_one_table_allowed",
]);

/** No connection was made, so nothing was sent. */
const unconnected: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Slack's error code where it gave one: `channel_not_found`. */
export function slackErrorOf(thrown: unknown): string | undefined {
  if (thrown instanceof WriteFault) return slackErrorOf(thrown.cause);
  if (!(thrown instanceof WebAPIPlatformError)) return undefined;
  // Where Slack's answer is no JSON, the SDK puts all of it here: a whole HTML page has been seen.
  return /^[a-z][a-z0-9_]{1,79}$/.test(thrown.data.error) ? thrown.data.error : undefined;
}

export const isFormRefused = (thrown: unknown): boolean => form.has(slackErrorOf(thrown) ?? "");

function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code } = thrown as { code?: unknown };
  return typeof code === "string" && unconnected.has(code) ? code : codeOf(thrown.cause);
}

/**
 * @param method the method that was called
 * @param budgetKey the budget that a 429 closes
 * @param status the HTTP status of the answer; 0 without one
 */
export function writeFaultOf(thrown: unknown, method: string, budgetKey: string | undefined, status: number): WriteFault {
  const limited = (retryAfterMs: number): WriteFault =>
    new WriteFault("rate_limited", `Slack asks for a pause of ${method}`, { retryAfterMs, budgetKey, cause: thrown });
  if (thrown instanceof WebAPIRateLimitedError) return limited(thrown.retryAfter * 1_000);
  if (status === 429) return limited(0);
  const code = slackErrorOf(thrown);
  if (code !== undefined) {
    if (rateLimited.has(code)) return limited(0);
    const outcome = gone.has(code) || code.startsWith("restricted_action") ? "gone" : uncertain.has(code) ? "unknown" : "refused";
    return new WriteFault(outcome, `Slack refused ${method}: ${code}`, { cause: thrown });
  }
  if (thrown instanceof WebAPIPlatformError)
    return new WriteFault("unknown", `Slack's answer to ${method} could not be read`, {});
  if (thrown instanceof WebAPIHTTPError)
    return new WriteFault("unknown", `Slack answered ${method} with HTTP status ${thrown.statusCode}`, {});
  const original = thrown instanceof WebAPIRequestError ? thrown.original : thrown;
  const unsent = codeOf(original);
  return unsent === undefined
    ? new WriteFault("unknown", `no answer from Slack to ${method}: ${reasonOf(original)}`, { cause: original })
    : new WriteFault("refused", `Slack cannot be reached: ${unsent}`, { cause: original });
}
