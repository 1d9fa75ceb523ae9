/** Holds a zipped document to its bounds before a parser opens it: sizes are measured, not believed. */
import { inflateRawSync } from "node:zlib";
import { Unreadable } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const localEntry = 0x04034b50;
const damaged = (): Unreadable => new Unreadable("the file is damaged");
const tooLarge = (): Unreadable => new Unreadable("its content is too large once unpacked");

/** Where the central directory begins, and how many entries it has. */
function directoryOf(zip: Buffer): { offset: number; entries: number } {
  // The end record is 22 bytes and a comment of at most 65,535.
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - 65_535); at--) {
    if (zip.readUInt32LE(at) === endOfDirectory) return { entries: zip.readUInt16LE(at + 10), offset: zip.readUInt32LE(at + 16) };
  }
  throw damaged();
}

/** Inflates one entry for its size only; more than it declares is damage. */
function measure(zip: Buffer, at: number): number {
  const method = zip.readUInt16LE(at + 10);
  const stored = zip.readUInt32LE(at + 20);
  const declared = zip.readUInt32LE(at + 24);
  const local = zip.readUInt32LE(at + 42);
  if (zip.readUInt32LE(local) !== localEntry) throw damaged();
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (from + stored > zip.length) throw damaged();
  if (method === 0) {
    if (stored !== declared) throw damaged();
  } else if (method === 8) {
    inflateRawSync(zip.subarray(from, from + stored), { maxOutputLength: Math.max(1, declared) });
  } else {
    throw new Unreadable("it is packed in a way that is not supported");
  }
  return declared;
}

/** Throws Unreadable for a zip file that is damaged, or would unpack to more than the limits allow. */
export function checkArchive(zip: Buffer, limits: ReadingLimits): void {
  try {
    const { offset, entries } = directoryOf(zip);
    if (entries > limits.archiveEntries) throw tooLarge();
    // All declared sizes first, so that a bomb is refused before any of it is unpacked.
    const positions: number[] = [];
    let declared = 0;
    for (let at = offset; positions.length < entries;) {
      if (zip.readUInt32LE(at) !== directoryEntry) throw damaged();
      positions.push(at);
      declared += zip.readUInt32LE(at + 24);
      at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    if (declared > limits.inflatedBytes) throw tooLarge();
    for (const at of positions) measure(zip, at);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // Offsets outside the file, broken or overlong streams.
    throw damaged();
  }
}
