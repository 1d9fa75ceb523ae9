/** WAV files of 16 bits and one channel, with words about them in their own chunk: written, and read where they come from here. */

/** What a file says of itself, by the names of RIFF's INFO list. */
export interface WavInfo {
  /** `ISFT`: the software that made it. */
  readonly madeBy: string;
  /** `ICMT`: the words that are spoken in it. */
  readonly words: string;
}

export interface Wav {
  readonly rate: number;
  readonly samples: Int16Array;
  readonly info: WavInfo | undefined;
}

function chunk(name: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.byteLength, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.byteLength % 2)]);
}

const text = (name: string, value: string): Buffer => chunk(name, Buffer.from(`${value}\0`, "utf8"));

export function writeWav({ rate, samples, info }: Wav): Uint8Array {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const list =
    info === undefined
      ? []
      : [chunk("LIST", Buffer.concat([Buffer.from("INFO"), text("ISFT", info.madeBy), text("ICMT", info.words)]))];
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const content = Buffer.concat([Buffer.from("WAVE"), chunk("fmt ", format), ...list, chunk("data", sound)]);
  return chunk("RIFF", content);
}

/** The chunks of `bytes` from `at`; a length that is longer than what there is, as in a stream, ends with it. */
function* chunksIn(bytes: Buffer, from: number): Generator<{ readonly name: string; readonly content: Buffer }> {
  for (let at = from; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    yield { name: bytes.toString("latin1", at, at + 4), content: bytes.subarray(at + 8, at + 8 + length) };
    at += 8 + length + (length % 2);
  }
}

function infoIn(list: Buffer): WavInfo | undefined {
  if (list.toString("latin1", 0, 4) !== "INFO") return undefined;
  const found = new Map<string, string>();
  for (const { name, content } of chunksIn(list, 4)) found.set(name, content.toString("utf8").replace(/\0.*$/s, ""));
  return { madeBy: found.get("ISFT") ?? "", words: found.get("ICMT") ?? "" };
}

/** The sound and the words in `bytes`; undefined for anything but a WAV of 16 bits and one channel. */
export function readWav(bytes: Uint8Array): Wav | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE") return undefined;
  let rate: number | undefined;
  let samples: Int16Array | undefined;
  let info: WavInfo | undefined;
  for (const { name, content } of chunksIn(file, 12)) {
    if (name === "fmt " && content.length >= 16) {
      const [kind, channels, bits] = [content.readUInt16LE(0), content.readUInt16LE(2), content.readUInt16LE(14)];
      if (kind !== 1 || channels !== 1 || bits !== 16) return undefined;
      rate = content.readUInt32LE(4);
    }
    if (name === "LIST") info ??= infoIn(content);
    // A copy, as two bytes in the middle of a buffer may lie askew.
    if (name === "data") samples ??= new Int16Array(new Uint8Array(content.subarray(0, content.length & ~1)).buffer);
  }
  return rate === undefined || rate === 0 || samples === undefined ? undefined : { rate, samples, info };
}
