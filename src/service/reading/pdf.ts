/** The text of a PDF, page by page. */
import { clip, clippedNote, Unreadable, type Extracted } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";

type Document = Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>;

/** A page's text in reading order, with the line ends that the PDF has. */
async function pageText(pdf: Document, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""));
  return text.join("").trim();
}

/** As many pages as fit, and at least the beginning of the first. */
async function pagesOf(pdf: Document, limit: number): Promise<Extracted> {
  const starts: number[] = [];
  let text = "";
  for (let number = 1; number <= pdf.numPages; number++) {
    const whole = (number === 1 ? "" : "\n\n") + (await pageText(pdf, number));
    starts.push(number === 1 ? 0 : text.length + 2);
    const { text: page, clipped } = clip(whole, limit - text.length);
    text += page;
    if (!clipped) continue;
    const places = { unit: "page", starts } as const;
    return { text, places, note: `${clippedNote(text.length)} It has ${pdf.numPages} pages; the text ends on page ${number}.` };
  }
  if (text.trim() === "") throw new Unreadable("no text was found in it, it may be a scan");
  return { text, places: { unit: "page", starts } };
}

const isLocked = (error: unknown): boolean => error instanceof Error && error.name === "PasswordException";

/** Reads a PDF. A scan without text, a locked or a damaged file is Unreadable. */
export async function readPdf(bytes: Buffer, limits: ReadingLimits): Promise<Extracted> {
  const { getDocumentProxy } = await import("unpdf");
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false });
    return await pagesOf(pdf, limits.characters);
  } catch (cause) {
    if (cause instanceof Unreadable) throw cause;
    throw new Unreadable(isLocked(cause) ? "it is protected by a password" : "the PDF is damaged", { cause });
  }
}
