import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attachmentHeader, cleanName } from "../../../src/service/files/names.ts";

describe("the name of a file", () => {
  test.each([
    ["report.pdf", "report.pdf"],
    ["../../etc/passwd", "passwd"],
    [String.raw`C:\Users\ada\notes.txt`, "notes.txt"],
    ["a\r\nSet-Cookie: x.txt", "aSet-Cookie: x.txt"],
    ["nul\u0000.png", "nul.png"],
    ["gpj.\u{202e}exe", "gpj.exe"],
    ["  spaced.txt ", "spaced.txt"],
    ["", "unnamed"],
    ["..", "unnamed"],
    ["dir/", "unnamed"],
    ["Cafe\u0301.md", "Café.md"],
    ["👩‍👩‍👧.png", "👩‍👩‍👧.png"],
  ])("%j is kept as %j", (given, kept) => {
    expect(cleanName(given)).toBe(kept);
  });

  test("that is too long keeps its extension", () => {
    expect(cleanName(`${"a".repeat(500)}.pdf`)).toBe(`${"a".repeat(196)}.pdf`);
  });

  test("is short, harmless and stays as it is when cleaned again, whatever was given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (given) => {
        const name = cleanName(given);
        expect(name.length).toBeGreaterThan(0);
        expect(name.length).toBeLessThanOrEqual(200);
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cs}]/u);
        expect(cleanName(name)).toBe(name);
      }),
    );
  });
});

describe("the header that names a download", () => {
  test("has the name in full, and a form for old browsers", () => {
    expect(attachmentHeader('Bücher "2".pdf')).toBe(
      `attachment; filename="B_cher _2_.pdf"; filename*=UTF-8''B%C3%BCcher%20%222%22.pdf`,
    );
  });

  test("is a valid header for any kept name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (given) => {
        expect(() => new Headers({ "content-disposition": attachmentHeader(cleanName(given)) })).not.toThrow();
      }),
    );
  });
});
