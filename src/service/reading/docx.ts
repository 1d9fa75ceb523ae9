/** The text of a Word document. */
import { checkArchive } from "./archive.ts";
import { clip, clippedNote, Unreadable, type Extracted } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";
import { markupText } from "./markup.ts";

/** Reads the paragraphs, lists, tables and notes of a Word document (`.docx`). */
export async function readDocx(bytes: Buffer, limits: ReadingLimits): Promise<Extracted> {
  checkArchive(bytes, limits);
  const { default: mammoth } = await import("mammoth");
  let html: string;
  try {
    // By way of HTML, as the converter's plain text takes tables apart and leaves footnotes out.
    const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: "" }));
    html = (await mammoth.convertToHtml({ buffer: bytes }, { convertImage })).value;
  } catch (cause) {
    throw new Unreadable("the Word document is damaged", { cause });
  }
  const { text, clipped } = clip(markupText(html), limits.characters);
  return clipped ? { text, note: clippedNote(text.length) } : { text };
}
