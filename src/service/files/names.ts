/** What people call a file, made harmless: it is shown, and sent as a download's name, but never part of a path on disk. */
import { extensionOf } from "../../contract/file-types.ts";

/** UTF-16 units of a name at most; file systems take 255 bytes, which is fewer letters in most scripts. */
const longestName = 200;
/** A longer "extension" is a sentence with a dot in it. */
const longestExtension = 20;

// Control characters break headers and terminals; direction marks make `exe.gpj` look like `jpg.exe`.
const hidden = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Cs}/gu;

const cut = (text: string, length: number): string => {
  const whole = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole;
};

/** The last part of a path, without characters that hide or break something, bounded with its extension kept; never empty. */
export function cleanName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const name = last.replace(hidden, "").trim().normalize("NFC");
  if (name === "" || name === "." || name === "..") return "unnamed";
  if (name.length <= longestName) return name;
  const extension = extensionOf(name);
  if (extension === "" || extension.length > longestExtension) return cut(name, longestName);
  return `${cut(name, longestName - extension.length - 1)}.${extension}`;
}

/** A `content-disposition` that makes browsers save the file under its name (RFC 6266, with an ASCII form for old ones). */
export function attachmentHeader(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
