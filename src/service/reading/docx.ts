/** The text of a Word document. */
import { checkArchive } from "./archive.ts";
import { clip, clippedNote, Unreadable, type Extracted } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";

/** Reads the paragraphs of a Word document (`.docx`). */
export async function readDocx(bytes: Buffer, limits: ReadingLimits): Promise<Extracted> {
  checkArchive(bytes, limits);
  const { default: mammoth } = await import("mammoth");
  let raw: string;
  try {
    raw = (await mammoth.extractRawText({ buffer: bytes })).value;
  } catch (cause) {
    throw new Unreadable("the Word document is damaged", { cause });
  }
  const { text, clipped } = clip(raw.replace(/\n{3,}/g, "\n\n").trim(), limits.characters);
  return clipped ? { text, note: clippedNote(text.length) } : { text };
}
