/** File kinds, money and names that leave the service. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extensionOf, fileTypeOf, withLowerCaseExtension } from "../../src/contract/file-types.ts";
import { isNumericId, randomSlug } from "../../src/contract/identifiers.ts";
import { formatMoney, money, parseMoney } from "../../src/contract/money.ts";

describe("file kinds", () => {
  test.for([
    ["photo.png", "image"],
    ["photo.PNG", "code_interpreter"],
    ["notes.md", "file_search"],
    ["main.ts", "file_search"],
    ["page.tar.gz", "code_interpreter"],
    ["ledger.csv", "spreadsheet"],
    ["noextension", "code_interpreter"],
    ["", "code_interpreter"],
    ["ends.", "code_interpreter"],
    ["folder.png/file", "code_interpreter"],
    ["folder.png\\file", "code_interpreter"],
  ] as const)("%s is %s", ([name, type]) => expect(fileTypeOf(name)).toBe(type));

  test("a lower-case extension changes only the extension's case, and twice is once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const lowered = withLowerCaseExtension(name);
        expect(withLowerCaseExtension(lowered)).toBe(lowered);
        expect(lowered.toLowerCase()).toBe(name.toLowerCase());
        expect(extensionOf(lowered)).toBe(extensionOf(name).toLowerCase());
      }),
    );
    expect(withLowerCaseExtension("My.Photo.JPEG")).toBe("My.Photo.jpeg");
  });
});

describe("money", () => {
  test("sums exactly, where floating point does not", () => {
    const tenth = money("0.1");
    expect(formatMoney(tenth.plus("0.2"))).toBe("0.3");
  });

  test("reads back what it writes, without an exponent", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 9 }), (units, places) => {
        const amount = money(`${units}e-${places}`);
        const text = formatMoney(amount);
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
        expect(parseMoney(text)?.equals(amount)).toBe(true);
      }),
    );
  });

  test.for([null, undefined, 1, "", " ", "1,5", "abc", "NaN", "Infinity", "0x10", "1e9999", "1 2", {}])(
    "%j is no amount",
    (value) => expect(parseMoney(value)).toBeUndefined(),
  );
});

describe("identifiers", () => {
  const bytes = fc.uint8Array({ minLength: 64, maxLength: 64 });
  test("a slug has its length, letters and digits only, and is never all digits, whatever the random bytes", () => {
    fc.assert(
      fc.property(fc.constantFrom(8, 32), fc.infiniteStream(bytes), (length, source) => {
        let draws = 0;
        const slug = randomSlug(length, (into) => {
          // Bytes that give only digits, or that are all turned away, are drawn first.
          draws++;
          if (draws === 1) return into.fill(26 + (draws % 10));
          if (draws === 2) return into.fill(255);
          into.set(source.next().value!.subarray(0, into.length));
          return into;
        });
        expect(slug).toMatch(new RegExp(`^[a-z0-9]{${length}}$`));
        expect(isNumericId(slug)).toBe(false);
      }),
    );
  });

  test.for([
    ["12", true],
    ["0", true],
    ["-1", false],
    ["1.5", false],
    ["12a", false],
    ["", false],
    [" 12", false],
    ["１２", false],
  ] as const)("%j numeric: %s", ([value, numeric]) => expect(isNumericId(value)).toBe(numeric));
});
