/** Words drawn with a tiny alphabet of capitals, each letter five dots wide and seven high. */
import { fillRectangle, type Colour, type Pixels } from "./pixels.ts";

/** Seven rows a letter, each a digit to the base of 32: its five bits are the row's dots. */
const alphabet: Readonly<Record<string, string>> = {
  A: "ehhvhhh",
  B: "uhhuhhu",
  C: "ehggghe",
  D: "uhhhhhu",
  E: "vgguggv",
  F: "vgguggg",
  G: "ehgnhhf",
  H: "hhhvhhh",
  I: "e44444e",
  J: "72222ic",
  K: "hikokih",
  L: "ggggggv",
  M: "hrllhhh",
  N: "hhpljhh",
  O: "ehhhhhe",
  P: "uhhuggg",
  Q: "ehhhlid",
  R: "uhhukih",
  S: "fgge11u",
  T: "v444444",
  U: "hhhhhhe",
  V: "hhhhha4",
  W: "hhhllla",
  X: "hha4ahh",
  Y: "hhha444",
  Z: "v1248gv",
  "0": "ehjlphe",
  "1": "4c4444e",
  "2": "eh1248v",
  "3": "v2421he",
  "4": "26aiv22",
  "5": "vgu11he",
  "6": "68guhhe",
  "7": "v124888",
  "8": "ehhehhe",
  "9": "ehhf12c",
  " ": "0000000",
  ".": "00000cc",
  ",": "0000c48",
  "!": "4444004",
  "?": "eh12404",
  "-": "000v000",
  "'": "c480000",
  '"': "aaa0000",
  ":": "0cc0cc0",
  "(": "2488842",
  ")": "8422248",
  "/": "01248g0",
  "&": "cik8lid",
  "+": "044v440",
  "%": "op248j3",
  "#": "aavavaa",
};
/** A letter that the alphabet has not. */
const unknown = "vhhhhhv";

/** Dots from one letter to the next, and from one line to the next. */
const letterStep = 6;
export const lineStep = 10;

/** Stands for every letter that the alphabet has not; one UTF-16 unit, so that letters can be counted. */
const box = "\u25a1";

/** The words in letters of the alphabet. */
const asWritten = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, "-")
    .toUpperCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => word.replace(/./gu, (letter) => (letter in alphabet ? letter : box)));

/** The words in lines of at most `columns` letters, no more than `most` of them; what does not fit ends in dots. */
export function linesOf(text: string, columns: number, most: number): string[] {
  const pieces = asWritten(text).flatMap((word) => word.match(new RegExp(`.{1,${columns}}`, "g")) ?? []);
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= columns) lines[lines.length - 1] = `${last} ${piece}`;
    else lines.push(piece);
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${(lines[most - 1] ?? "").slice(0, Math.max(0, columns - 3))}...`];
}

/** The width of a line in dots. */
export const widthOf = (line: string): number => Math.max(0, line.length * letterStep - 1);

/** Draws one line with its upper left corner at `x`, `y`. @param dot pixels of one dot */
export function drawLine(pixels: Pixels, line: string, x: number, y: number, dot: number, colour: Colour, share = 1): void {
  for (let at = 0; at < line.length; at++) {
    const rows = alphabet[line.charAt(at)] ?? unknown;
    for (let row = 0; row < rows.length; row++) {
      const bits = Number.parseInt(rows.charAt(row), 32);
      for (let column = 0; column < 5; column++) {
        if (((bits >> (4 - column)) & 1) === 0) continue;
        const corner = { x: x + (at * letterStep + column) * dot, y: y + row * dot };
        fillRectangle(pixels, { ...corner, width: dot, height: dot }, colour, share);
      }
    }
  }
}
