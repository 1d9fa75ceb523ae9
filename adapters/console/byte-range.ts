/** The part of a file that a player asks for, without which it cannot jump. https://www.rfc-editor.org/rfc/rfc9110#section-14.2 */

/** Both ends are part of it. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * @param header the `Range` header
 * @param bytes the file's size
 * @returns null where the whole file is wanted: without a header, or with one of several parts or of another form;
 *   `none` where the file has no such part
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | "none" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "")
    return Number(last) === 0 || bytes === 0 ? "none" : { first: Math.max(0, bytes - Number(last)), last: bytes - 1 };
  if (last !== "" && Number(last) < Number(first)) return null;
  if (Number(first) >= bytes) return "none";
  return { first: Number(first), last: last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
