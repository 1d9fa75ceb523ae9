/** PNG as it is written and read here, and against bytes that are none. */
import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pixels } from "../../../../src/service/providers/media/offline/pixels.ts";
import { decodePng, encodePng } from "../../../../src/service/providers/media/offline/png.ts";

const chunk = (type: string, data: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const;
  ends[0].writeUInt32BE(data.length);
  ends[1].writeUInt32BE(crc32(named));
  return Buffer.concat([ends[0], named, ends[1]]);
};

/** A PNG of rows as they are given, filter bytes included. */
function png(
  header: { width: number; height: number; depth: number; type: number; interlaced?: number },
  rows: readonly number[],
  palette?: readonly number[],
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(header.width, 0);
  head.writeUInt32BE(header.height, 4);
  head.set([header.depth, header.type, 0, 0, header.interlaced ?? 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    ...(palette === undefined ? [] : [chunk("PLTE", Buffer.from(palette))]),
    chunk("IDAT", deflateSync(Buffer.from(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
const rgbOf = async (bytes: Uint8Array): Promise<number[] | undefined> => {
  const pixels = await decodePng(bytes);
  return pixels && [...pixels.rgb];
};

const anyPixels = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 })
      .map((rgb): Pixels => ({ width, height, rgb: new Uint8Array(rgb) })),
  );

test("what is written is read again, pixel by pixel", async () => {
  await fc.assert(
    fc.asyncProperty(anyPixels, async (pixels) => {
      expect(await decodePng(await encodePng(pixels))).toEqual(pixels);
    }),
    { numRuns: 60 },
  );
});

test("every filter is taken back", async () => {
  const header = { width: 2, height: 5, depth: 8, type: 0 };
  // Each row says 10, 20 by another filter: none, left, up, average, Paeth.
  const rows = [0, 10, 20, 1, 10, 10, 2, 0, 0, 3, 5, 5, 4, 0, 0];
  expect(await rgbOf(png(header, rows))).toEqual(Array.from({ length: 5 }, () => [10, 10, 10, 20, 20, 20]).flat());
});

test.for([
  ["grey of one bit", { width: 3, height: 1, depth: 1, type: 0 }, [0, 0b10100000], [255, 255, 255, 0, 0, 0, 255, 255, 255]],
  ["grey of 16 bits", { width: 1, height: 1, depth: 16, type: 0 }, [0, 77, 200], [77, 77, 77]],
  ["colour", { width: 1, height: 1, depth: 8, type: 2 }, [0, 1, 2, 3], [1, 2, 3]],
  ["grey that can be seen through, on white", { width: 1, height: 1, depth: 8, type: 4 }, [0, 0, 0], [255, 255, 255]],
  ["colour that can be half seen through", { width: 1, height: 1, depth: 8, type: 6 }, [0, 0, 55, 255, 128], [127, 155, 255]],
] as const)("%s", async ([, header, rows, rgb]) => {
  expect(await rgbOf(png(header, rows))).toEqual(rgb);
});

test("a palette of two bits", async () => {
  const palette = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect(await rgbOf(png({ width: 3, height: 1, depth: 2, type: 3 }, [0, 0b10000100], palette))).toEqual([
    7, 8, 9, 1, 2, 3, 4, 5, 6,
  ]);
});

test.for([
  ["interlaced", png({ width: 1, height: 1, depth: 8, type: 0, interlaced: 1 }, [0, 1])],
  ["of too many pixels", png({ width: 60_000, height: 60_000, depth: 8, type: 0 }, [0, 1])],
  ["without pixels", png({ width: 0, height: 1, depth: 8, type: 0 }, [0])],
  ["with too few rows", png({ width: 2, height: 2, depth: 8, type: 0 }, [0, 1, 2])],
  ["with more than it says", png({ width: 1, height: 1, depth: 8, type: 0 }, [0, 1, 2, 3])],
  ["of a depth that does not exist", png({ width: 1, height: 1, depth: 7, type: 0 }, [0, 1])],
  ["empty", Buffer.alloc(0)],
] as const)("one that is %s is not read", async ([, bytes]) => {
  expect(await decodePng(bytes)).toBeUndefined();
});

test("no bytes make it throw, whole ones that were damaged neither", async () => {
  const whole = Buffer.from(await encodePng({ width: 4, height: 4, rgb: new Uint8Array(48).fill(9) }));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), fc.nat(whole.length), async (at, value, end) => {
      const damaged = Buffer.from(whole);
      damaged[at] = value;
      for (const bytes of [damaged, damaged.subarray(0, end)]) {
        const read = await decodePng(bytes);
        expect(read?.rgb.length).toBe(read && read.width * read.height * 3);
      }
    }),
  );
});
