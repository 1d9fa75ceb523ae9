/** From when to when something was done. */

export interface Span<How extends string = string> {
  readonly how: How;
  /** Both in ms since 1970; `to` is Infinity as long as it goes on. */
  readonly from: number;
  to: number;
}

/** Whether any of them was in force between the two times. */
export const overlaps = (spans: readonly Span[], from: number, to: number): boolean =>
  spans.some((span) => span.from <= to && span.to >= from);

/** Does `work`, and notes from when to when. What fails has been done until then. */
export async function during<How extends string>(spans: Span<How>[], how: How, work: () => Promise<void>): Promise<void> {
  const span = { how, from: Date.now(), to: Infinity };
  spans.push(span);
  try {
    await work();
  } finally {
    span.to = Date.now();
  }
}
