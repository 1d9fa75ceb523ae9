/** The picture of the offline model's demonstration: a sun over the sea, drawn point by point. */
import { crc32, deflateSync } from "node:zlib";

const width = 480;
const height = 270;
const horizon = 170;
const sun = { x: 330, y: 120, radius: 46 } as const;

type Colour = readonly [red: number, green: number, blue: number];

const between = (from: Colour, to: Colour, share: number): number[] =>
  from.map((part, index) => Math.round(part + ((to[index] ?? part) - part) * share));

function colourAt(x: number, y: number): readonly number[] {
  if (y >= horizon) {
    const glint = Math.abs(x - sun.x) < 18 + (y - horizon) / 2 && (y + Math.trunc(x / 40)) % 9 < 3;
    return glint ? [255, 214, 130] : between([36, 96, 130], [12, 40, 70], (y - horizon) / (height - horizon));
  }
  if (Math.hypot(x - sun.x, y - sun.y) < sun.radius) return [255, 224, 140];
  return between([84, 110, 170], [250, 170, 120], y / horizon);
}

/** A part of a PNG file: its length, its type, its bytes and their checksum. */
function chunk(type: string, bytes: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), bytes]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.byteLength);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG file of 480 by 270 points; the same every time. */
export function samplePicture(): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_point, x) => colourAt(x, y)).flat(),
  ]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Uint8Array.from(rows.flat()))),
    chunk("IEND", new Uint8Array()),
  ]);
}
