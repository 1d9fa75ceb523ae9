/** How long a pause Discord may ask for: headers have been seen to name a day. https://github.com/discord/discord-api-docs/issues/8570 */
import { longestHoldMs } from "../../../src/core/relay/pacer.ts";

/** In seconds, each. */
const pauses = ["retry-after", "x-ratelimit-reset-after"] as const;
const longest = longestHoldMs / 1_000;

/**
 * The answer with no pause in its headers longer than five minutes: neither discord.js, which refuses by itself what it takes
 * to be too early, nor Parley's own budgets then keep a channel closed for longer.
 */
export function believed(response: Response): Response {
  const long = pauses.filter((name) => Number(response.headers.get(name)) > longest);
  if (long.length === 0) return response;
  const headers = new Headers(response.headers);
  for (const name of long) headers.set(name, String(longest));
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
