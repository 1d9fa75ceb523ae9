/** What Discord answered, or failed to answer, as the outcome of a write. */
import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import { Fault, reasonOf, WriteFault } from "../../../src/errors.ts";

/**
 * JSON error codes after which trying again changes nothing, with what they mean to people.
 * 30046, too many edits of a message that is more than an hour old, is none of these: it passes, and the relay tries again.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
const gone: ReadonlyMap<number, string> = new Map([
  [10003, "the channel or thread no longer exists"],
  [10004, "the server no longer exists, or Parley was removed from it"],
  [10007, "the person is no member any more"],
  [10008, "the message no longer exists"],
  [10013, "the person no longer exists"],
  [10015, "the interaction is over"],
  [10062, "the interaction is over"],
  [50001, "Parley may not see the channel"],
  [50007, "the person takes no direct messages from Parley"],
  [50013, "Parley may not write there"],
  [50027, "the interaction is over"],
  [50083, "the thread is archived"],
  [160005, "the thread is locked"],
  [160006, "the server has as many open threads as it may have"],
  [50278, "the person takes no direct messages from Parley"],
]);

export const unknownChannel = 10003;
export const unknownMessage = 10008;
export const requestTooLarge = 40005;
/** The person takes no direct messages. */
export const takesNoneCodes: ReadonlySet<number> = new Set([50007, 50278]);
/** The interaction's token is no longer good. */
export const overCodes: ReadonlySet<number> = new Set([10015, 10062, 50027]);

/** No connection was made, so nothing was sent. */
const unconnected: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function unsentCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code } = thrown as { code?: unknown };
  return typeof code === "string" && unconnected.has(code) ? code : unsentCode(thrown.cause);
}

const codePrefix = "discord_";

/** Discord's JSON error code where it gave one. */
export function discordCodeOf(thrown: unknown): number | undefined {
  const cause = thrown instanceof WriteFault ? thrown.cause : undefined;
  return cause instanceof Fault && cause.code.startsWith(codePrefix) ? Number(cause.code.slice(codePrefix.length)) : undefined;
}

/**
 * @param route what was called, without ids and tokens
 * @param keyOf the budget that a limited request has used up
 */
export function writeFaultOf(
  thrown: unknown,
  route: string,
  keyOf: (method: string, url: string, global: boolean) => string,
): WriteFault {
  if (thrown instanceof RateLimitError) {
    const { method, url, global, retryAfter, timeToReset } = thrown;
    return new WriteFault("rate_limited", `Discord asks for a pause of ${route}`, {
      retryAfterMs: Math.max(retryAfter, timeToReset, 1),
      budgetKey: keyOf(method, url, global),
    });
  }
  if (thrown instanceof DiscordAPIError) {
    const meaning = gone.get(Number(thrown.code));
    const outcome = meaning === undefined ? "refused" : "gone";
    // discord.js' error has the request with it, and with that what people wrote: only its code and message go on.
    const cause = new Fault(`${codePrefix}${thrown.code}`, thrown.message);
    return new WriteFault(outcome, `Discord refused ${route}: ${meaning ?? thrown.message} (${thrown.code})`, { cause });
  }
  if (thrown instanceof HTTPError) {
    return new WriteFault("unknown", `Discord answered ${route} with HTTP status ${thrown.status}`);
  }
  const unsent = unsentCode(thrown);
  return unsent === undefined
    ? new WriteFault("unknown", `no answer from Discord to ${route}: ${reasonOf(thrown)}`, { cause: thrown })
    : new WriteFault("refused", `Discord cannot be reached: ${unsent}`, { cause: thrown });
}
