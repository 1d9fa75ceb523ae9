/** What was heard in a recording, as people get it: short words in the message, more as files. */
import type { OutboundFile } from "../platform.ts";
import { literalMarkdown } from "../words.ts";
import { segmentsOf, type Segment } from "./segments.ts";

export interface Transcript {
  /** Markdown, in which nothing that was said is more than text. */
  readonly shown: string;
  readonly files: readonly OutboundFile[];
}

/** A longer one is a file, in characters; so many of it are shown all the same. */
const shortText = 1_500;
const shownText = 400;

interface Paragraph {
  readonly speaker: string | null;
  readonly text: string;
}

/** Segments of one speaker that follow each other, as one paragraph. */
function paragraphsOf(segments: readonly Segment[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const { speaker, text } of segments) {
    const last = paragraphs.at(-1);
    if (last !== undefined && last.speaker === speaker) paragraphs.splice(-1, 1, { speaker, text: `${last.text} ${text}` });
    else paragraphs.push({ speaker, text });
  }
  return paragraphs;
}

const lineOf = ({ speaker, text }: Paragraph): string => (speaker === null ? text : `${speaker}: ${text}`);

/** `00:01:02.500`. */
function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits: number): string => String(Math.floor(value)).padStart(digits, "0");
  return `${part(ms / 3_600_000, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
}

/** A cue ends at a blank line, and `<` or `&` would begin a tag or a sign. */
const cueText = (text: string): string =>
  text.replace(/\s+/g, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

type Timed = Segment & { readonly start: number; readonly end: number };
const isTimed = (segment: Segment): segment is Timed =>
  segment.start !== null && segment.end !== null && segment.end >= segment.start;

/** https://www.w3.org/TR/webvtt1/ */
const vttOf = (segments: readonly Timed[]): string =>
  [
    "WEBVTT",
    ...segments.map(({ start, end, speaker, text }) => {
      const voice = speaker === null ? "" : `<v ${cueText(speaker)}>`;
      return `${stamp(start)} --> ${stamp(end)}\n${voice}${cueText(text)}`;
    }),
  ].join("\n\n") + "\n";

const fileOf = (name: string, mediaType: string, text: string): OutboundFile => ({
  name,
  mediaType,
  bytes: new TextEncoder().encode(text),
});

const shownLine = ({ speaker, text }: Paragraph): string => {
  const said = text
    .split("\n")
    .map((line) => literalMarkdown(line))
    .join("  \n");
  return speaker === null ? said : `**${literalMarkdown(speaker)}:** ${said}`;
};

/**
 * @param recording its name, which the files have too
 * @param segments as the workspace gives them
 * @returns null where nothing was heard
 */
export function transcriptOf(recording: string, text: string | null, segments: unknown): Transcript | null {
  const read = segmentsOf(segments);
  const spoken = paragraphsOf(read);
  const named = spoken.some(({ speaker }) => speaker !== null);
  // Only segments know who speaks; else the whole text is the better one.
  const paragraphs = named || text === null || text.trim() === "" ? spoken : [{ speaker: null, text: text.trim() }];
  if (paragraphs.length === 0) return null;
  const whole = paragraphs.map(lineOf).join("\n\n");
  const timed = read.filter(isTimed);
  // The times of a single one say no more than how long it is.
  const hasTimes = timed.length > 1 && timed.length === read.length;
  const long = whole.length > shortText;
  const base = recording.replace(/\.[^./\\]{1,8}$/, "") || "transcript";
  const files = [
    ...(long || hasTimes ? [fileOf(`${base}.txt`, "text/plain", `${whole}\n`)] : []),
    ...(hasTimes ? [fileOf(`${base}.vtt`, "text/vtt", vttOf(timed))] : []),
  ];
  const beginning = `${literalMarkdown(whole.slice(0, shownText).toWellFormed().replace(/\s+/g, " "))}…`;
  const shown = long ? `${beginning}\n\n_All of it is in the attached file._` : paragraphs.map(shownLine).join("\n\n");
  return { shown, files };
}
