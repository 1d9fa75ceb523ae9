/** What is measured, what is held to a bar, and how both are printed. */

/** One run of many replies at once. */
export interface Streaming {
  readonly replies: number;
  readonly updates: number;
  readonly writes: number;
  readonly delivered: number;
  readonly writesOverBudget: number;
  /** The 99th percentile of first words against k/rate and the round trip, k being the reply there: 1 is the least possible. */
  readonly firstWordsRatio: number;
  /** The 99th percentile of staleness against N/rate and the round trip. */
  readonly stalenessRatio: number;
  readonly stalenessMs: number;
  readonly loopDelayMs: number;
  readonly cpuPerUpdateUs: number;
  readonly heapPerReplyKb: number;
  readonly residentPerReplyKb: number;
}

/** Threads that nobody writes in. */
export interface Idle {
  readonly threads: number;
  readonly residentPerThreadBytes: number;
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/** What must hold, in words; each with whether it does. */
export const bars: readonly (readonly [text: string, holds: (run: Streaming) => boolean])[] = [
  ["every reply is delivered", (run) => run.delivered === run.replies],
  ["no write over budget", (run) => run.writesOverBudget === 0],
  ["first words within 5% of the least possible", (run) => run.firstWordsRatio <= 1.05],
  ["staleness within 5% of the least possible", (run) => run.stalenessRatio <= 1.05],
  ["event loop delay under 25 ms", (run) => run.loopDelayMs < 25],
  ["under 60 µs of CPU for each update", (run) => run.cpuPerUpdateUs < 60],
];

const round = (value: number): number => Number(value.toPrecision(4));

/** Rows of cells as columns, each as wide as its widest. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) => cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  ")).join("\n");
}

/** Figures as columns, runs as rows. */
export function table(runs: readonly Streaming[]): string {
  const names = Object.keys(runs[0] ?? {}) as (keyof Streaming)[];
  return columns([names, ...runs.map((run) => names.map((name) => String(round(run[name]))))]);
}
