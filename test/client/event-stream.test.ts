/** Server-sent events, however they are cut into pieces. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { eventData } from "../../src/client/event-stream.ts";

async function dataIn(text: string, pieces: readonly number[] = []): Promise<string[]> {
  const bytes = new TextEncoder().encode(text);
  // oxlint-disable-next-line typescript/require-await -- the pieces are all there
  async function* cut(): AsyncGenerator<Uint8Array> {
    let from = 0;
    for (const size of pieces) {
      yield bytes.slice(from, from + size);
      from += size;
    }
    yield bytes.slice(from);
  }
  return Array.fromAsync(eventData(cut()));
}

test.for([
  ["data: one\n\n", ["one"]],
  ["event: message\nid: 5\ndata: one\n\ndata:two\n\n", ["one", "two"]],
  ["data: one\r\n\r\ndata: two\r\rdata: three\n\n", ["one", "two", "three"]],
  ["data: first\ndata: second\ndata\n\n", ["first\nsecond\n"]],
  [": keepalive\n\nretry: 10\n\n: more\ndata: after\n\n", ["after"]],
  ["data: cut off\n", []],
  ["", []],
] as const)("%j", async ([text, data]) => expect(await dataIn(text)).toEqual(data));

test("the same events come however the bytes are cut, within a letter or a line's end too", async () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, " "));
  const end = fc.constantFrom("\n", "\r", "\r\n");
  await fc.assert(
    fc.asyncProperty(fc.array(line), end, fc.array(fc.nat(9)), async (lines, newline, pieces) => {
      const text = lines.map((data) => `data: ${data}${newline}${newline}`).join("");
      expect(await dataIn(text, pieces)).toEqual(lines);
    }),
  );
});
