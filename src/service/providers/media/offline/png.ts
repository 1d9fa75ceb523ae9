/** PNG, written and read without a library: the pictures made here, and those that people bring to be changed. */
import { crc32, deflate, inflate } from "node:zlib";
import { promisify } from "node:util";
import { blank, type Pixels } from "./pixels.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Pixels of a picture at most that is read: 16 million are 64 MB while they are worked on. */
const mostPixels = 16_000_000;

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** The picture as a PNG of 8 bits a channel. */
export async function encodePng({ width, height, rgb }: Pixels): Promise<Uint8Array> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  // Each row begins with the number of its filter: 0 is none.
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y++) rows.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), y * (width * 3 + 1) + 1);
  const data = await promisify(deflate)(rows);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", new Uint8Array())]);
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** By colour type: samples a pixel. */
  readonly samples: number;
  readonly colourType: number;
  readonly palette: Uint8Array;
  readonly data: Buffer;
}

const samplesByType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** What the chunks say; undefined for what is no PNG, is damaged, is interlaced or is too large. */
function layoutOf(bytes: Buffer): Layout | undefined {
  if (!bytes.subarray(0, 8).equals(signature)) return undefined;
  let header: Buffer | undefined;
  let palette: Uint8Array = new Uint8Array();
  const data: Buffer[] = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (content.length < length) break;
    if (type === "IHDR") header = content;
    if (type === "PLTE") palette = content;
    if (type === "IDAT") data.push(content);
    if (type === "IEND") break;
    at += length + 12;
  }
  if (header?.length !== 13) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, colourType = 0, , , interlaced] = header.subarray(8);
  const samples = samplesByType[colourType];
  const readable = samples !== undefined && [1, 2, 4, 8, 16].includes(depth) && interlaced === 0;
  if (!readable || width === 0 || height === 0 || width * height > mostPixels) return undefined;
  return { width, height, depth, samples, colourType, palette, data: Buffer.concat(data) };
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Takes the filter of a row back, in place. @param step bytes from a sample to the same one of the pixel before */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  for (let at = 0; at < row.length; at++) {
    const left = at < step ? 0 : (row[at - step] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < step ? 0 : (above[at - step] ?? 0);
    let guess = 0;
    if (filter === 1) guess = left;
    else if (filter === 2) guess = up;
    else if (filter === 3) guess = (left + up) >> 1;
    else if (filter === 4) guess = paeth(left, up, corner);
    row[at] = ((row[at] ?? 0) + guess) & 255;
  }
}

/** The `at`th sample of a row, from 0 to 255; of a palette, the plain index. */
function sample(row: Uint8Array, at: number, depth: number, colourType: number): number {
  if (depth === 8) return row[at] ?? 0;
  if (depth === 16) return row[at * 2] ?? 0;
  const bit = at * depth;
  const value = ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  return colourType === 3 ? value : Math.round((value * 255) / (2 ** depth - 1));
}

function paint({ width, height, depth, samples, colourType, palette }: Layout, raw: Buffer): Pixels {
  const pixels = blank(width, height);
  const rowBytes = Math.ceil((width * samples * depth) / 8);
  const step = Math.max(1, (samples * depth) >> 3);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const row = raw.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1));
    unfilter(raw[y * (rowBytes + 1)] ?? 0, row, above, step);
    above = row;
    for (let x = 0; x < width; x++) {
      const read = (index: number): number => sample(row, x * samples + index, depth, colourType);
      const alpha = colourType === 4 ? read(1) : colourType === 6 ? read(3) : 255;
      for (let channel = 0; channel < 3; channel++) {
        const value = colourType === 3 ? (palette[read(0) * 3 + channel] ?? 0) : read(samples > 2 ? channel : 0);
        // What can be seen through stands on white.
        pixels.rgb[(y * width + x) * 3 + channel] = Math.round(255 + ((value - 255) * alpha) / 255);
      }
    }
  }
  return pixels;
}

/** The pixels of a PNG; undefined for what is none, is damaged, interlaced, or of more than 16 million pixels. */
export async function decodePng(bytes: Uint8Array): Promise<Pixels | undefined> {
  const layout = layoutOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (layout === undefined) return undefined;
  const expected = layout.height * (Math.ceil((layout.width * layout.samples * layout.depth) / 8) + 1);
  let raw: Buffer;
  try {
    raw = await promisify(inflate)(layout.data, { maxOutputLength: expected });
  } catch {
    // Not what it says it is: that is all there is to know of a damaged picture.
    return undefined;
  }
  return raw.length === expected ? paint(layout, raw) : undefined;
}
