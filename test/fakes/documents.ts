/** Small real documents, made from nothing but their formats: zip, Word, Excel, PDF. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
  /** What the directory says that the entry unpacks to; the truth by default. */
  readonly declaredSize?: number;
}

/** A zip file with a central directory. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, declaredSize } of entries) {
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(declaredSize ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed]);
    const trailer = Buffer.alloc(14);
    trailer.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), fields, trailer, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}

const xml = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
const part = (name: string, content: string): ZipEntry => ({
  name,
  bytes: Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${content}`),
});
const relationships = (target: string): ZipEntry =>
  part(
    "_rels/.rels",
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/></Relationships>`,
  );
const contentTypes = (name: string, type: string): ZipEntry =>
  part(
    "[Content_Types].xml",
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/></Types>`,
  );

/** A Word document of plain paragraphs, and whatever else is put into its zip. */
export function docx(paragraphs: readonly string[], more: readonly ZipEntry[] = []): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t xml:space="preserve">${xml(text)}</w:t></w:r></w:p>`).join("");
  return zip([
    contentTypes("word/document.xml", "wordprocessingml.document.main"),
    relationships("word/document.xml"),
    part(
      "word/document.xml",
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
    ...more,
  ]);
}

/** An Excel workbook with one sheet of text and numbers. */
export function xlsx(sheet: string, rows: ReadonlyArray<ReadonlyArray<string | number>>): Buffer {
  const cell = (value: string | number, row: number, column: number): string => {
    const at = `${String.fromCharCode(65 + column)}${row + 1}`;
    return typeof value === "number"
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${xml(value)}</t></is></c>`;
  };
  const data = rows
    .map((cells, row) => `<row r="${row + 1}">${cells.map((value, column) => cell(value, row, column)).join("")}</row>`)
    .join("");
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return zip([
    contentTypes("xl/workbook.xml", "spreadsheetml.sheet.main"),
    relationships("xl/workbook.xml"),
    part(
      "xl/workbook.xml",
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${xml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    part(
      "xl/_rels/workbook.xml.rels",
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    part("xl/worksheets/sheet1.xml", `<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`),
  ]);
}

/** A PDF with one line of ASCII text on each page; a page of `null` is empty. */
export function pdf(pages: ReadonlyArray<string | null>): Buffer {
  const objects: string[] = ["<< /Type /Catalog /Pages 2 0 R >>"];
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  for (const [index, text] of pages.entries()) {
    const content = text === null ? "" : `BT /F1 12 Tf 72 720 Td (${text.replace(/[()\\]/g, String.raw`\$&`)}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    "latin1",
  );
}
