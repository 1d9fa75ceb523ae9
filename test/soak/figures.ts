/** Figures out of `/metrics`. */

export interface Figures {
  /** Upper bounds in seconds, with how many observations were at or below. */
  readonly staleness: ReadonlyMap<number, number>;
  readonly firstWords: ReadonlyMap<number, number>;
  readonly leasesLost: number;
}

const numberOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name}(?:\\{\\})? (\\S+)$`, "m").exec(text)?.[1] ?? 0);

const bucketsOf = (text: string, name: string): Map<number, number> =>
  new Map(
    [...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"\\} (\\d+)$`, "gm"))].map(([, bound, count]) => [
      bound === "+Inf" ? Infinity : Number(bound),
      Number(count),
    ]),
  );

export const figuresIn = (text: string): Figures => ({
  staleness: bucketsOf(text, "parley_staleness_seconds"),
  firstWords: bucketsOf(text, "parley_first_words_seconds"),
  leasesLost: numberOf(text, "parley_leases_lost_total"),
});

/** The bucket's upper bound, in seconds, below which `share` of all observations are; null without any. */
export function boundBelow(histograms: readonly ReadonlyMap<number, number>[], share: number): number | null {
  const sums = new Map<number, number>();
  for (const histogram of histograms) for (const [bound, count] of histogram) sums.set(bound, (sums.get(bound) ?? 0) + count);
  const total = sums.get(Infinity) ?? 0;
  if (total === 0) return null;
  const sorted = [...sums].toSorted(([a], [b]) => a - b);
  return sorted.find(([, count]) => count >= total * share)?.[0] ?? null;
}
