import fc from "fast-check";
import { expect, it } from "vitest";
import type { Clock } from "../../../src/clock.ts";
import { paced } from "../../../src/service/providers/paced.ts";
import { never } from "./requests.ts";

/** Time passes as soon as somebody waits for it. */
function eager(): Clock {
  let now = 0;
  return {
    now: () => now,
    after(ms, then) {
      queueMicrotask(() => {
        now += ms;
        then();
      });
      return () => undefined;
    },
  };
}

it("gives out exactly the text, in pieces that end between words", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom("a", "b", " ", "😀", "\n", "é"), maxLength: 60 }), async (text) => {
      const pieces = await Array.fromAsync(paced(text, 40, eager(), never));
      expect(pieces.join("")).toBe(text);
      expect(pieces.length).toBeGreaterThanOrEqual(Math.min(2, text.trim().split(/\s+/).length - 2));
      for (const piece of pieces.slice(0, -1)) expect(piece).toMatch(/\s$/);
    }),
    { numRuns: 100 },
  );
});
