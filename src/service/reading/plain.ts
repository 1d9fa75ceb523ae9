/** Text and source files, read as UTF-8 (or UTF-16 where a byte order mark says so) up to a bound. */
import { open } from "node:fs/promises";
import { clip, clippedNote, notRead, Unreadable, type Extracted } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";

/** The first `bytes` bytes of a file, and whether that was all of it. */
async function head(path: string, bytes: number): Promise<{ bytes: Buffer; whole: boolean }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, bytes));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: buffer.subarray(0, filled), whole: size <= bytes };
  } finally {
    await file.close();
  }
}

/** The encoding that a byte order mark names; UTF-8 without one. */
function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}

/** Reads a text file. Invalid bytes become U+FFFD, line ends become `\n`; a binary file is Unreadable. */
export async function readPlain(path: string, limits: ReadingLimits): Promise<Extracted> {
  const { bytes, whole } = await head(path, limits.textBytes);
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && bytes.subarray(0, 8192).includes(0)) throw new Unreadable(notRead);
  // As a stream, so that a character cut at the bound is left out instead of shown as damaged.
  const decoded = new TextDecoder(encoding).decode(bytes, { stream: !whole });
  const { text, clipped } = clip(decoded.replace(/\r\n?/g, "\n"), limits.characters);
  return clipped || !whole ? { text, note: clippedNote(text.length) } : { text };
}
