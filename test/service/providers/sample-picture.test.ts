import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { samplePicture } from "../../../src/service/providers/sample-picture.ts";

it("is a PNG file of the size that it says, the same every time", () => {
  const bytes = Buffer.from(samplePicture());
  expect(bytes.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([480, 270]);
  const length = bytes.readUInt32BE(33);
  expect(bytes.toString("latin1", 37, 41)).toBe("IDAT");
  // Each line has a byte for its filter, and three for each point.
  expect(inflateSync(bytes.subarray(41, 41 + length))).toHaveLength(270 * (1 + 480 * 3));
  expect(samplePicture()).toEqual(samplePicture());
});
