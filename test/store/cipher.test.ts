import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCipher } from "../../src/store/cipher.ts";

const cipher = createCipher(randomBytes(32));

test("any text comes back, for its own row only", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const sealed = cipher.seal(text, "row 1");
      expect(cipher.open(sealed, "row 1")).toBe(text);
      expect(() => cipher.open(sealed, "row 2")).toThrow(/another row/);
    }),
  );
});

test("changed text and another key do not open, and the message says why", () => {
  const sealed = cipher.seal("hello", "row");
  const flipped = sealed.slice(0, -6) + (sealed.at(-6) === "A" ? "B" : "A") + sealed.slice(-5);
  expect(() => cipher.open(flipped, "row")).toThrow(/changed/);
  expect(() => createCipher(randomBytes(32)).open(sealed, "row")).toThrow(/set the former key again/);
  expect(() => createCipher(randomBytes(16))).toThrow(/32 bytes, got 16/);
});
