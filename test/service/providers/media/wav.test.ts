/** WAV as it is written and read here, and against bytes that are none. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readWav, writeWav } from "../../../../src/service/providers/media/offline/wav.ts";

const words = fc.string({ unit: "grapheme", maxLength: 60 }).filter((text) => !text.includes("\0"));

test("what is written is read again, words in any script and sound", () => {
  fc.assert(
    fc.property(fc.int16Array({ maxLength: 50 }), words, words, (samples, madeBy, spoken) => {
      const wav = { rate: 22_050, samples: new Int16Array(samples), info: { madeBy, words: spoken } };
      expect(readWav(writeWav(wav))).toEqual(wav);
      expect(readWav(writeWav({ ...wav, info: undefined }))?.info).toBeUndefined();
    }),
  );
});

test("a length that a stream could not know ends with what there is", () => {
  const bytes = Buffer.from(writeWav({ rate: 8000, samples: Int16Array.of(1, 2, 3), info: undefined }));
  bytes.writeUInt32LE(0x7ffff000, bytes.indexOf("data") + 4);
  expect([...(readWav(bytes)?.samples ?? [])]).toEqual([1, 2, 3]);
});

test("two channels, other bits and no WAV are not read", () => {
  const bytes = (at: number, value: number): Buffer => {
    const file = Buffer.from(writeWav({ rate: 8000, samples: Int16Array.of(1), info: undefined }));
    file.writeUInt16LE(value, at);
    return file;
  };
  for (const file of [bytes(22, 2), bytes(34, 8), bytes(20, 3), Buffer.from("RIFF"), Buffer.alloc(0)])
    expect(readWav(file)).toBeUndefined();
});

test("no bytes make it throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (rest) => {
      const file = Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), rest]);
      expect(() => readWav(file)).not.toThrow();
    }),
  );
});
