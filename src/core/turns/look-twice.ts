/** Looks for what a request has done whose answer was lost. */
import { sleep, type Clock } from "../../clock.ts";

/** Such a request may still be at work this long, in ms: it may outlive its connection. */
const settleMs = 2_000;

/** What it has made is told by its time; the clocks of two machines may differ by this much, in ms. */
export const skewMs = 120_000;

/** Looks, and once more a moment later where nothing is there yet. */
export async function lookTwice<T>(
  { clock }: { readonly clock: Clock },
  signal: AbortSignal,
  look: () => Promise<T>,
  isThere: (found: T) => boolean,
): Promise<T> {
  const first = await look();
  if (isThere(first)) return first;
  await sleep(clock, settleMs, signal);
  return look();
}
