/** For how long somebody asks to be left alone. */

/**
 * The value of a `Retry-After` header in ms from `now`: seconds or an HTTP date.
 * 0 where it names no time to come, or nothing that makes sense.
 */
export function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // Other texts are not tried: a year is read into nearly anything.
  const at = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
