/** Who said what when in a recording: no field of it is documented, so it is read tolerantly. */

export interface Segment {
  readonly text: string;
  /** Seconds from the recording's beginning; null where it does not say. */
  readonly start: number | null;
  readonly end: number | null;
  /** As the tool names them; null where it names nobody. */
  readonly speaker: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** The names that each may have, the likeliest first. */
const names = {
  text: ["text", "content", "words", "transcript"],
  start: ["start", "start_time", "start_seconds", "startSecond", "startTime", "from", "begin"],
  end: ["end", "end_time", "end_seconds", "endSecond", "endTime", "to", "stop"],
  startMs: ["start_ms", "startMs"],
  endMs: ["end_ms", "endMs"],
  speaker: ["speaker_name", "speaker", "speaker_label", "speaker_id", "speakerName"],
} as const;

const first = <T>(fields: Fields, keys: readonly string[], read: (value: unknown) => T | null): T | null =>
  keys.map((key) => read(fields[key])).find((found) => found !== null) ?? null;

const words = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value.trim() : null);

/** Seconds, of `12.5`, `"12.5"` or `"00:00:12.5"`. */
function seconds(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? value : null;
  if (typeof value !== "string" || !/^(?:\d+:){0,2}\d+(?:[.,]\d+)?s?$/.test(value)) return null;
  return value
    .replace(",", ".")
    .replace(/s$/, "")
    .split(":")
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}

const fromMs = (value: unknown): number | null => {
  const read = seconds(value);
  return read === null ? null : read / 1000;
};

function speaker(value: unknown): string | null {
  if (typeof value === "number") return `Speaker ${value}`;
  return isObject(value)
    ? first(value, ["name", "label", "id"], speaker)
    : (words(value)?.replace(/\s+/g, " ").slice(0, 80) ?? null);
}

/** Those of it that hold words, in their order; none where it is no list. */
export function segmentsOf(value: unknown): readonly Segment[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((fields): Segment[] => {
    const text = first(fields, names.text, words);
    if (text === null) return [];
    const start = first(fields, names.start, seconds) ?? first(fields, names.startMs, fromMs);
    const end = first(fields, names.end, seconds) ?? first(fields, names.endMs, fromMs);
    return [{ text, start, end, speaker: first(fields, names.speaker, speaker) }];
  });
}
