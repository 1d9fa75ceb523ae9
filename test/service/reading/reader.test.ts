import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/clock.ts";
import { createReader } from "../../../src/service/reading/reader.ts";
import { docx, pdf, xlsx, zip } from "../../fakes/documents.ts";
import { fakeClock } from "../../fakes/clock.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-reading-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const reader = createReader({ clock: systemClock });

/** Stores `bytes` the way uploads are stored, under a name that says nothing, and reads them as `name`. */
async function read(name: string, bytes: Uint8Array | string, using = reader) {
  const path = join(folder, "object");
  // Stored objects never change; here one path stands for many.
  await rm(`${path}.text`, { force: true });
  await writeFile(path, bytes);
  return using.read({ path, name });
}

describe("text files", () => {
  test("are read as UTF-8, without byte order mark and with plain line ends", async () => {
    expect(await read("notes.txt", "\u{feff}Grüße\r\naus Köln 👋")).toEqual({ kind: "text", text: "Grüße\naus Köln 👋" });
  });

  test("with invalid bytes are read all the same", async () => {
    expect(await read("old.log", Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x21]))).toEqual({ kind: "text", text: "caf\u{fffd}!" });
  });

  test("in UTF-16 are read by their byte order mark", async () => {
    expect(await read("win.txt", Buffer.from("\u{feff}Preis: 5 €", "utf16le"))).toEqual({ kind: "text", text: "Preis: 5 €" });
  });

  test("are source code too, and files without an extension", async () => {
    expect(await read("main.RS", "fn main() {}")).toEqual({ kind: "text", text: "fn main() {}" });
    expect(await read("Makefile", "all: build")).toEqual({ kind: "text", text: "all: build" });
  });

  test("that are too long are cut between characters, and say so", async () => {
    const small = createReader({ clock: systemClock, limits: { characters: 4 } });
    expect(await read("long.txt", "abc👋def", small)).toEqual({
      kind: "text",
      text: "abc",
      note: "Only the first 3 characters of this file were read.",
    });
    const bytes = createReader({ clock: systemClock, limits: { textBytes: 4 } });
    expect(await read("long.txt", "abcé", bytes)).toMatchObject({ text: "abc", note: expect.stringContaining("first 3") });
  });

  test("that are empty say so", async () => {
    expect(await read("empty.md", "")).toEqual({ kind: "text", text: "", note: "No text was found in this file." });
  });
});

describe("tables", () => {
  test("of comma-separated values become a line a row, with the rows' places", async () => {
    const text = 'Name,Notes\n"Ada, Lady","two\nlines ""quoted"""\n';
    expect(await read("people.csv", text)).toEqual({
      kind: "text",
      text: 'Name | Notes\nAda, Lady | two lines "quoted"',
      places: { unit: "row", starts: [0, 13] },
    });
  });

  test("may be separated by what their first line shows", async () => {
    expect(await read("a.csv", "x;y\n1,5;2")).toMatchObject({ text: "x | y\n1,5 | 2" });
    expect(await read("a.tsv", "x\ty\n1\t2")).toMatchObject({ text: "x | y\n1 | 2" });
  });

  test("with broken quoting are read as text", async () => {
    expect(await read("broken.csv", 'a,b\n"never closed,1\n2,3')).toEqual({ kind: "text", text: 'a,b\n"never closed,1\n2,3' });
  });

  test("that are too long keep whole rows, and say so", async () => {
    const small = createReader({ clock: systemClock, limits: { characters: 12 } });
    expect(await read("a.csv", "a,b\n1,2\n3,4\n", small)).toMatchObject({
      text: "a | b\n1 | 2",
      note: expect.stringContaining("Only"),
    });
  });
});

describe("documents", () => {
  test("a PDF gives its text with the places of its pages", async () => {
    const result = await read("Report.PDF", pdf(["The moon is far.", "The sun is farther."]));
    expect(result).toEqual({
      kind: "text",
      text: "The moon is far.\n\nThe sun is farther.",
      places: { unit: "page", starts: [0, 18] },
    });
  });

  test("a long PDF is read as far as it fits, and says how far", async () => {
    const small = createReader({ clock: systemClock, limits: { characters: 20 } });
    expect(await read("long.pdf", pdf(["The moon is far.", "The sun is farther.", "Stars."]), small)).toMatchObject({
      text: "The moon is far.\n\nTh",
      note: "Only the first 20 characters of this file were read. It has 3 pages; the text ends on page 2.",
    });
  });

  test("a PDF of pictures, and a damaged one, are not read and say why", async () => {
    expect(await read("scan.pdf", pdf([null]))).toEqual({ kind: "unread", reason: "no text was found in it, it may be a scan" });
    expect(await read("bad.pdf", "this is no PDF")).toEqual({ kind: "unread", reason: "the PDF is damaged" });
  });

  test("a Word document gives its paragraphs", async () => {
    expect(await read("letter.docx", docx(["Dear Ada,", "2 < 3 & more."]))).toEqual({
      kind: "text",
      text: "Dear Ada,\n2 < 3 & more.",
    });
  });

  test("an Excel workbook gives its sheets", async () => {
    const table = xlsx("Sales", [
      ["Month", "Sum"],
      ["May", 12.5],
    ]);
    expect(await read("sales.xlsx", table)).toEqual({ kind: "text", text: "Sheet: Sales\nMonth | Sum\nMay | 12.5" });
  });

  test.each(["docx", "xlsx"])("a %s that is no zip, or another zip, is damaged", async (extension) => {
    expect(await read(`a.${extension}`, "not a zip at all")).toEqual({ kind: "unread", reason: "the file is damaged" });
    const other = zip([{ name: "readme.txt", bytes: Buffer.from("hello") }]);
    expect(await read(`b.${extension}`, other)).toMatchObject({ kind: "unread", reason: expect.stringContaining("damaged") });
  });

  test("a document is parsed once: what was found is kept beside it", async () => {
    await read("letter.docx", docx(["Kept."]));
    // Were it parsed again, there would be nothing to find.
    await writeFile(join(folder, "object"), "gone");
    expect(await reader.read({ path: join(folder, "object"), name: "letter.docx" })).toEqual({ kind: "text", text: "Kept." });
    expect(await readdir(folder)).toEqual(["object", "object.text"]);
  });

  test("what was kept and has been damaged is made again", async () => {
    const path = join(folder, "object");
    await writeFile(path, docx(["Kept."]));
    await writeFile(`${path}.text`, '{"version":');
    expect(await reader.read({ path, name: "letter.docx" })).toEqual({ kind: "text", text: "Kept." });
  });
});

describe("hostile documents", () => {
  const megabyte = Buffer.alloc(2 ** 20);

  test("that are too large are not opened", async () => {
    const small = createReader({ clock: systemClock, limits: { documentBytes: 2 ** 19 } });
    expect(await read("large.pdf", megabyte, small)).toEqual({ kind: "unread", reason: "the document is larger than 0.5 MB" });
  });

  test("that unpack to too much are refused by their declared sizes", async () => {
    const small = createReader({ clock: systemClock, limits: { inflatedBytes: 2 ** 20 } });
    const bomb = docx(["boom"], [{ name: "word/media/a", bytes: megabyte }]);
    expect(await read("bomb.docx", bomb, small)).toEqual({ kind: "unread", reason: "its content is too large once unpacked" });
  });

  test("that lie about their sizes are refused by what they unpack to", async () => {
    const lie = docx(["boom"], [{ name: "word/media/a", bytes: megabyte, declaredSize: 10 }]);
    expect(await read("lie.docx", lie)).toEqual({ kind: "unread", reason: "the file is damaged" });
  });

  test("with names that point outside write nothing", async () => {
    const sly = docx(["harmless"], [{ name: "../../escaped.xml", bytes: Buffer.from("<a/>") }]);
    expect(await read("sly.docx", sly)).toEqual({ kind: "text", text: "harmless" });
    expect(await readdir(folder)).toEqual(["object", "object.text"]);
  });

  test("that take too long are given up, and may be tried again", async () => {
    const clock = fakeClock();
    const slow = createReader({ clock, limits: { parserMs: 1000 } });
    const path = join(folder, "object");
    // Far more work than what follows: the fake second has passed long before.
    await writeFile(path, docx(Array.from({ length: 20_000 }, (_, index) => `Paragraph ${index} of very many.`)));
    const reading = slow.read({ path, name: "slow.docx" });
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1000);
    expect(await reading).toEqual({ kind: "unread", reason: "reading it took too long" });
    expect(clock.pending).toBe(0);
    await writeFile(path, docx(["late"]));
    expect(await reader.read({ path, name: "slow.docx" })).toEqual({ kind: "text", text: "late" });
  });

  test("that need too much memory end their thread and nothing else", async () => {
    const tight = createReader({ clock: systemClock, limits: { parserMemoryMb: 24, inflatedBytes: 2 ** 29 } });
    const huge = docx(Array.from({ length: 60_000 }, (_, index) => `Paragraph ${index} of very many.`));
    expect(await read("huge.docx", huge, tight)).toEqual({ kind: "unread", reason: "it needs too much memory to read" });
  });

  test("are left at once when the turn is stopped", async () => {
    const stop = new AbortController();
    const path = join(folder, "object");
    await writeFile(path, docx(["x"]));
    const both = [1, 2].map(() => reader.read({ path, name: "a.docx" }, stop.signal));
    stop.abort(new Error("stopped"));
    const left = { status: "rejected", reason: new Error("stopped") };
    expect(await Promise.allSettled(both)).toEqual([left, left]);
    expect(await reader.read({ path, name: "a.docx" })).toMatchObject({ text: "x" });
  });
});

describe("other files", () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

  test("a picture is handed on, by what it is and not by its name", async () => {
    expect(await read("photo.jpg", png)).toEqual({ kind: "image", mediaType: "image/png", path: join(folder, "object") });
    expect(await read("photo.gif", Buffer.from("GIF89a......"))).toMatchObject({ mediaType: "image/gif" });
    expect(await read("photo.webp", Buffer.from("RIFF....WEBP"))).toMatchObject({ mediaType: "image/webp" });
  });

  test("a picture that is none, or too large, is not read", async () => {
    expect(await read("photo.png", "<script>")).toEqual({ kind: "unread", reason: "it is not a PNG, JPEG, GIF or WebP picture" });
    const small = createReader({ clock: systemClock, limits: { imageBytes: 0 } });
    expect(await read("photo.png", png, small)).toMatchObject({ kind: "unread", reason: expect.stringContaining("larger") });
  });

  test("a file of another kind, and one that is gone, are named with the reason", async () => {
    const reason = "it is not a text, PDF, Word, Excel, CSV or image file";
    expect(await read("film.mp4", Buffer.from([0, 0, 0, 24, 102, 116]))).toEqual({ kind: "unread", reason });
    for (const name of ["a.txt", "a.pdf", "a.csv", "a.png"]) {
      const gone = await reader.read({ path: join(folder, "none"), name });
      expect(gone).toEqual({ kind: "unread", reason: "it is no longer stored" });
    }
  });
});
