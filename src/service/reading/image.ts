/** Pictures: not read here but shown to the model, when it is a kind that models see. */
import { open, type FileHandle } from "node:fs/promises";
import { Unreadable } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";

export type ImageMediaType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** By the first bytes, not by the name: a wrong media type makes a model service refuse the whole request. */
function mediaTypeOf(bytes: Buffer): ImageMediaType | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  if (/^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))) return "image/gif";
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return "image/webp";
  return undefined;
}

/** What the picture at `path` is; undefined for what is none of these. */
export async function imageTypeOf(path: string): Promise<ImageMediaType | undefined> {
  const file = await open(path, "r");
  try {
    return await typeIn(file);
  } finally {
    await file.close();
  }
}

async function typeIn(file: FileHandle): Promise<ImageMediaType | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
  return mediaTypeOf(buffer.subarray(0, bytesRead));
}

/** What the picture at `path` is. A picture of another kind, or too large, is Unreadable. */
export async function inspectImage(path: string, limits: ReadingLimits): Promise<ImageMediaType> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const mediaType = await typeIn(file);
    if (mediaType === undefined) throw new Unreadable("it is not a PNG, JPEG, GIF or WebP picture");
    if (size > limits.imageBytes) throw new Unreadable(`the picture is larger than ${limits.imageBytes / 2 ** 20} MB`);
    return mediaType;
  } finally {
    await file.close();
  }
}
