/** The body of an upload, written as it is read: nothing of the file is held. */

/** A name as it stands between the quotes of a part's header; the escapes are those of the HTML standard's form data. */
export const quotedName = (name: string): string =>
  name
    .replaceAll('"', "%22")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    // oxlint-disable-next-line no-control-regex -- other control characters have no escape and no place in a name
    .replaceAll(/[\u0000-\u001f\u007f]/g, "_");

const mediaTypePattern = /^[\w.+-]+\/[\w.+-]+$/;

/** One file as `multipart/form-data`, in the part name that the workspace takes files from. */
export async function* multipartFile(
  boundary: string,
  name: string,
  mediaType: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const type = mediaTypePattern.test(mediaType) ? mediaType : "application/octet-stream";
  // A part without a name is no file to the workspace.
  const filename = quotedName(name.trim() === "" ? "unnamed" : name);
  const encoder = new TextEncoder();
  yield encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="upload[]"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
  yield* content;
  yield encoder.encode(`\r\n--${boundary}--\r\n`);
}
